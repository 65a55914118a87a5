"""Shrinking: the smallest list of choices that still makes a failing trial.

A trial is a function of the choices that its generator made, so shrinking edits that list and
makes the trial again: delete runs of choices, then lower each one. The order of preference is
shorter, then smaller from the front. Hypothesis's lesson, on our own short lists: measured
before, this finds the optimum in milliseconds where replaying a database takes seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evenkeel.drivers.seeded import trial_seed
from evenkeel.properties.catalogue import clauses_for
from evenkeel.properties.draw import RecordingDraw, ReplayDraw, SeededDraw
from evenkeel.properties.question import Observation, Question, Verdict, judge
from evenkeel.reference.edition import Edition
from evenkeel.subjects.base import Ask, Observed, Subject

MAX_ATTEMPTS: Final = 4000
RUN_LENGTHS: Final = (32, 16, 8, 4, 3, 2, 1)

Choices = list[tuple[int, int, int]]
"""Each choice as (lo, hi, value)."""


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The smallest failing trial that was found, its observation, the verdict, and how many
    trials it took.
    """

    trial: Any
    observation: Observation
    verdict: Verdict
    attempts: int


@dataclass(slots=True)
class _Best:
    choices: Choices
    shrunk: Shrunk


def shrink(
    question: Question[Any, Any],
    seed: int,
    index: int,
    signature: str,
    subject: Subject,
    edition: Edition,
) -> Shrunk | None:
    """Shrink trial `index` of a seed, keeping a failure with this signature.

    None where the trial does not fail so (any more).
    """
    recorder = RecordingDraw(SeededDraw(trial_seed(question.name, seed, index)))
    trial = question.generate(recorder)
    first = failure_of(question, trial, signature, subject, edition)
    if first is None:
        return None
    search = _Search(question, signature, subject, edition)
    return search.run(_Best(recorder.record, Shrunk(trial, *first, attempts=1)))


def failure_of(
    question: Question[Any, Any],
    trial: Any,
    signature: str,
    subject: Subject,
    edition: Edition,
) -> tuple[Observation, Verdict] | None:
    """The observation and the verdict with this signature, if the subject fails so on the trial."""
    clause_ids = frozenset({signature.partition(":")[0]})
    clauses = clauses_for(question.name, edition, clause_ids)
    for _, reply in subject.replies([Ask(0, question, trial)]):
        if isinstance(reply, Observed):
            for verdict in judge(question, clauses, trial, reply.observation, edition):
                if verdict.signature == signature and verdict.status in ("violated", "errored"):
                    return reply.observation, verdict
    return None


class _Search:
    """The search itself: candidates from the best so far, until none is better."""

    def __init__(
        self, question: Question[Any, Any], signature: str, subject: Subject, edition: Edition
    ) -> None:
        self._question = question
        self._fails: Callable[[Any], tuple[Observation, Verdict] | None] = lambda trial: failure_of(
            question, trial, signature, subject, edition
        )
        self._attempts = 1
        self._seen: set[tuple[int, ...]] = set()

    def run(self, best: _Best) -> Shrunk:
        improved = True
        while improved and self._attempts < MAX_ATTEMPTS:
            improved = False
            for step in (self._delete, self._lower):
                better = step(best)
                improved, best = improved or better is not best, better
        return Shrunk(
            best.shrunk.trial, best.shrunk.observation, best.shrunk.verdict, self._attempts
        )

    def _try(self, values: Sequence[int], best: _Best) -> _Best | None:
        """The candidate as the new best, if it fails and is smaller."""
        key = tuple(values)
        if key in self._seen or self._attempts >= MAX_ATTEMPTS:
            return None
        self._seen.add(key)
        draw = ReplayDraw(values)
        trial = self._question.generate(draw)
        if _cost(draw.record) >= _cost(best.choices):
            return None
        self._attempts += 1
        failure = self._fails(trial)
        if failure is None:
            return None
        return _Best(draw.record, Shrunk(trial, *failure, attempts=self._attempts))

    def _delete(self, best: _Best) -> _Best:
        for length in RUN_LENGTHS:
            end = len(best.choices)
            while end > 0:
                start = max(end - length, 0)
                values = [value for _, _, value in best.choices]
                better = self._try(values[:start] + values[end:], best)
                best = better or best
                end = min(start, len(best.choices)) if better is None else len(best.choices[:start])
        return best

    def _lower(self, best: _Best) -> _Best:
        index = 0
        while index < len(best.choices):
            best = self._lower_one(best, index)
            index += 1
        return best

    def _lower_one(self, best: _Best, index: int) -> _Best:
        """The lowest value at `index` that a search downwards finds."""
        lo, _, value = best.choices[index]
        for candidate in _below(lo, value):
            values = [v for _, _, v in best.choices]
            values[index] = candidate
            better = self._try(values, best)
            if better is not None:
                return self._lower_one(better, index) if index < len(better.choices) else better
        return best


def _below(lo: int, value: int) -> Iterator[int]:
    """Values from `lo` up to just below `value`: the lowest, then halving the distance."""
    distance = value - lo
    while distance > 0:
        yield value - distance
        distance //= 2


def _cost(choices: Choices) -> tuple[int, list[int]]:
    """Shorter is simpler; of equal lengths, the one whose choices are closer to their lowest."""
    return len(choices), [value - lo for lo, _, value in choices]
