"""RoundRobinBrokerSelector."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.placement.asks import AsksAnswer
from evenkeel.properties.placement.round_robin import generator, trial
from evenkeel.properties.question import Question

ROUND_ROBIN: Final = Question(
    "placement.round_robin",
    trial.RoundRobinTrial,
    AsksAnswer,
    generator.round_robin_trial,
    trial.answer_round_robin,
    trial.round_robin_labels,
)
QUESTIONS: Final = (ROUND_ROBIN,)
