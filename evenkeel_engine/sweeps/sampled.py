"""Mutants sampled by seed: survivors are only counted. What is listed as equivalent, or as a
survivor, is killed by no check; and worked examples kill what no question runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel_engine.check.pool import group_jobs
from evenkeel_engine.mutation.equivalents import read_equivalents, read_survivors, read_unasked
from evenkeel_engine.mutation.sampled import find_mutant, mutant_of
from evenkeel_engine.mutation.sampled import sample_mutants as sample
from evenkeel_engine.mutation.scoring.detection import InReference, follow
from evenkeel_engine.mutation.scoring.score_sampled import GROUP, outcome_of
from evenkeel_engine.mutation.scoring.score_sampled import SampledJob as Trial
from evenkeel_engine.mutation.scoring.stored_checks import find_failing, stored_examples
from evenkeel_engine.mutation.sites import all_sites
from evenkeel_engine.sweeps.sweep import SEED, JobOutcome, Sweep, SweepPlan, make_outcome

EQUIVALENT_TRIALS: Final = 20
FEW: Final = 5
EACH: Final = 8
"""Every eighth survivor is tried."""


def chapter_of(site: str) -> str:
    """The chapter of the function that a mutant changes; `common` for what belongs to none."""
    parts = site.partition(":")[0].split("/")
    return parts[1] if len(parts) > 2 else "common"


def sampled_groups(plan: SweepPlan) -> list[list[Trial]]:
    """The number of mutants that the profile says."""
    most = plan.amounts.sampled_trials
    names = [mutant.name for mutant in sample(plan.seed, plan.amounts.sampled)]
    jobs = [Trial(name, plan.seed, most, in_reference=False) for name in names]
    return group_jobs(jobs, lambda job: chapter_of(job.name), GROUP)


def check_sampled(job: Trial) -> JobOutcome:
    """What becomes of a mutant; the amount is 1, killed or not."""
    fate, _ = outcome_of(job)
    return JobOutcome(chapter_of(job.name), int(fate.by is not None), amount=1)


def check_endless(job: Trial) -> JobOutcome:
    """One that does not end inside one operation is killed."""
    return JobOutcome(chapter_of(job.name), 1, amount=1)


@dataclass(frozen=True, slots=True)
class Listed:
    """A mutant on one of the lists; or a module that no question runs."""

    name: str
    why: str


def listed_groups(_: SweepPlan) -> list[list[Listed]]:
    """The equivalents by chapter; the others in one process, which keeps the worked examples."""
    same = [Listed(name, "equivalent") for name in sorted(read_equivalents())]
    kept = [Listed(name, "survivor") for name in read_survivors()]
    tried = [Listed(name, "tried") for name in list(read_survivors())[::EACH]]
    modules = [Listed(path, "unasked") for path in read_unasked()]
    return [[*modules, *kept, *tried], *group_jobs(same, lambda job: chapter_of(job.name), GROUP)]


def check_listed(job: Listed) -> JobOutcome:
    """What kills a mutant, and should not, or the other way round."""
    chapter = chapter_of(job.name)
    if job.why == "unasked":
        inside = [mutant_of(site) for site in all_sites() if site.function.path == job.name]
        changed = [one for one in inside if one.name not in read_equivalents()]
        missed = [one.name for one in changed if find_failing(one, stored_examples()) is None]
        return make_outcome(chapter, *(f"no worked example kills {one}" for one in missed))
    if job.why == "equivalent":
        fate, _ = outcome_of(Trial(job.name, SEED, EQUIVALENT_TRIALS, in_reference=False))
        differs = f"another answer of {fate.difference.question}" if fate.difference else None
        return as_listed(job, fate.by or differs)
    mutant = find_mutant(job.name)
    if job.why == "survivor":
        noted = find_failing(mutant, stored_examples())
        by = None if noted is None else noted[0]
    else:
        by = follow(InReference(mutant), SEED, FEW).by
    return as_listed(job, by)


def as_listed(job: Listed, by: str | None) -> JobOutcome:
    """A mutant on a list, and what shows that it does not belong there, if anything does."""
    kind = "equivalent" if job.why == "equivalent" else "a survivor"
    message = f"{job.name} is listed as {kind}, and shown by: {by}"
    return make_outcome(chapter_of(job.name), *([] if by is None else [message]))


SAMPLED: Final = Sweep(
    "sampled mutants",
    "sampled mutants",
    "{passed} of {amount} sampled mutants killed",
    sampled_groups,
    check_sampled,
    check_endless,
)
LISTED: Final = Sweep(
    "listed mutants",
    "listed mutants",
    "{passed} equivalents, survivors and modules that no question runs are as they are listed",
    listed_groups,
    check_listed,
)
