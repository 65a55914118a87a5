"""A run's tally does not depend on how it is cut into blocks."""

from collections.abc import Iterable
from itertools import pairwise

import pytest

from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel_engine.check.seeded import Block, FailedTrial, make_trial, run_block
from evenkeel_engine.check.tally import Tally
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.subjects.local import ReferenceSubject

SUBJECT = ReferenceSubject(PULSAR_4_0)


def merge_tallies(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.merge(tally)
    return total


@pytest.mark.parametrize("name", [*QUESTIONS][::8])
def test_blocks_add_up_to_the_whole(name: str) -> None:
    whole = run_block(Block(name, 5, 0, 60), SUBJECT, DOCUMENTED)
    blocks = [Block(name, 5, a, b - a) for a, b in pairwise([0, 1, 10, 11, 40, 60])]
    parts = [run_block(block, SUBJECT, DOCUMENTED) for block in reversed(blocks)]
    assert merge_tallies(parts) == whole


def test_any_trial_is_reproducible() -> None:
    failures: list[FailedTrial] = []
    run_block(Block("bundles.hash_lookup", 5, 100, 200), SUBJECT, DOCUMENTED, failures=failures)
    assert failures
    question = QUESTIONS["bundles.hash_lookup"]
    for failure in failures:
        trial = make_trial(question, 5, failure.index)
        assert question.observe(trial, PULSAR_4_0) != question.observe(trial, DOCUMENTED)


def test_a_clause_alone_is_judged_alone() -> None:
    tally = run_block(Block("bundles.hash_lookup", 5, 0, 100), SUBJECT, DOCUMENTED, only={"BUN-16"})
    assert {clause for clause, _ in tally.verdicts} == {"BUN-16"}
    assert not tally.violated
