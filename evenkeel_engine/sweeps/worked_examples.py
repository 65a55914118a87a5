"""Worked examples, and with them what else runs on mutants of the reference itself: all of
it is right of the reference as it is, also while its statements are noted.
"""

from __future__ import annotations

from typing import Final

from evenkeel_engine import spec
from evenkeel_engine.check import worked_examples
from evenkeel_engine.mutation.scoring.stored_checks import (
    StoredChecks,
    model_items,
    stored_examples,
    stored_models,
)
from evenkeel_engine.sweeps.sweep import JobOutcome, Sweep, SweepPlan, make_outcome

EXAMPLES, MODELS = "worked examples", "cross-checks and small graphs"


def list_jobs(_: SweepPlan) -> list[list[str]]:
    """A job for each kind, and one for the examples of each chapter."""
    return [[MODELS], [EXAMPLES, *spec.CHAPTERS]]


def check_examples(job: str) -> JobOutcome:
    """The examples of a chapter, or all stored checks of a kind."""
    if job in spec.CHAPTERS:
        found = [
            one
            for one in worked_examples.read_shipped()
            if spec.find_clause(one.clause).chapter == job
        ]
        problems = [problem for one in found if (problem := one.problem())]
        return make_outcome(job, *problems, passed=len(found))
    checks, of = checks_of(job)
    sound = len(checks.items)
    wrong = [] if sound == of else [f"{of - sound} {job} are wrong"]
    return make_outcome("", *wrong, passed=0)


def checks_of(kind: str) -> tuple[StoredChecks, int]:
    """Those with which nothing is wrong, and how many there are."""
    if kind == EXAMPLES:
        return stored_examples(), len(worked_examples.read_shipped())
    return stored_models(), len(list(model_items()))


SWEEP: Final = Sweep(
    "worked examples",
    "examples",
    "the reference answers {passed} worked examples as written down",
    list_jobs,
    check_examples,
)
