"""The reference of each base edition obeys every clause of it, and every clause is exercised; that
of any other obeys those of the questions in which it differs from its parent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.harness.check import Part, blocks_of
from evenkeel.harness.seeded import make_trial, run_block
from evenkeel.harness.subjects.local import ReferenceSubject
from evenkeel.harness.tally import Tally
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.codec import from_json, to_json
from evenkeel.reference.edition import BASE_EDITIONS, EDITIONS, LINES
from evenkeel.sweeps.sweep import Outcome, Plan, Sweep, outcome

TRIALS: Final = 1200
"""Least number of trials of each question, whatever the profile."""
OF_A_LINE: Final = 300
"""Number of trials of a question in which a released line differs from its parent."""
READ_AGAIN: Final = 200
"""Number of trials and answers that are read from their JSON again."""


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
    """The trials of a question. Records are frozen and trials are checked, unlike in a check."""
    question, edition = QUESTIONS[job.question], EDITIONS[job.edition]
    subject, tally = ReferenceSubject(edition), Tally()
    for block in blocks_of([Part(question, job.trials)], job.seed):
        tally.merge(run_block(block, subject, edition))
    failures = [*objections(tally, job), *misread(job)]
    return outcome(question.chapter, *failures, passed=job.trials)


def objections(tally: Tally, job: Job) -> list[str]:
    """What the clauses say against the reference, and which of them say nothing."""
    where = f"{job.question} in {job.edition}"
    found = [
        f"{one.clause} objects to the reference on {where}: {one.sentence} "
        f"({one.replay_command(job.edition, 'reference')})"
        for one in tally.smallest.values()
    ]
    for counts, what in ((tally.errored, "no answer"), (tally.skipped, "skipped")):
        found += [f"{where}: {what}: {reason}" for _, reason in counts]
    for clause in clauses_for(job.question, EDITIONS[job.edition]):
        if tally.verdicts[clause.id, "undecided"]:
            found.append(f"{clause.id} stays undecided on {where}")
        if job.edition in BASE_EDITIONS and not tally.verdicts[clause.id, "holds"]:
            found.append(f"{clause.id} is not exercised on {where}")
    return found


def misread(job: Job) -> list[str]:
    """Trials and answers that are not the same when they are read from their JSON again."""
    question, edition, found = QUESTIONS[job.question], EDITIONS[job.edition], []
    for index in range(READ_AGAIN):
        trial = make_trial(question, job.seed, index)
        answer = question.observe(trial, edition)
        place = f"{job.question}@{job.seed}:{index}"
        if from_json(question.trial_type, to_json(trial)) != trial:
            found.append(f"{place} is another trial when it is read from JSON")
        if isinstance(answer, question.answer_type):
            again = from_json(question.answer_type, to_json(answer))
            if again != answer:
                found.append(f"{place}: the answer of {job.edition} is another one from JSON")
    return found


SWEEP: Final = Sweep(
    "clauses",
    "trials",
    "the reference obeys and exercises every clause of the base editions in {passed} trials",
    groups,
    work,
    frozen=True,
)
