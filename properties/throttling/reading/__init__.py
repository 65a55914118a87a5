"""How much a dispatcher reads, given what is left of every quota."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.throttling.reading import generator, trial

READ_LIMITS: Final = Question(
    "throttling.read_limits",
    trial.ReadLimitsTrial,
    trial.ReadLimitsAnswer,
    generator.read_limits_trial,
    trial.answer_read_limits,
    trial.read_limits_labels,
)
QUESTIONS: Final = (READ_LIMITS,)
