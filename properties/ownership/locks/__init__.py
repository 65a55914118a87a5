"""The lock protocol: who holds a bundle's node in the metadata store (modular manager)."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.ownership.locks import generator, trial
from evenkeel.properties.question import Question

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
