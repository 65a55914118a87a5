"""Dispatch limiters: one quota of messages and one of bytes, over time."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.throttling.limiter import generator, trial

QUOTA: Final = Question(
    "throttling.quota",
    trial.QuotaTrial,
    trial.QuotaAnswer,
    generator.quota_trial,
    trial.answer_quota,
    trial.quota_labels,
    commands="commands",
)
QUESTIONS: Final = (QUOTA,)
