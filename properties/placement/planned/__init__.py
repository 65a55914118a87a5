"""AvgShedder as a placement strategy."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from evenkeel.properties.placement.asks import AsksAnswer
from evenkeel.properties.placement.planned.generator import planned_trial
from evenkeel.properties.placement.planned.trial import (
    PlannedTrial,
    answer_planned,
    planned_labels,
)
from evenkeel.properties.question import Question

AVG_SHEDDER: Final = Question(
    "placement.avg_shedder",
    PlannedTrial,
    AsksAnswer,
    planned_trial,
    answer_planned,
    planned_labels,
    commands=attrgetter("commands"),
)
QUESTIONS: Final = (AVG_SHEDDER,)
