"""Every planted defect is killed, no correct variant accused, and every check kills something."""

from __future__ import annotations

from functools import cache

import pytest

from evenkeel.properties.planted import Planted
from tests.kills import Check, checks_of, killed_by, planted_of

TRIALS = 1200
DEFECTS = planted_of("bundles", correct=False)
CORRECT = planted_of("bundles", correct=True)


@cache
def kills(name: str) -> dict[Check, str]:
    [planted] = [p for p in (*DEFECTS, *CORRECT) if p.name == name]
    return killed_by(planted, TRIALS)


def test_names_are_unique() -> None:
    names = [planted.name for planted in (*DEFECTS, *CORRECT)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("planted", DEFECTS, ids=lambda planted: planted.name)
def test_defects_are_killed(planted: Planted) -> None:
    assert kills(planted.name)


@pytest.mark.parametrize("planted", CORRECT, ids=lambda planted: planted.name)
def test_correct_variants_are_not_accused(planted: Planted) -> None:
    assert not kills(planted.name)


def test_every_check_kills_something() -> None:
    killed = {check for planted in DEFECTS for check in kills(planted.name)}
    assert checks_of("bundles") - killed == set()
