"""The dispatch loop: what is read, delivered and charged."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.kit.question import Question
from evenkeel.properties.throttling.loop import trials as generator
from evenkeel.properties.throttling.loop import trials as trial

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
