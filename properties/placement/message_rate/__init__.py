"""LeastLongTermMessageRate."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.placement.asks import ChoicesAnswer
from evenkeel.properties.placement.message_rate.generator import message_rate_trial
from evenkeel.properties.placement.message_rate.trial import (
    MessageRateTrial,
    answer_message_rate,
    message_rate_labels,
)
from evenkeel.properties.question import Question

MESSAGE_RATE: Final = Question(
    "placement.least_long_term_message_rate",
    MessageRateTrial,
    ChoicesAnswer,
    message_rate_trial,
    answer_message_rate,
    message_rate_labels,
)
QUESTIONS: Final = (MESSAGE_RATE,)
