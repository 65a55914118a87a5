"""LeastLongTermMessageRate."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.placement.asks import ChoicesAnswer
from evenkeel.properties.placement.message_rate import generator, trial
from evenkeel.properties.question import Question

MESSAGE_RATE: Final = Question(
    "placement.least_long_term_message_rate",
    trial.MessageRateTrial,
    ChoicesAnswer,
    generator.message_rate_trial,
    trial.answer_message_rate,
    trial.message_rate_labels,
)
QUESTIONS: Final = (MESSAGE_RATE,)
