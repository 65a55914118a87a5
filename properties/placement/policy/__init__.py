"""Setting an isolation policy."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.placement.policy.generator import policy_trial
from evenkeel.properties.placement.policy.trial import (
    StoredPolicyAnswer,
    StoredPolicyTrial,
    answer_policy,
    policy_labels,
)
from evenkeel.properties.question import Question

POLICY: Final = Question(
    "placement.policy",
    StoredPolicyTrial,
    StoredPolicyAnswer,
    policy_trial,
    answer_policy,
    policy_labels,
)
QUESTIONS: Final = (POLICY,)
