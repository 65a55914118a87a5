"""Known defects of placement have mutants."""

import pytest

from evenkeel_engine.mutation.catalogue import MUTANTS


@pytest.mark.parametrize(
    "entry", ["SH6", "SH23", "SH25", "SH27", "SH38", "SH39", "SH44", "SH45", "SH50"]
)
def test_known_defects_are_mutants(entry: str) -> None:
    assert any(mutant.defect == entry and not mutant.conforming for mutant in MUTANTS)
