"""The reference of each base edition obeys every clause of it, and every clause is exercised; that
of any other obeys those of the questions in which it differs from its parent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.harness.check import Part, blocks_of
from evenkeel.harness.seeded import run_block
from evenkeel.harness.subjects.local import ReferenceSubject
from evenkeel.harness.tally import Tally
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.reference.edition import BASE_EDITIONS, EDITIONS, LINES
from evenkeel.sweeps.sweep import Outcome, Plan, Sweep, objections_to, outcome

TRIALS: Final = 1200
"""Least number of trials of each question, whatever the profile."""
OF_A_LINE: Final = 300
"""Number of trials of a question in which a released line differs from its parent."""


@dataclass(frozen=True, slots=True)
class Job:
    """A number of trials of one question, put to the reference of one edition."""

    question: str
    edition: str
    seed: int
    trials: int


def groups(plan: Plan) -> list[list[Job]]:
    """A job for each question and base edition, and for what differs in the others."""
    return [
        [Job(name, edition, plan.seed, max(TRIALS, plan.amounts.trials(question)))]
        for edition in BASE_EDITIONS
        for name, question in QUESTIONS.items()
    ] + [
        [Job(name, line.name, plan.seed, OF_A_LINE)]
        for line in LINES.values()
        for name in sorted({name for change in line.changes for name in change.questions})
    ]


def work(job: Job) -> Outcome:
    """The trials of a question."""
    question, edition = QUESTIONS[job.question], EDITIONS[job.edition]
    subject, tally = ReferenceSubject(edition), Tally()
    for block in blocks_of([Part(question, job.trials)], job.seed):
        tally.merge(run_block(block, subject, edition))
    return outcome(question.chapter, *objections(tally, job), passed=job.trials)


def objections(tally: Tally, job: Job) -> list[str]:
    """What the clauses say against the reference, and which of them say nothing."""
    where = f"{job.question} in {job.edition}"
    found = objections_to("the reference", tally, job.edition, "reference")
    for counts, what in ((tally.errored, "no answer"), (tally.skipped, "skipped")):
        found += [f"{where}: {what}: {reason}" for _, reason in counts]
    for clause in clauses_for(job.question, EDITIONS[job.edition]):
        if tally.verdicts[clause.id, "undecided"]:
            found.append(f"{clause.id} stays undecided on {where}")
        if job.edition in BASE_EDITIONS and not tally.verdicts[clause.id, "holds"]:
            found.append(f"{clause.id} is not exercised on {where}")
    return found


SWEEP: Final = Sweep(
    "clauses",
    "trials",
    "the reference obeys and exercises every clause of the base editions in {passed} trials",
    groups,
    work,
)
