"""ThresholdShedder: brokers far above the average usage give bundles away."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.shedding.rounds import SheddingAnswer
from evenkeel.properties.shedding.threshold.generator import threshold_trial
from evenkeel.properties.shedding.threshold.trial import (
    ThresholdTrial,
    answer_threshold,
    threshold_labels,
)

THRESHOLD: Final = Question(
    "shedding.threshold",
    ThresholdTrial,
    SheddingAnswer,
    threshold_trial,
    answer_threshold,
    threshold_labels,
    commands="rounds",
)
QUESTIONS: Final = (THRESHOLD,)
