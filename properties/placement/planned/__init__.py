"""AvgShedder as a placement strategy."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.placement.asks import AsksAnswer
from evenkeel.properties.placement.planned import generator, trial
from evenkeel.properties.question import Question

AVG_SHEDDER: Final = Question(
    "placement.avg_shedder",
    trial.PlannedTrial,
    AsksAnswer,
    generator.planned_trial,
    trial.answer_planned,
    trial.planned_labels,
    commands="commands",
)
QUESTIONS: Final = (AVG_SHEDDER,)
