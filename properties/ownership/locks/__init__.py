"""The lock protocol: owners hold a bundle's node in the metadata store (modular manager)."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.ownership.locks import trials
from evenkeel_engine.kit.question import Question

LOCKS: Final = Question(
    "ownership.locks",
    trials.LocksTrial,
    trials.LocksAnswer,
    trials.locks_trial,
    trials.answer_locks,
    trials.locks_labels,
    commands="commands",
)
QUESTIONS: Final = (LOCKS,)
