"""The question of the chapter *balancing*."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.balancing import answers, generators
from evenkeel.properties.balancing.trials import BalancingTrial
from evenkeel.properties.question import Question
from evenkeel.reference.balancing.history import History

LOOP: Final = Question(
    "balancing.loop",
    BalancingTrial,
    History,
    generators.balancing_trial,
    answers.answer_loop,
    generators.balancing_labels,
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (LOOP,)
