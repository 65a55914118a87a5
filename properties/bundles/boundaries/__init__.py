"""The boundaries that divide a namespace, and those that it is created with."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.bundles.boundaries.generator import boundaries_trial, creation_trial
from evenkeel.properties.bundles.boundaries.trial import (
    BoundariesAnswer,
    BoundariesTrial,
    CreationAnswer,
    CreationTrial,
    answer_boundaries,
    answer_creation,
    boundaries_labels,
    creation_labels,
)
from evenkeel.properties.question import Question

BOUNDARIES: Final = Question(
    "bundles.boundaries",
    BoundariesTrial,
    BoundariesAnswer,
    boundaries_trial,
    answer_boundaries,
    boundaries_labels,
)
CREATION: Final = Question(
    "bundles.creation",
    CreationTrial,
    CreationAnswer,
    creation_trial,
    answer_creation,
    creation_labels,
)
QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (BOUNDARIES, CREATION)
