"""The closed loop: load, reports, shedding, unloading and placement, moment by moment."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.balancing.loop import trials as generator
from evenkeel.properties.balancing.loop import trials as trial
from evenkeel.properties.kit.question import Question
from evenkeel.reference.balancing.history import History

LOOP: Final = Question(
    "balancing.loop",
    trial.BalancingTrial,
    History,
    generator.balancing_trial,
    trial.answer_loop,
    trial.balancing_labels,
)
QUESTIONS: Final = (LOOP,)
