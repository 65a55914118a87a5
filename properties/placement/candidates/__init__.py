"""The candidates of both managers: isolation, filters, the second choice."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.kit.question import Question
from evenkeel.properties.placement.candidates import trials as generator
from evenkeel.properties.placement.candidates import trials as trial

CANDIDATES: Final = Question(
    "placement.candidates",
    trial.CandidatesTrial,
    trial.CandidatesAnswer,
    generator.candidates_trial,
    trial.answer_candidates,
    trial.candidates_labels,
)
FILTERS: Final = Question(
    "placement.filters",
    trial.FiltersTrial,
    trial.CandidatesAnswer,
    generator.filters_trial,
    trial.answer_filters,
    trial.candidates_labels,
)
QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (CANDIDATES, FILTERS)
