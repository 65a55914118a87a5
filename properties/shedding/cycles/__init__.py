"""The cycles around the extensible manager's strategy."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.shedding.cycles.generator import cycles_trial
from evenkeel.properties.shedding.cycles.trial import (
    CyclesAnswer,
    CyclesTrial,
    answer_cycles,
    cycles_labels,
)

CYCLES: Final = Question(
    "shedding.cycles",
    CyclesTrial,
    CyclesAnswer,
    cycles_trial,
    answer_cycles,
    cycles_labels,
    commands="cycles",
)
QUESTIONS: Final = (CYCLES,)
