"""What the tests of the chapters share: trials, and what planted changes are killed by."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from evenkeel.drivers.seeded import make_trial
from evenkeel.properties.catalogue import CLAUSES, QUESTIONS, clauses_for
from evenkeel.properties.planted import Planted
from evenkeel.properties.question import Observation, Question, judge
from evenkeel.reference.edition import Edition

SEED = 1
Check = tuple[str, str]
"""A clause and the question on which it is checked."""


def questions_of(chapter: str) -> list[Question[Any, Any]]:
    """The chapter's questions."""
    return [question for question in QUESTIONS.values() if question.chapter == chapter]


def checks_of(chapter: str) -> set[Check]:
    """Every check of the chapter's clauses."""
    return {(c.id, c.question) for c in CLAUSES if c.entry.chapter == chapter}


@cache
def trials(name: str, count: int) -> list[Any]:
    """The first trials of a question."""
    return [make_trial(QUESTIONS[name], SEED, index) for index in range(count)]


@cache
def expected(name: str, count: int, edition: Edition) -> list[Observation]:
    """What the reference observes of them."""
    question = QUESTIONS[name]
    return [question.observe(trial, edition) for trial in trials(name, count)]


def different(planted: Planted, count: int) -> Iterator[tuple[Question[Any, Any], Any, Any]]:
    """Trials that the changed reference answers differently, with its answers."""
    changed = planted.make(planted.original())
    for question in questions_of(planted.chapter):
        asked = trials(question.name, count)
        right = expected(question.name, count, planted.edition)
        with planted.replaced_by(changed):
            given = [question.observe(trial, planted.edition) for trial in asked]
        for trial, observation, known in zip(asked, given, right, strict=True):
            if observation != known:
                yield question, trial, observation


def killed_by(planted: Planted, count: int) -> dict[Check, str]:
    """Every check that a planted change violates, and what it says."""
    killed: dict[Check, str] = {}
    for question, trial, observation in different(planted, count):
        clauses = clauses_for(question.name, planted.edition)
        for verdict in judge(question, clauses, trial, observation, planted.edition):
            if verdict.status in ("violated", "errored"):
                killed.setdefault((verdict.clause, question.name), verdict.sentence)
    return killed
