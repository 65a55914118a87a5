"""The question about ThresholdShedder."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final

from evenkeel.properties.question import Question
from evenkeel.properties.shedding.answers_threshold import answer_threshold
from evenkeel.properties.shedding.generators_threshold import threshold_trial
from evenkeel.properties.shedding.rounds import SheddingAnswer
from evenkeel.properties.shedding.trials_threshold import ThresholdTrial
from evenkeel.reference.edition import DOCUMENTED


def threshold_labels(trial: ThresholdTrial) -> Iterator[str]:
    """What the rounds contain, and whether anything is shed."""
    yield "one round" if len(trial.rounds) == 1 else "several rounds"
    if trial.config.lower_boundary:
        yield "lower boundary"
    if trial.memberships:
        yield "brokers come or go"
    if trial.recently_unloaded:
        yield "unloaded before"
    shed = answer_threshold(trial, DOCUMENTED).rounds
    yield "sheds" if any(shed) else "sheds nothing"


THRESHOLD: Final = Question(
    "shedding.threshold",
    ThresholdTrial,
    SheddingAnswer,
    threshold_trial,
    answer_threshold,
    threshold_labels,
    commands=attrgetter("rounds"),
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (THRESHOLD,)
