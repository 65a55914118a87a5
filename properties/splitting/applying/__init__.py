"""What a split changes of boundaries (SPL-16 to SPL-20)."""

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.splitting.applying.generator import apply_trial
from evenkeel.properties.splitting.applying.trial import (
    ApplyAnswer,
    ApplyTrial,
    answer_apply,
    apply_labels,
)

APPLY: Final = Question(
    "splitting.apply",
    ApplyTrial,
    ApplyAnswer,
    apply_trial,
    answer_apply,
    apply_labels,
)
QUESTIONS: Final = (APPLY,)
