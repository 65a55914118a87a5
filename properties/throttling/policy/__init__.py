"""Which of several policies is in force."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.throttling.policy import generator, trial

POLICY: Final = Question(
    "throttling.policy",
    trial.PolicyTrial,
    trial.PolicyAnswer,
    generator.policy_trial,
    trial.answer_policy,
    trial.policy_labels,
    commands="commands",
)
QUESTIONS: Final = (POLICY,)
