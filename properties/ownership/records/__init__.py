"""The records of the ownership channel: which state may follow, and which record stands."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.ownership.records import generator, trial
from evenkeel.properties.question import Question

TRANSITION: Final = Question(
    "ownership.transition",
    trial.TransitionTrial,
    trial.TransitionAnswer,
    generator.transition_trial,
    trial.answer_transition,
    trial.transition_labels,
)
CONFLICT: Final = Question(
    "ownership.conflict",
    trial.ConflictTrial,
    trial.ConflictAnswer,
    generator.conflict_trial,
    trial.answer_conflict,
    trial.conflict_labels,
)
QUESTIONS: Final = (TRANSITION, CONFLICT)
