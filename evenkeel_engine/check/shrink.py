"""Shrinking: the smallest list of choices that still makes a failing trial.

A trial is a function of the choices that its generator made, so shrinking edits that list and
generates the trial again: delete runs of choices, then lower each one. The order of preference is
shorter, then smaller from the front. Hypothesis's lesson, on our own short lists: measured
before, this finds the optimum in milliseconds where replaying a database takes seconds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final, Generic, TypeVar

from evenkeel_engine.check.seeded import generator_of, trial_seed
from evenkeel_engine.content import Edition
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.draw import Draw, Generator, RecordingDraw, ReplayDraw, SeededDraw
from evenkeel_engine.kit.independent.maker import Unlucky
from evenkeel_engine.kit.question import AnyQuestion, Observation, Verdict, judge
from evenkeel_engine.kit.trial import INVALID
from evenkeel_engine.subjects.base import Observed, Subject, reply_to

MAX_ATTEMPTS: Final = 4000
RUN_LENGTHS: Final = (32, 16, 8, 4, 3, 2, 1)

R = TypeVar("R")

Choices = list[tuple[int, int, int]]
"""Each choice as (lo, hi, value)."""


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The smallest failing trial found, its observation and verdict; whether time ran out."""

    trial: Any
    observation: Observation
    verdict: Verdict
    attempts: int
    is_cut_short: bool = False


@dataclass(frozen=True, slots=True)
class Small(Generic[R]):
    """An accepted trial: the choices that make it, and the result of `accepts`."""

    choices: Choices
    trial: Any
    why: R


def shrink(
    question: AnyQuestion,
    seed: int,
    index: int,
    signature: str,
    subject: Subject,
    edition: Edition,
    seconds: float = math.inf,
    generator: Generator = Generator.OWN,
) -> Shrunk | None:
    """Shrink trial `index` while it fails with this signature; None if it does not even once."""

    def accepts(trial: Any) -> tuple[Observation, Verdict] | None:
        return failure_of(question, trial, signature, subject, edition)

    found = search_smaller(question, seed, index, generator, accepts, seconds)
    if found is None:
        return None
    best, search = found
    return Shrunk(best.trial, *best.why, search.attempts, search.is_late)


def search_smaller(
    question: AnyQuestion,
    seed: int,
    index: int,
    generator: Generator,
    accepts: Callable[[Any], R | None],
    seconds: float = math.inf,
    most: int = MAX_ATTEMPTS,
) -> tuple[Small[R], ShrinkSearch[R]] | None:
    """The smallest accepted trial near trial `index`, and the search; None if it is not one."""
    recorder = RecordingDraw(SeededDraw(trial_seed(question.name, seed, index, generator)))
    generate = generator_of(question, generator)
    trial = generate(recorder)
    if (first := accepts(trial)) is None:
        return None
    search = ShrinkSearch(generate, accepts, most, seconds)
    return search.run(Small(recorder.record, trial, first)), search


def failure_of(
    question: AnyQuestion, trial: Any, signature: str, subject: Subject, edition: Edition
) -> tuple[Observation, Verdict] | None:
    """The observation and the verdict with this signature, if the subject fails so on the trial."""
    reply = reply_to(subject, question, trial)
    if not isinstance(reply, Observed):
        return None
    verdict = failed_verdict(question, trial, reply.observation, signature, edition)
    return None if verdict is None else (reply.observation, verdict)


def failed_verdict(
    question: AnyQuestion, trial: Any, observation: Observation, signature: str, edition: Edition
) -> Verdict | None:
    """The verdict with this signature, if the observation breaks the clause so."""
    clauses = clauses_for(question.name, edition, frozenset({signature.partition(":")[0]}))
    verdicts = judge(question, clauses, trial, observation, edition)
    return next((one for one in verdicts if one.failed and one.signature == signature), None)


def with_fewer_steps(
    question: AnyQuestion, small: Shrunk, subject: Subject, edition: Edition, seconds: float
) -> Shrunk:
    """A shrunk trial without the steps that are not needed: what a generator draws together, its
    choices do not part. Of the rest the reference must answer rightly.
    """
    end, name = time.monotonic() + seconds, question.steps
    size = len(getattr(small.trial, name)) if name else 0
    while size := size // 2:
        place = len(getattr(small.trial, name))
        while place > 0 and time.monotonic() < end:
            items = getattr(small.trial, name)
            place = max(place - size, 0)
            fewer = items[:place] + items[place + size :]
            small = with_steps(question, small, fewer, subject, edition) or small
    return small


def with_steps(
    question: AnyQuestion, small: Shrunk, steps: Sequence[Any], subject: Subject, edition: Edition
) -> Shrunk | None:
    """The trial with these steps only, if it is one and fails so."""
    signature = small.verdict.signature
    try:
        trial = replace(small.trial, **{question.steps: steps})
    except INVALID:
        return None
    found = failure_of(question, trial, signature, subject, edition) if steps else None
    if found is None:
        return None
    right = question.observe(trial, edition)
    if failed_verdict(question, trial, right, signature, edition) is not None:
        return None
    return replace(small, trial=trial, observation=found[0], verdict=found[1])


class ShrinkSearch(Generic[R]):
    """The search itself: candidates from the best so far, until none is better.

    `accepts` returns why a trial is accepted, or None. At most `most` lists of choices are tried,
    none after `seconds`; of each trial `accepts` is called once, though many lists make it.
    """

    def __init__(
        self,
        generate: Callable[[Draw], Any],
        accepts: Callable[[Any], R | None],
        most: int = MAX_ATTEMPTS,
        seconds: float = math.inf,
    ) -> None:
        self._generate = generate
        self._accepts = accepts
        self._most = most
        self._seen: set[tuple[int, ...]] = set()
        self._results: dict[bytes, R | None] = {}
        self._end = time.monotonic() + seconds
        self.attempts = 1
        self.is_late = False

    def run(self, best: Small[R]) -> Small[R]:
        """The smallest trial found, starting from an accepted one."""
        improved = True
        while improved and self.attempts < self._most and not self.is_late:
            improved = False
            for step in (self._delete, self._lower):
                better = step(best)
                improved, best = improved or better is not best, better
        return best

    def _try(self, values: Sequence[int], best: Small[R]) -> Small[R] | None:
        """The candidate, if accepted and smaller; None also if its choices make no trial."""
        key = tuple(values)
        if key in self._seen or self.attempts >= self._most or self.is_late:
            return None
        if time.monotonic() >= self._end:
            self.is_late = True
            return None
        self._seen.add(key)
        draw = ReplayDraw(values)
        try:
            trial = self._generate(draw)
        except Unlucky:
            self.attempts += 1
            return None
        if _compute_cost(draw.record) >= _compute_cost(best.choices):
            return None
        self.attempts += 1
        # By a digest of the text, where 1 is not 1.0 or True.
        digest = blake2b(repr(trial).encode(errors="surrogatepass"), digest_size=16).digest()
        if digest not in self._results:
            self._results[digest] = self._accepts(trial)
        why = self._results[digest]
        return None if why is None else Small(draw.record, trial, why)

    def _delete(self, best: Small[R]) -> Small[R]:
        for length in RUN_LENGTHS:
            end = len(best.choices)
            while end > 0:
                start = max(end - length, 0)
                values = [value for _, _, value in best.choices]
                better = self._try(values[:start] + values[end:], best)
                best = better or best
                end = min(start, len(best.choices)) if better is None else len(best.choices[:start])
        return best

    def _lower(self, best: Small[R]) -> Small[R]:
        index = 0
        while index < len(best.choices):
            best = self._lower_one(best, index)
            index += 1
        return best

    def _lower_one(self, best: Small[R], index: int) -> Small[R]:
        """The lowest value at `index` that a search downwards finds."""
        lo, _, value = best.choices[index]
        distance = value - lo
        while distance > 0:  # from the lowest on, the distance halved each time
            values = [v for _, _, v in best.choices]
            values[index] = value - distance
            if (better := self._try(values, best)) is not None:
                return self._lower_one(better, index) if index < len(better.choices) else better
            distance //= 2
        return best


def _compute_cost(choices: Choices) -> tuple[int, list[int]]:
    """Shorter is simpler; of equal lengths, the one whose choices are closer to their lowest."""
    return len(choices), [value - lo for lo, _, value in choices]
