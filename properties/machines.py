"""What the state machines of the chapters have in common: after each step clauses are asked."""

from __future__ import annotations

from typing import Any

from evenkeel.properties.catalogue import clauses_for
from evenkeel.properties.question import Observation, Question, judge
from evenkeel.reference.edition import Edition


def require_clauses(
    question: Question[Any, Any], trial: object, observation: Observation, edition: Edition
) -> None:
    """No clause is violated, or cannot be judged. Raises `AssertionError` with what they say."""
    verdicts = judge(question, clauses_for(question.name, edition), trial, observation, edition)
    faults = [
        f"{verdict.clause}: {verdict.sentence}"
        for verdict in verdicts
        if verdict.status in ("violated", "errored")
    ]
    assert not faults, "\n".join(faults)
