"""What settings are if nobody sets them."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.balancing.defaults import generator, trial
from evenkeel.properties.question import Question

DEFAULTS: Final = Question(
    "balancing.defaults",
    trial.DefaultsTrial,
    trial.DefaultsAnswer,
    generator.defaults_trial,
    trial.answer_defaults,
    trial.defaults_labels,
)
QUESTIONS: Final = (DEFAULTS,)
