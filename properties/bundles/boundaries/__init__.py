"""The boundaries that divide a namespace, and those that it is created with."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.bundles.boundaries import generator, trial
from evenkeel.properties.question import Question

BOUNDARIES: Final = Question(
    "bundles.boundaries",
    trial.BoundariesTrial,
    trial.BoundariesAnswer,
    generator.boundaries_trial,
    trial.answer_boundaries,
    trial.boundaries_labels,
)
CREATION: Final = Question(
    "bundles.creation",
    trial.CreationTrial,
    trial.CreationAnswer,
    generator.creation_trial,
    trial.answer_creation,
    trial.creation_labels,
)
QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (BOUNDARIES, CREATION)
