"""The catalogue's entries about placement are planted."""

import pytest

from evenkeel.properties.placement.planted import PLANTED


@pytest.mark.parametrize(
    "entry", ["SH6", "SH23", "SH25", "SH27", "SH38", "SH39", "SH44", "SH45", "SH50"]
)
def test_known_defects_are_planted(entry: str) -> None:
    assert any(planted.defect == entry and not planted.correct for planted in PLANTED)
