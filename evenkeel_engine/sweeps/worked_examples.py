"""Worked examples, and with them what else runs on mutants of the reference itself: all of
it is right of the reference as it is, also while its statements are noted.
"""

from __future__ import annotations

from typing import Final

from evenkeel_engine import spec
from evenkeel_engine.check import worked_examples
from evenkeel_engine.mutation.scoring.stored_checks import (
    model_items,
    stored_examples,
    stored_models,
)
from evenkeel_engine.sweeps.sweep import JobOutcome, Sweep, make_outcome

EXAMPLES, MODELS = "worked examples", "cross-checks and small graphs"


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
    if job == EXAMPLES:
        sound, every = stored_examples(), len(worked_examples.read_shipped())
    else:
        sound, every = stored_models(), len(list(model_items()))
    wrong = every - len(sound.items)
    return make_outcome("", *([f"{wrong} {job} are wrong"] if wrong else []), passed=0)


SWEEP: Final = Sweep(
    "worked examples",
    "examples",
    "the reference answers {passed} worked examples as written down",
    lambda _: [[MODELS], [EXAMPLES, *spec.CHAPTERS]],
    check_examples,
)
