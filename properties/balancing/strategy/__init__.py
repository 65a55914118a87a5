"""Which strategies run under which manager (BAL-23 to BAL-25, PLC-6, PLC-50, PLC-51)."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.balancing.strategy import generator, trial
from evenkeel.properties.question import Question

STRATEGY: Final = Question(
    "balancing.strategy",
    trial.StrategyTrial,
    trial.StrategyAnswer,
    generator.strategy_trial,
    trial.answer_strategy,
    trial.strategy_labels,
)
QUESTIONS: Final = (STRATEGY,)
