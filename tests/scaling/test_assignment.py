"""Answers that the judge of who reads what must take, and others that it must not."""

from __future__ import annotations

import pytest

from evenkeel.properties.scaling.assignment import (
    Assignment,
    AssignmentAnswer,
    AssignmentTrial,
    Connect,
    Consuming,
    LoseConnection,
    Reads,
)
from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge

QUESTION = QUESTIONS["scaling.assignment"]


def failed(trial: AssignmentTrial, *after: tuple[Reads, ...]) -> set[str]:
    """The clauses that object to what is assigned after each command."""
    answer = AssignmentAnswer(tuple(Assignment(consumers) for consumers in after))
    clauses = clauses_for(QUESTION.name, DOCUMENTED)
    return {one.clause for one in judge(QUESTION, clauses, trial, answer, DOCUMENTED) if one.failed}


@pytest.mark.parametrize("lost", [True, False])
def test_segments_are_kept_for_an_awaited_consumer_alone(lost: bool) -> None:
    away = (LoseConnection("a"),) if lost else ()
    commands: tuple[Consuming, ...] = (Connect("a"), *away, Connect("b"))
    kept = (Reads("a", (0, 1)),)
    after = [*[kept] * (len(commands) - 1), (Reads("a", (0, 1)), Reads("b", ()))]
    assert ("SCA-57" in failed(AssignmentTrial(2, commands), *after)) is not lost
