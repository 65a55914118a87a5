"""Work on all cores gives what work on one gives; what is skipped could show nothing."""

from __future__ import annotations

import os

import pytest

from evenkeel.harness import pool
from evenkeel.harness.check import Part, run_check, run_reference
from evenkeel.harness.pool import results
from evenkeel.harness.seeded import Block, merged
from evenkeel.harness.subjects.local import ReferenceSubject
from evenkeel.mutation.scoring import score
from evenkeel.mutation.scoring.reached import answered
from evenkeel.mutation.scoring.scope import Scope
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.reference.edition import EDITIONS
from evenkeel.spec import CHAPTERS

pytestmark = pytest.mark.slow

GROUPS = [[5, 0, 3], [], [4], [2, 9]]


def half_of_twelve(number: int) -> float:
    return 6 / number


def process_of(_: int) -> int:
    return os.getpid()


@pytest.mark.parametrize("amount", [1, 2, 5])
def test_results_come_in_the_order_of_the_jobs(amount: int) -> None:
    finished: list[int] = []
    assert results(str, GROUPS, finished.append, amount) == list("503429")
    assert sorted(finished) == [0, 2, 3, 4, 5, 9]


@pytest.mark.parametrize("amount", [1, 2])
def test_a_job_that_fails_fails_the_work(amount: int) -> None:
    with pytest.raises(ZeroDivisionError):
        results(half_of_twelve, GROUPS, lambda _: None, amount)


def test_a_group_stays_in_one_process_which_is_not_this_one() -> None:
    first, second, third, *_ = results(process_of, [[1, 2, 3], [4], [5]], lambda _: None, 2)
    assert first == second == third != os.getpid()


def test_scores_are_the_same_on_one_core_and_on_two(monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = Scope(("bundles",)).mutants()
    seen = []
    for amount in (1, 2):
        monkeypatch.setattr(pool, "cores", lambda amount=amount: amount)
        done = score.scores(mutant, 1, lambda _: 100, lambda _: None)
        seen.append([(s.mutant.name, s.clause, s.sentence, s.trials) for s in done])
    assert seen[0] == seen[1]
    assert [name for name, *_ in seen[0]] == [change.name for change in mutant]


def test_the_reference_on_two_cores_is_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "cores", lambda: 2)
    parts = [Part(q, 60) for q in QUESTIONS.values() if q.chapter in ("bundles", "splitting")]
    editions = list(EDITIONS.values())
    for edition, tally in zip(
        editions, run_reference(parts, 3, editions, lambda *_: None), strict=True
    ):
        subject = ReferenceSubject(edition)
        alone = [run_check([part], 3, subject, edition, None, lambda *_: None) for part in parts]
        assert tally == merged(alone)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_change_shows_only_where_the_changed_function_ran(chapter: str) -> None:
    names = [name for name, question in QUESTIONS.items() if question.chapter == chapter]
    for mutant in Scope((chapter,)).mutants():
        edition = mutant.edition
        for block in (Block(name, 1, 0, 10) for name in names):
            clean, running = answered(block, edition.name), score.running_it(mutant, block)
            for number in {*range(block.count)} - {one.index for one in running}:
                with mutant.applied():
                    seen = QUESTIONS[block.question].observe(clean.trials[number], edition)
                assert seen == clean.expected[number]
