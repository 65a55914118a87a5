"""Hash ranges and their names."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.bundles.ranges import generator, trial
from evenkeel.properties.question import Question

RANGE: Final = Question(
    "bundles.range",
    trial.RangeTrial,
    trial.RangeAnswer,
    generator.range_trial,
    trial.answer_range,
    trial.range_labels,
)
QUESTIONS: Final = (RANGE,)
