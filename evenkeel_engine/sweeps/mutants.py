"""Mutants written by hand: defects are killed, conforming variants not flagged, and every check
kills something.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel_engine import spec
from evenkeel_engine.check.pool import group_jobs
from evenkeel_engine.mutation.catalogue import BY_NAME, CONFORMING, DEFECTS
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.scoring.kills import idle_checks, is_shown, read_kills
from evenkeel_engine.mutation.scoring.score import NO_ANSWER, score_mutant
from evenkeel_engine.sweeps.sweep import JobOutcome, Sweep, SweepPlan, make_outcome


@dataclass(frozen=True, slots=True)
class KillJob:
    """A mutant and how many trials of each question; or a chapter whose checks must kill."""

    chapter: str
    mutant: str
    seed: int
    most: int


def job_of(mutant: Mutant, plan: SweepPlan) -> KillJob:
    """A mutant with as many trials as the plan has for such."""
    return KillJob(mutant.chapter, mutant.name, plan.seed, plan.amounts.count_tried(mutant))


def defect_groups(plan: SweepPlan) -> list[list[KillJob]]:
    """The defects of a chapter, and its checks."""
    jobs = [job_of(mutant, plan) for mutant in DEFECTS]
    return group_jobs(
        [*jobs, *(KillJob(chapter, "", plan.seed, 0) for chapter in spec.CHAPTERS)],
        lambda job: job.chapter,
    )


def check_killed(job: KillJob) -> JobOutcome:
    """What becomes of a defect, or which checks of a chapter kill nothing."""
    if not job.mutant:
        idle = sorted(idle_checks(job.chapter))
        return make_outcome(
            job.chapter, *(f"{id_} on {on} kills nothing" for id_, on in idle), passed=0
        )
    if any(is_shown(kill) for kill in read_kills() if kill.mutant == job.mutant):
        return make_outcome(job.chapter)
    done = score_mutant(BY_NAME[job.mutant], job.seed, job.most)
    if done.clause is None:
        return make_outcome(job.chapter, f"{job.mutant} survived")
    if done.clause == NO_ANSWER:
        return make_outcome(job.chapter, f"{job.mutant} is killed by no clause: {done.sentence}")
    return make_outcome(job.chapter)


def not_flagged(job: KillJob) -> JobOutcome:
    """What becomes of a conforming variant."""
    done = score_mutant(BY_NAME[job.mutant], job.seed, job.most)
    if done.clause is None:
        return make_outcome(job.chapter)
    return make_outcome(job.chapter, f"{done.clause} flagged {job.mutant}: {done.sentence}")


KILLED: Final = Sweep(
    "mutants",
    "defects killed",
    "{passed} mutants written by hand are killed, and every check kills something",
    defect_groups,
    check_killed,
)
NOT_FLAGGED: Final = Sweep(
    "conforming variants",
    "variants",
    "{passed} conforming variants are not flagged",
    lambda plan: group_jobs(
        [job_of(mutant, plan) for mutant in CONFORMING],
        lambda job: f"{job.chapter} {BY_NAME[job.mutant].edition.name}",
    ),
    not_flagged,
)
