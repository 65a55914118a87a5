"""Generated trials meet the values, sizes and relations that their types allow, but for what is
exempt: the values of a kind that nothing is about, and those that a question lists.
"""

from __future__ import annotations

import re
from typing import Final

from evenkeel.properties.fields import UNMET
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.sweeps.sweep import JobOutcome, Sweep, SweepPlan, make_outcome
from evenkeel_engine.trial_types import met


def groups(_: SweepPlan) -> list[list[str]]:
    """A job for each question."""
    return [[name] for name in QUESTIONS]


def work(name: str) -> JobOutcome:
    """What no trial of a question meets."""
    forms = [*(form for form, _ in UNMET), *QUESTIONS[name].exempt.unmet]

    def is_exempt(one: met.Class) -> bool:
        return any(re.fullmatch(form, ": ".join(one)) for form in forms)

    failures = [
        f"no trial of {name} meets {place}: {words}"
        for place, words in met.find_unmet(name, is_exempt)
    ]
    return make_outcome(QUESTIONS[name].chapter, *failures, amount=len(met.checks_of(name)))


SWEEP: Final = Sweep(
    "values met",
    "questions",
    "trials of {passed} questions meet the {amount} kinds of values that they can have",
    groups,
    work,
)
