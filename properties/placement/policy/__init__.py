"""Setting an isolation policy."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.placement.policy import generator, trial
from evenkeel.properties.question import Question

POLICY: Final = Question(
    "placement.policy",
    trial.StoredPolicyTrial,
    trial.StoredPolicyAnswer,
    generator.policy_trial,
    trial.answer_policy,
    trial.policy_labels,
)
QUESTIONS: Final = (POLICY,)
