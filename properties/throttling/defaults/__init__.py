"""The defaults of throttling's keys, as a subject has them."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.throttling.defaults import generator, trial

DEFAULT: Final = Question(
    "throttling.default",
    trial.DefaultTrial,
    trial.DefaultAnswer,
    generator.default_trial,
    trial.answer_default,
    trial.default_labels,
)
QUESTIONS: Final = (DEFAULT,)
