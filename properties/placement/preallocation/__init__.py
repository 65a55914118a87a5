"""What the modular manager's leader remembers of the bundles that it gave away."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.placement.asks import AsksAnswer
from evenkeel.properties.placement.preallocation import generator, trial
from evenkeel.properties.question import Question

PREALLOCATION: Final = Question(
    "placement.preallocation",
    trial.PreallocationTrial,
    AsksAnswer,
    generator.preallocation_trial,
    trial.answer_preallocation,
    trial.preallocation_labels,
    commands="commands",
)
QUESTIONS: Final = (PREALLOCATION,)
