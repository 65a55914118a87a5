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
BATCH = 50
"""Trials are made and judged in batches: most changes are killed in the first."""

Check = tuple[str, str]
"""A clause and the question on which it is checked."""


def questions_of(chapter: str) -> list[Question[Any, Any]]:
    """The chapter's questions."""
    return [question for question in QUESTIONS.values() if question.chapter == chapter]


def checks_of(chapter: str) -> set[Check]:
    """Every check of the chapter's clauses."""
    return {(c.id, c.question) for c in CLAUSES if c.entry.chapter == chapter}


@cache
def batch(name: str, start: int) -> list[Any]:
    """The trials of a question from this one on."""
    question = QUESTIONS[name]
    return [make_trial(question, SEED, start + index) for index in range(BATCH)]


@cache
def batch_expected(name: str, start: int, edition: Edition) -> list[Observation]:
    """What the reference observes of them."""
    question = QUESTIONS[name]
    return [question.observe(trial, edition) for trial in batch(name, start)]


def trials(name: str, count: int) -> list[Any]:
    """The first trials of a question."""
    return [trial for start in range(0, count, BATCH) for trial in batch(name, start)]


def expected(name: str, count: int, edition: Edition) -> list[Observation]:
    """What the reference observes of them."""
    return [
        seen for start in range(0, count, BATCH) for seen in batch_expected(name, start, edition)
    ]


def different(
    planted: Planted, start: int, wanted: frozenset[Check] | None
) -> Iterator[tuple[Question[Any, Any], Any, Any]]:
    """Trials of a batch that the changed reference answers differently, with its answers."""
    changed = planted.make(planted.original())
    names = None if wanted is None else {name for _, name in wanted}
    for question in questions_of(planted.chapter):
        if names is not None and question.name not in names:
            continue
        asked = batch(question.name, start)
        right = batch_expected(question.name, start, planted.edition)
        with planted.replaced_by(changed):
            given = [question.observe(trial, planted.edition) for trial in asked]
        for trial, observation, known in zip(asked, given, right, strict=True):
            if observation != known:
                yield question, trial, observation


def killed_in(
    planted: Planted, start: int, wanted: frozenset[Check] | None = None
) -> Iterator[tuple[Check, str]]:
    """Checks, of these if given, that a planted change violates in a batch; what they say."""
    for question, trial, observation in different(planted, start, wanted):
        clauses = [
            clause
            for clause in clauses_for(question.name, planted.edition)
            if wanted is None or (clause.id, question.name) in wanted
        ]
        for verdict in judge(question, clauses, trial, observation, planted.edition):
            if verdict.status in ("violated", "errored"):
                yield (verdict.clause, question.name), verdict.sentence


def kills(planted: Planted, count: int) -> Iterator[tuple[Check, str]]:
    """The same for the first trials, batch by batch: ask no further than is needed."""
    for start in range(0, count, BATCH):
        yield from killed_in(planted, start)


def killed_by(planted: Planted, count: int) -> dict[Check, str]:
    """Every check that a planted change violates, and what it says first."""
    killed: dict[Check, str] = {}
    for check, sentence in kills(planted, count):
        killed.setdefault(check, sentence)
    return killed
