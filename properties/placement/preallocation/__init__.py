"""What the modular manager's leader remembers of the bundles that it gave away."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from evenkeel.properties.placement.asks import AsksAnswer
from evenkeel.properties.placement.preallocation.generator import preallocation_trial
from evenkeel.properties.placement.preallocation.trial import (
    PreallocationTrial,
    answer_preallocation,
    preallocation_labels,
)
from evenkeel.properties.question import Question

PREALLOCATION: Final = Question(
    "placement.preallocation",
    PreallocationTrial,
    AsksAnswer,
    preallocation_trial,
    answer_preallocation,
    preallocation_labels,
    commands=attrgetter("commands"),
)
QUESTIONS: Final = (PREALLOCATION,)
