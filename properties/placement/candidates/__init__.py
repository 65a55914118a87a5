"""The candidates of both managers: isolation, filters, the second choice."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.placement.candidates.generator import candidates_trial, filters_trial
from evenkeel.properties.placement.candidates.trial import (
    CandidatesAnswer,
    CandidatesTrial,
    FiltersTrial,
    answer_candidates,
    answer_filters,
    candidates_labels,
)
from evenkeel.properties.question import Question

CANDIDATES: Final = Question(
    "placement.candidates",
    CandidatesTrial,
    CandidatesAnswer,
    candidates_trial,
    answer_candidates,
    candidates_labels,
)
FILTERS: Final = Question(
    "placement.filters",
    FiltersTrial,
    CandidatesAnswer,
    filters_trial,
    answer_filters,
    candidates_labels,
)
QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (CANDIDATES, FILTERS)
