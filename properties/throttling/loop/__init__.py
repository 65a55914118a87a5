"""The dispatch loop: what is read, delivered and charged."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.throttling.loop import generator, trial

LOOP: Final = Question(
    "throttling.loop",
    trial.LoopTrial,
    trial.LoopAnswer,
    generator.loop_trial,
    trial.answer_loop,
    trial.loop_labels,
    commands="commands",
)
QUESTIONS: Final = (LOOP,)
