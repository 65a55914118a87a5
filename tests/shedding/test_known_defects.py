"""Pulsar's real defects in these shedders have mutants."""

from __future__ import annotations

import pytest

from evenkeel_engine.mutation.catalogue import MUTANTS


@pytest.mark.parametrize(
    "entry",
    [
        "SH6",
        "SH11",
        "SH12",
        "SH13",
        "SH15",
        "SH16",
        "SH18",
        "SH20",
        "SH21",
        "SH32",
        "SH52",
        "24954",
    ],
)
def test_known_defects_are_mutants(entry: str) -> None:
    assert any(mutant.defect == entry for mutant in MUTANTS if mutant.chapter == "shedding")
