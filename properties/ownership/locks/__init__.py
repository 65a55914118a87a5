"""The lock protocol: who holds a bundle's node in the metadata store (modular manager)."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.kit.question import Question
from evenkeel.properties.ownership.locks import trials as generator
from evenkeel.properties.ownership.locks import trials as trial

LOCKS: Final = Question(
    "ownership.locks",
    trial.LocksTrial,
    trial.LocksAnswer,
    generator.locks_trial,
    trial.answer_locks,
    trial.locks_labels,
    commands="commands",
)
QUESTIONS: Final = (LOCKS,)
