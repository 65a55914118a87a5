"""The candidates of both managers: isolation, filters, the second choice."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.placement.candidates import trials
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.question import Question

CANDIDATES: Final = Question(
    "placement.candidates",
    trials.CandidatesTrial,
    trials.CandidatesAnswer,
    trials.candidates_trial,
    trials.answer_candidates,
    trials.candidates_labels,
    exempt=Exempt(unmet={r"\w+\.brokers: empty": "there is no broker to be asked"}),
)
FILTERS: Final = Question(
    "placement.filters",
    trials.FiltersTrial,
    trials.CandidatesAnswer,
    trials.filters_trial,
    trials.answer_filters,
    trials.candidates_labels,
)
QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (CANDIDATES, FILTERS)
