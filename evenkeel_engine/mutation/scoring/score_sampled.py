"""Two scores of sampled mutants: in the subject alone, and in the reference itself."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evenkeel_engine.check.limits import GRACE, SECONDS
from evenkeel_engine.check.pool import group_jobs, run_jobs
from evenkeel_engine.mutation.catalogue import BY_NAME
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.sampled import SampledMutant, find_mutant
from evenkeel_engine.mutation.scoring.detection import (
    FIRST,
    NO_END,
    Detection,
    InReference,
    InSubject,
    follow,
    shrink_difference,
)
from evenkeel_engine.mutation.scoring.scope import EVERYTHING, ScoreScope
from evenkeel_engine.mutation.scoring.stored_checks import (
    find_failing,
    stored_cases,
    stored_examples,
    stored_models,
)

BY_HAND: Final = "by hand"
ENDED: Final = Detection(NO_END, "its process had to be ended", "", 0, 0, None)
ENDLESS: Final = ENDED, 1000 * (SECONDS + GRACE)
"""What is known of a mutant that never ends; the time is a lower bound."""
GROUP: Final = 25
"""Mutants of a chapter that go to one process together."""


@dataclass(frozen=True, slots=True)
class SampledJob:
    """A mutant, by name; the greatest number of trials of each question; and which score."""

    name: str
    seed: int
    most: int
    in_reference: bool
    scope: ScoreScope = EVERYTHING


@dataclass(frozen=True, slots=True)
class SampledScore:
    """A mutant, what became of it, and how long that took."""

    mutant: Mutant
    outcome: Detection
    milliseconds: float

    @property
    def operator(self) -> str:
        """The operator that made the mutant, or `BY_HAND`."""
        return self.mutant.site.operator if isinstance(self.mutant, SampledMutant) else BY_HAND


def mutant_named(name: str) -> Mutant:
    """The mutant with this name, sampled or handwritten. Raises `UnknownSite`."""
    return BY_NAME.get(name) or find_mutant(name)


def detect_mutants(
    mutants: Sequence[Mutant],
    seed: int,
    most: int,
    in_reference: bool,
    done: Callable[[str], None],
    scope: ScoreScope = EVERYTHING,
) -> list[SampledScore]:
    """The outcome of each mutant, computed on all cores; `done` is called after each."""
    jobs = [SampledJob(mutant.name, seed, most, in_reference, scope) for mutant in mutants]
    chapters = {mutant.name: mutant.chapter for mutant in mutants}
    groups = group_jobs(jobs, lambda job: chapters[job.name], GROUP)
    outcomes = run_jobs(outcome_of, groups, lambda job: done(job.name), endless=lambda _: ENDLESS)
    found = dict(zip([job.name for group in groups for job in group], outcomes, strict=True))
    return [SampledScore(mutant, *found[mutant.name]) for mutant in mutants]


def outcome_of(job: SampledJob) -> tuple[Detection, float]:
    """What becomes of a mutant, and in how many milliseconds."""
    began, mutant = time.perf_counter(), mutant_named(job.name)
    if job.in_reference:
        outcome = in_reference(mutant, job.seed, job.most)
    else:
        outcome = follow(InSubject(mutant, job.scope), job.seed, job.most)
    if outcome.by is None and outcome.difference is not None:
        smaller = shrink_difference(mutant, outcome.difference, job.seed)
        outcome = replace(outcome, difference=smaller)
    return outcome, 1000 * (time.perf_counter() - began)


def in_reference(mutant: Mutant, seed: int, most: int) -> Detection:
    """What a mutant in the reference meets: few trials, stored checks of all kinds, more trials."""
    way, few = InReference(mutant), min(FIRST, most)
    first = follow(way, seed, few)
    if first.by is not None:
        return first
    for stored in (stored_cases, stored_examples, stored_models):
        if (found := find_failing(mutant, stored())) is not None:
            return Detection(*found, "", first.trials, first.tried, first.difference)
    rest = follow(way, seed, most, few)
    differences = [d for d in (first.difference, rest.difference) if d is not None]
    smallest = min(differences, key=lambda d: d.size, default=None)
    trials, tried = first.trials + rest.trials, first.tried + rest.tried
    return Detection(rest.by, rest.sentence, rest.question, trials, tried, smallest)


def count_detected(
    scores: Iterable[SampledScore], key: Callable[[SampledScore], str]
) -> dict[str, tuple[int, int]]:
    """How many were detected, of how many, for each value of a key, in order of appearance."""
    every, seen = Counter[str](), Counter[str]()
    for score in scores:
        every[key(score)] += 1
        seen[key(score)] += score.outcome.by is not None
    return {value: (seen[value], every[value]) for value in every}
