"""Hash ranges and their names."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.bundles.ranges.generator import range_trial
from evenkeel.properties.bundles.ranges.trial import (
    RangeAnswer,
    RangeTrial,
    answer_range,
    range_labels,
)
from evenkeel.properties.question import Question

RANGE: Final = Question(
    "bundles.range", RangeTrial, RangeAnswer, range_trial, answer_range, range_labels
)
QUESTIONS: Final = (RANGE,)
