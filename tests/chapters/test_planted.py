"""In every chapter: defects are killed, correct variants not accused, checks kill something."""

from __future__ import annotations

from functools import cache

import pytest

from evenkeel import spec
from evenkeel.properties.catalogue import PLANTED
from evenkeel.properties.planted import Planted
from tests.kills import Check, checks_of, killed_by

TRIALS = 1200
DEFECTS = [planted for planted in PLANTED if not planted.correct]
CORRECT = [planted for planted in PLANTED if planted.correct]


@cache
def kills(name: str) -> dict[Check, str]:
    [planted] = [p for p in PLANTED if p.name == name]
    return killed_by(planted, TRIALS)


def test_names_are_unique() -> None:
    names = [planted.name for planted in PLANTED]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("planted", DEFECTS, ids=lambda planted: planted.name)
def test_defects_are_killed(planted: Planted) -> None:
    assert kills(planted.name)


@pytest.mark.parametrize("planted", CORRECT, ids=lambda planted: planted.name)
def test_correct_variants_are_not_accused(planted: Planted) -> None:
    assert not kills(planted.name)


@pytest.mark.parametrize("chapter", spec.CHAPTERS)
def test_every_check_kills_something(chapter: str) -> None:
    killed = {check for p in DEFECTS if p.chapter == chapter for check in kills(p.name)}
    assert checks_of(chapter) - killed == set()


@pytest.mark.parametrize(
    "entry", ["SP2", "SP3", "SP4", "SP6", "SP8", "SP10", "SP11", "SP12", "SP13", "SP15"]
)
def test_known_defects_are_planted(entry: str) -> None:
    assert any(planted.defect == entry for planted in DEFECTS)
