"""In every chapter: defects are killed, conforming variants not flagged, checks kill something."""

from __future__ import annotations

import pytest

from evenkeel import spec
from evenkeel.mutation.catalogue import MUTANTS
from evenkeel.mutation.mutant import Mutant
from evenkeel.mutation.sampled import sampled
from evenkeel.mutation.scoring.score import BLOCK, NO_ANSWER, score
from tests.kills import SEED, checks_of, strike

pytestmark = pytest.mark.slow

TRIALS = 2000
VARIANT_TRIALS = 400
SAMPLED = 120
DEFECTS = [mutant for mutant in MUTANTS if not mutant.conforming]
CONFORMING = [mutant for mutant in MUTANTS if mutant.conforming]


def test_names_are_unique() -> None:
    names = [mutant.name for mutant in MUTANTS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("mutant", DEFECTS, ids=lambda mutant: mutant.name)
def test_defects_are_killed(mutant: Mutant) -> None:
    assert score(mutant, SEED, TRIALS).clause not in (None, NO_ANSWER)


@pytest.mark.parametrize("mutant", CONFORMING, ids=lambda mutant: mutant.name)
def test_conforming_variants_are_not_flagged(mutant: Mutant) -> None:
    assert score(mutant, SEED, VARIANT_TRIALS).clause is None


@pytest.mark.parametrize("chapter", spec.CHAPTERS)
def test_every_check_kills_something(chapter: str) -> None:
    """A handwritten mutant, of the clause or the question; else a sampled one."""
    missing = checks_of(chapter)
    around = {chapter, *(question.partition(".")[0] for _, question in missing)}
    defects = [mutant for mutant in DEFECTS if mutant.chapter in around]
    wide = [(mutant, start) for start in range(BLOCK, TRIALS, BLOCK) for mutant in defects]
    first = [(mutant, 0) for mutant in (*defects, *sampled(SEED, SAMPLED, [chapter]))]
    for mutant, start in (*first, *wide):
        if not missing:
            return
        strike(missing, mutant, start)
    assert missing == set()


@pytest.mark.parametrize(
    "entry", ["SP2", "SP3", "SP4", "SP6", "SP8", "SP10", "SP11", "SP12", "SP13", "SP15"]
)
def test_known_defects_are_mutants(entry: str) -> None:
    assert any(mutant.defect == entry for mutant in DEFECTS)
