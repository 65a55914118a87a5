"""Which of its bundles a broker of the extensible manager splits (SPL-41 to SPL-54)."""

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.splitting.due_extensible.generator import extensible_trial
from evenkeel.properties.splitting.due_extensible.trial import (
    ExtensibleDueAnswer,
    ExtensibleDueTrial,
    answer_extensible,
    extensible_labels,
)

DUE_EXTENSIBLE: Final = Question(
    "splitting.due_extensible",
    ExtensibleDueTrial,
    ExtensibleDueAnswer,
    extensible_trial,
    answer_extensible,
    extensible_labels,
)
QUESTIONS: Final = (DUE_EXTENSIBLE,)
