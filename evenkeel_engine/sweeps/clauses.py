"""The reference of each base edition obeys every clause of it, and every clause is exercised; that
of any other obeys those of the questions in which it differs from its parent.
"""

from __future__ import annotations

from typing import Final

from evenkeel_engine.check.seeded import Block, run_block
from evenkeel_engine.check.tally import Tally
from evenkeel_engine.content import BASE_EDITIONS, EDITIONS, LINES
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.subjects.local import ReferenceSubject
from evenkeel_engine.sweeps.sweep import JobOutcome, QuestionJob, Sweep, SweepPlan, make_outcome

MORE: Final = 5
"""Factor of the trials that a question may take until every clause is exercised."""
OF_A_LINE: Final = 5
"""Divisor of the trials of a question in which a released line differs from its parent."""


def list_jobs(plan: SweepPlan) -> list[list[QuestionJob]]:
    """A job for each question and base edition, and for what differs in the others."""
    trials = {name: plan.amounts.count_trials(one) for name, one in QUESTIONS.items()}
    jobs = [
        QuestionJob(name, edition, plan.seed, trials[name])
        for edition in BASE_EDITIONS
        for name in QUESTIONS
    ]
    for line in LINES.values():
        names = sorted({name for change in line.changes for name in change.questions})
        jobs += (QuestionJob(one, line.name, plan.seed, trials[one] // OF_A_LINE) for one in names)
    return [[job] for job in jobs]


def check_clauses(job: QuestionJob) -> JobOutcome:
    """The trials of a question, and more of them while a clause is not exercised."""
    question, edition = QUESTIONS[job.question], EDITIONS[job.edition]
    subject, tally = ReferenceSubject(edition), Tally()
    for start in range(0, MORE * job.trials, job.trials):
        tally.merge(run_block(Block(job.question, job.seed, start, job.trials), subject, edition))
        if not find_unexercised(tally, job):
            break
    return make_outcome(
        question.chapter, *find_reference_objections(tally, job), passed=tally.trials.total()
    )


def find_unexercised(tally: Tally, job: QuestionJob) -> list[str]:
    """The clauses of a base edition that held in no trial."""
    if job.edition not in BASE_EDITIONS:
        return []
    clauses = clauses_for(job.question, EDITIONS[job.edition])
    return [clause.id for clause in clauses if not tally.verdicts[clause.id, "holds"]]


def find_reference_objections(tally: Tally, job: QuestionJob) -> list[str]:
    """What the clauses say against the reference, and which of them say nothing."""
    where = f"{job.question} in {job.edition}"
    found = [
        f"{one.clause} objects to the reference on {one.question} in {job.edition}: {one.sentence} "
        f"({one.replay_command(job.edition, 'reference')})"
        for one in tally.smallest.values()
    ]
    for counts, what in ((tally.errored, "no answer"), (tally.skipped, "skipped")):
        found += [f"{where}: {what}: {reason}" for _, reason in counts]
    for clause in clauses_for(job.question, EDITIONS[job.edition]):
        if tally.verdicts[clause.id, "undecided"]:
            found.append(f"{clause.id} stays undecided on {where}")
    return found + [f"{id_} is not exercised on {where}" for id_ in find_unexercised(tally, job)]


SWEEP: Final = Sweep(
    "clauses",
    "trials",
    "the reference obeys and exercises every clause of the base editions in {passed} trials",
    list_jobs,
    check_clauses,
)
