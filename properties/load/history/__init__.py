"""Smoothed scores of brokers (LOA-24 to LOA-30)."""

from typing import Final

from evenkeel.properties.load.history.generator import history_trial
from evenkeel.properties.load.history.trial import (
    HistoryAnswer,
    HistoryTrial,
    answer_history,
    history_labels,
)
from evenkeel.properties.question import Question

HISTORY: Final = Question(
    "load.history",
    HistoryTrial,
    HistoryAnswer,
    history_trial,
    answer_history,
    history_labels,
    commands="commands",
)
QUESTIONS: Final = (HISTORY,)
