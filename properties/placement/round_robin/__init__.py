"""RoundRobinBrokerSelector."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.placement.asks import AsksAnswer
from evenkeel.properties.placement.round_robin.generator import round_robin_trial
from evenkeel.properties.placement.round_robin.trial import (
    RoundRobinTrial,
    answer_round_robin,
    round_robin_labels,
)
from evenkeel.properties.question import Question

ROUND_ROBIN: Final = Question(
    "placement.round_robin",
    RoundRobinTrial,
    AsksAnswer,
    round_robin_trial,
    answer_round_robin,
    round_robin_labels,
)
QUESTIONS: Final = (ROUND_ROBIN,)
