"""The questions of the chapter *ownership*."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.ownership import questions_channel, questions_locks
from evenkeel.properties.question import Question

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (
    *questions_channel.QUESTIONS,
    *questions_locks.QUESTIONS,
)
