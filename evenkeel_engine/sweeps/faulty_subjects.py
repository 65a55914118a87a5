"""Subjects that do nothing, refuse, break, or obey all commands but one are violated."""

from __future__ import annotations

from typing import Final

from evenkeel_engine.content import BASE_EDITIONS
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.mutation.scoring.score_faulty import FaultyJob, faulty_score, reason_to_survive
from evenkeel_engine.sweeps.sweep import SEED, JobOutcome, Sweep, make_outcome

TRIALS: Final = 400


def check_subjects(question: str) -> JobOutcome:
    """A survivor needs a reason at its question, and a reason needs a survivor."""
    editions = [name for name, one in BASE_EDITIONS.items() if clauses_for(question, one)]
    stood = [i for name in editions for i in faulty_score(FaultyJob(question, name, SEED, TRIALS))]
    survived = {i.subject for i in stood if i.clause is None}
    known = set(QUESTIONS[question].exempt.subjects)
    failures = [
        f"no clause objects to a subject that {one} on {question}"
        for one in sorted(survived)
        if reason_to_survive(question, one) is None
    ]
    failures += [
        f"a clause objects to a subject that {one} on {question}, which is listed as a survivor"
        for one in sorted(known - survived)
    ]
    if not stood:
        failures.append(f"{question} has no faulty subjects")
    violated = sum(i.clause is not None for i in stood)
    return make_outcome(QUESTIONS[question].chapter, *failures, passed=violated, amount=len(stood))


SWEEP: Final = Sweep(
    "faulty subjects",
    "faulty subjects",
    "{passed} of {amount} faulty subjects are violated, all but the known survivors",
    lambda _: [[question] for question in QUESTIONS],
    check_subjects,
)
