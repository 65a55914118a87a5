"""The real defects of Pulsar that concern these shedders are planted."""

from __future__ import annotations

import pytest

from evenkeel.properties.catalogue import PLANTED


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
def test_known_defects_are_planted(entry: str) -> None:
    assert any(planted.defect == entry for planted in PLANTED if planted.chapter == "shedding")
