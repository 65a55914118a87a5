"""What becomes of the children of an automatic split (SPL-73, SPL-74)."""

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.splitting.unloading.generator import unloading_trial
from evenkeel.properties.splitting.unloading.trial import (
    UnloadingAnswer,
    UnloadingTrial,
    answer_unloading,
    unloading_labels,
)

UNLOADING: Final = Question(
    "splitting.unloading",
    UnloadingTrial,
    UnloadingAnswer,
    unloading_trial,
    answer_unloading,
    unloading_labels,
)
QUESTIONS: Final = (UNLOADING,)
