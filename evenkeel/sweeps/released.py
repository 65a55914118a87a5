"""Apache Pulsar's own classes answer as the edition that models them, or otherwise and within its
clauses, where the adapter is built.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.harness import agreement
from evenkeel.harness.seeded import Block
from evenkeel.harness.subjects.base import offers
from evenkeel.harness.subjects.process import SubjectUnusable
from evenkeel.harness.subjects.pulsar import is_built, lines
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.sweeps.sweep import Outcome, Plan, Sweep


@dataclass(frozen=True, slots=True)
class Job:
    """A number of trials of one question."""

    question: str
    seed: int
    trials: int


def left_out() -> str:
    """Why there is nothing to do, if so."""
    return "" if is_built() else "the adapter is not built (`make adapter` needs Maven)"


def groups(plan: Plan) -> list[list[Job]]:
    """A job for each question."""
    return [
        [Job(name, plan.seed, plan.amounts.trials(question))]
        for name, question in QUESTIONS.items()
    ]


def work(job: Job) -> Outcome:
    """Put the trials of a question to the default line, if it is one that the adapter answers.

    `clauses` judges what the reference answers to the same trials.
    """
    chapter, (release, *_) = QUESTIONS[job.question].chapter, lines()
    block = Block(job.question, job.seed, 0, job.trials)
    try:
        if not offers(agreement.opened(release), job.question):
            return Outcome(chapter, 0)
        found = agreement.work(agreement.Job(block, (release,)))
    except SubjectUnusable as unusable:
        return Outcome(chapter, 0, unknown=(str(unusable),))
    failures = [str(one) for one in found.open if one.word != agreement.ERRORED]
    unknown = [str(one) for one in found.open if one.word == agreement.ERRORED]
    counts = found.counts[release]
    return Outcome(chapter, counts.total(), (*failures,), (*unknown,), counts[agreement.SAME])


SWEEP: Final = Sweep(
    "Apache Pulsar",
    "trials",
    "Apache Pulsar obeys PULSAR_4_0 in {passed} trials, and answers {amount} as the reference",
    groups,
    work,
    left_out=left_out,
)
