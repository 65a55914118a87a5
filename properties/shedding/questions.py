"""The questions of the chapter *shedding*."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.question import Question
from evenkeel.properties.shedding import (
    questions_classic,
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (
    *questions_classic.QUESTIONS,
)
