"""LeastResourceUsageWithWeight of both managers."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.placement.asks import AsksAnswer, ChoicesAnswer
from evenkeel.properties.placement.resource_usage import generator, trial
from evenkeel.properties.question import Question

MODULAR_USAGE: Final = Question(
    "placement.least_resource_usage_modular",
    trial.ModularUsageTrial,
    AsksAnswer,
    generator.modular_usage_trial,
    trial.answer_modular_usage,
    trial.modular_usage_labels,
    commands="commands",
)
EXTENSIBLE_USAGE: Final = Question(
    "placement.least_resource_usage_extensible",
    trial.ExtensibleUsageTrial,
    ChoicesAnswer,
    generator.extensible_usage_trial,
    trial.answer_extensible_usage,
    trial.extensible_usage_labels,
)
QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (MODULAR_USAGE, EXTENSIBLE_USAGE)
