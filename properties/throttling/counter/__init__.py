"""Period counters."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.throttling.counter import generator, trial

COUNTER: Final = Question(
    "throttling.counter",
    trial.CounterTrial,
    trial.CounterAnswer,
    generator.counter_trial,
    trial.answer_counter,
    trial.counter_labels,
    commands="commands",
)
QUESTIONS: Final = (COUNTER,)
