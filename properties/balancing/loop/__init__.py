"""The closed loop: load, reports, shedding, unloading and placement, moment by moment."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.balancing.loop import trials
from evenkeel.reference.balancing.history import History
from evenkeel_engine.kit.question import Question

LOOP: Final = Question(
    "balancing.loop",
    trials.BalancingTrial,
    History,
    trials.balancing_trial,
    trials.answer_loop,
    trials.balancing_labels,
    cut=trials.cut,
    simulates=True,
)
QUESTIONS: Final = (LOOP,)
