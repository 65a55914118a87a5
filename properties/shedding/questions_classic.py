"""The question about AvgShedder."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final

from evenkeel.properties.question import Question
from evenkeel.properties.shedding import answers, generators
from evenkeel.properties.shedding.rounds import RoundsTrial
from evenkeel.properties.shedding.trials_avg import AvgAnswer, AvgTrial
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.load.namespaces import is_monitoring


def labels(trial: RoundsTrial) -> Iterator[str]:
    """What the rounds contain."""
    yield "one round" if len(trial.rounds) == 1 else "several rounds"
    if trial.recently_unloaded:
        yield "unloaded before"
    served = {b for round_ in trial.rounds for report in round_.brokers for b in report.bundles}
    if any(is_monitoring(bundle.rpartition("/")[0]) for bundle in served):
        yield "monitoring bundles"
    if any(len(report.bundles) == 1 for round_ in trial.rounds for report in round_.brokers):
        yield "a sole bundle"


def avg_labels(trial: AvgTrial) -> Iterator[str]:
    """What the rounds contain, and whether anything is shed."""
    yield from labels(trial)
    shed = answers.answer_avg(trial, DOCUMENTED).rounds
    yield "sheds" if any(shed) else "sheds nothing"
    if sum(map(bool, shed)) > 1:
        yield "sheds in several rounds"


AVG: Final = Question(
    "shedding.avg",
    AvgTrial,
    AvgAnswer,
    generators.avg_trial,
    answers.answer_avg,
    avg_labels,
    commands=attrgetter("rounds"),
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (AVG,)
