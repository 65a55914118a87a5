"""Two scores of mutants that nobody chose: in the subject alone, and in the reference itself."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evenkeel.harness.limits import GRACE, SECONDS
from evenkeel.harness.pool import results
from evenkeel.mutation.catalogue import BY_NAME
from evenkeel.mutation.mutant import Mutant
from evenkeel.mutation.sampled import SampledMutant, named
from evenkeel.mutation.scoring.detection import FIRST, NO_END, Fate, InReference, InSubject, follow
from evenkeel.mutation.scoring.handwritten import against, kept_cases
from evenkeel.mutation.scoring.handwritten_models import kept_examples, kept_models
from evenkeel.mutation.scoring.scope import EVERYTHING, Scope
from evenkeel.mutation.scoring.smaller import smaller

BY_HAND: Final = "by hand"
GROUP: Final = 25
"""So many mutants of a chapter go to one process together."""


@dataclass(frozen=True, slots=True)
class Job:
    """A mutant, by name; how many trials of each question are made at most; and which score."""

    name: str
    seed: int
    most: int
    in_reference: bool
    scope: Scope = EVERYTHING


@dataclass(frozen=True, slots=True)
class Noticed:
    """A mutant, what became of it, and how long that took."""

    mutant: Mutant
    fate: Fate
    milliseconds: float

    @property
    def operator(self) -> str:
        """The operator that made the mutant, or that nobody but a person did."""
        return self.mutant.site.operator if isinstance(self.mutant, SampledMutant) else BY_HAND


def mutant_named(name: str) -> Mutant:
    """The mutant with this name, drawn or kept by hand. Raises `UnknownSite`."""
    return BY_NAME.get(name) or named(name)


def noticed(
    mutants: Sequence[Mutant],
    seed: int,
    most: int,
    in_reference: bool,
    done: Callable[[str], None],
    scope: Scope = EVERYTHING,
) -> list[Noticed]:
    """What becomes of each mutant, worked out on all cores; `done` hears of each."""
    by_chapter: dict[str, list[Job]] = {}
    for mutant in mutants:
        job = Job(mutant.name, seed, most, in_reference, scope)
        by_chapter.setdefault(mutant.chapter, []).append(job)
    groups = [
        jobs[start : start + GROUP]
        for jobs in by_chapter.values()
        for start in range(0, len(jobs), GROUP)
    ]
    outcomes = results(fate_of, groups, lambda job: done(job.name), endless=endless)
    found = dict(zip([job.name for group in groups for job in group], outcomes, strict=True))
    return [Noticed(mutant, *found[mutant.name]) for mutant in mutants]


def fate_of(job: Job) -> tuple[Fate, float]:
    """What becomes of a mutant, and in how many milliseconds."""
    began, mutant = time.perf_counter(), mutant_named(job.name)
    if job.in_reference:
        fate = in_reference(mutant, job.seed, job.most)
    else:
        fate = follow(mutant, InSubject(mutant, job.scope), job.seed, job.most, scope=job.scope)
    if fate.by is None and fate.difference is not None:
        fate = replace(fate, difference=smaller(mutant, fate.difference, job.seed))
    return fate, 1000 * (time.perf_counter() - began)


def endless(_: Job) -> tuple[Fate, float]:
    """What becomes of a mutant that goes on inside one operation: its process was ended, and with
    it is lost on which trial that was. It took so long at least.
    """
    fate = Fate(NO_END, "its process had to be ended", "", 0, 0, None)
    return fate, 1000 * (SECONDS + GRACE)


def in_reference(mutant: Mutant, seed: int, most: int) -> Fate:
    """What becomes of a mutant in the reference itself: a few trials, then the cases, the
    worked examples and the models' cross-checks, then the other trials.
    """
    way, few = InReference(mutant), min(FIRST, most)
    first = follow(mutant, way, seed, few)
    if first.by is not None:
        return first
    for kept in (kept_cases, kept_examples, kept_models):
        if (found := against(mutant, kept())) is not None:
            return Fate(*found, "", first.trials, first.tried, first.difference)
    rest = follow(mutant, way, seed, most, few)
    differences = [d for d in (first.difference, rest.difference) if d is not None]
    smallest = min(differences, key=lambda d: d.size, default=None)
    trials, tried = first.trials + rest.trials, first.tried + rest.tried
    return Fate(rest.by, rest.sentence, rest.question, trials, tried, smallest)


def counted(scores: Iterable[Noticed], key: Callable[[Noticed], str]) -> dict[str, tuple[int, int]]:
    """How many were noticed, of how many, for each value of a key, in order of appearance."""
    every, seen = Counter[str](), Counter[str]()
    for score in scores:
        every[key(score)] += 1
        seen[key(score)] += score.fate.by is not None
    return {value: (seen[value], every[value]) for value in every}
