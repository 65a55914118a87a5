"""Splits that an operator asks for (SPL-55 to SPL-70)."""

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.splitting.manual.generator import manual_trial
from evenkeel.properties.splitting.manual.trial import (
    ManualAnswer,
    ManualTrial,
    answer_manual,
    manual_labels,
)

MANUAL: Final = Question(
    "splitting.manual",
    ManualTrial,
    ManualAnswer,
    manual_trial,
    answer_manual,
    manual_labels,
)
QUESTIONS: Final = (MANUAL,)
