"""LeastResourceUsageWithWeight of both managers."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final

from evenkeel.properties.placement.asks import AsksAnswer, ChoicesAnswer
from evenkeel.properties.placement.resource_usage.generator import (
    extensible_usage_trial,
    modular_usage_trial,
)
from evenkeel.properties.placement.resource_usage.trial import (
    ExtensibleUsageTrial,
    ModularUsageTrial,
    answer_extensible_usage,
    answer_modular_usage,
    extensible_usage_labels,
    modular_usage_labels,
)
from evenkeel.properties.question import Question

MODULAR_USAGE: Final = Question(
    "placement.least_resource_usage_modular",
    ModularUsageTrial,
    AsksAnswer,
    modular_usage_trial,
    answer_modular_usage,
    modular_usage_labels,
    commands=attrgetter("commands"),
)
EXTENSIBLE_USAGE: Final = Question(
    "placement.least_resource_usage_extensible",
    ExtensibleUsageTrial,
    ChoicesAnswer,
    extensible_usage_trial,
    answer_extensible_usage,
    extensible_usage_labels,
)
QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (MODULAR_USAGE, EXTENSIBLE_USAGE)
