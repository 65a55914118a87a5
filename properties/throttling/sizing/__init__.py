"""Estimates: messages per entry, and how many entries so many bytes are."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.throttling.sizing import generator, trial

AVERAGES: Final = Question(
    "throttling.averages",
    trial.AveragesTrial,
    trial.AveragesAnswer,
    generator.averages_trial,
    trial.answer_averages,
    trial.averages_labels,
)
ENTRIES_FOR_BYTES: Final = Question(
    "throttling.entries_for_bytes",
    trial.EntriesForBytesTrial,
    trial.EntriesForBytesAnswer,
    generator.entries_for_bytes_trial,
    trial.answer_entries_for_bytes,
    trial.entries_for_bytes_labels,
)
QUESTIONS: Final = (
    AVERAGES,
    ENTRIES_FOR_BYTES,
)
