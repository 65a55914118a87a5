"""Which bundles the leader of the modular manager has split (SPL-31 to SPL-40)."""

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.splitting.due_modular.generator import modular_trial
from evenkeel.properties.splitting.due_modular.trial import (
    ModularDueAnswer,
    ModularDueTrial,
    answer_modular,
    modular_labels,
)

DUE_MODULAR: Final = Question(
    "splitting.due_modular",
    ModularDueTrial,
    ModularDueAnswer,
    modular_trial,
    answer_modular,
    modular_labels,
)
QUESTIONS: Final = (DUE_MODULAR,)
