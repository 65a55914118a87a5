"""In every chapter: defects are killed, correct variants not accused, checks kill something."""

from __future__ import annotations

import pytest

from evenkeel import spec
from evenkeel.drivers.score import BLOCK, NO_ANSWER, score
from evenkeel.properties.catalogue import PLANTED
from evenkeel.properties.planted import Planted
from tests.kills import SEED, checks_of, strike

TRIALS = 2000
VARIANT_TRIALS = 400
DEFECTS = [planted for planted in PLANTED if not planted.correct]
CORRECT = [planted for planted in PLANTED if planted.correct]


def test_names_are_unique() -> None:
    names = [planted.name for planted in PLANTED]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("planted", DEFECTS, ids=lambda planted: planted.name)
def test_defects_are_killed(planted: Planted) -> None:
    assert score(planted, SEED, TRIALS).clause not in (None, NO_ANSWER)


@pytest.mark.parametrize("planted", CORRECT, ids=lambda planted: planted.name)
def test_correct_variants_are_not_accused(planted: Planted) -> None:
    assert score(planted, SEED, VARIANT_TRIALS).clause is None


@pytest.mark.parametrize("chapter", spec.CHAPTERS)
def test_every_check_kills_something(chapter: str) -> None:
    missing, defects = checks_of(chapter), [p for p in DEFECTS if p.chapter == chapter]
    for start in range(0, TRIALS, BLOCK):
        for planted in defects:
            if not missing:
                return
            strike(missing, planted, start)
    assert missing == set()


@pytest.mark.parametrize(
    "entry", ["SP2", "SP3", "SP4", "SP6", "SP8", "SP10", "SP11", "SP12", "SP13", "SP15"]
)
def test_known_defects_are_planted(entry: str) -> None:
    assert any(planted.defect == entry for planted in DEFECTS)
