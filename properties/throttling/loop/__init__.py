"""The dispatch loop: what is read, delivered and charged."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.throttling.loop import trials
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.question import Question

LOOP: Final = Question(
    "throttling.loop",
    trials.LoopTrial,
    trials.LoopAnswer,
    trials.loop_trial,
    trials.answer_loop,
    trials.loop_labels,
    commands="commands",
    exempt=Exempt(
        unmet={
            r"\w+\.commands: Flow in the last third, .*": (
                "a trial begins with them: without permits nothing happens"
            )
        }
    ),
)
QUESTIONS: Final = (LOOP,)
