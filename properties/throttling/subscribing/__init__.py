"""How often a consumer may subscribe."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.throttling.subscribing import generator, trial

SUBSCRIBING: Final = Question(
    "throttling.subscribing",
    trial.SubscribingTrial,
    trial.SubscribingAnswer,
    generator.subscribing_trial,
    trial.answer_subscribing,
    trial.subscribing_labels,
    commands="commands",
)
QUESTIONS: Final = (SUBSCRIBING,)
