"""Apache Pulsar's own classes obey the edition that models them, where the adapter is built."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from evenkeel.harness.check import Part, blocks_of
from evenkeel.harness.seeded import run_block
from evenkeel.harness.subjects.base import Subject, offers
from evenkeel.harness.subjects.process import ProcessSubject, SubjectUnusable
from evenkeel.harness.subjects.pulsar import ADAPTER, is_built
from evenkeel.harness.tally import Tally
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.sweeps.sweep import Outcome, Plan, Sweep, objections_to


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


@cache
def opened() -> Subject | SubjectUnusable:
    """The adapter, for as long as this process runs."""
    try:
        return ProcessSubject([str(ADAPTER / "run")])
    except SubjectUnusable as unusable:
        return unusable


def work(job: Job) -> Outcome:
    """Put the trials of a question, if it is one that the adapter answers."""
    question, subject = QUESTIONS[job.question], opened()
    if isinstance(subject, SubjectUnusable):
        return Outcome(question.chapter, 0, unknown=(str(subject),))
    if not offers(subject, job.question):
        return Outcome(question.chapter, 0)
    tally = Tally()
    for block in blocks_of([Part(question, job.trials)], job.seed):
        tally.merge(run_block(block, subject, PULSAR_4_0))
    held = {clause for clause, status in tally.verdicts if status == "holds"}
    return Outcome(
        question.chapter,
        tally.trials[job.question],
        tuple(objections_to(subject.name, tally, PULSAR_4_0.name, str(ADAPTER / "run"))),
        tuple(f"{subject.name} on {job.question}: {reason}" for _, reason in tally.errored),
        len(held),
    )


SWEEP: Final = Sweep(
    "Apache Pulsar",
    "trials",
    "Apache Pulsar obeys {amount} checks of PULSAR_4_0 in {passed} trials",
    groups,
    work,
    left_out=left_out,
)
