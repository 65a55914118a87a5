"""The lock protocol: owners hold a bundle's node in the metadata store (modular manager)."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.ownership.locks import trials
from evenkeel.properties.ownership.trial_parts import STEP_BETWEEN
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.question import Question

LOCKS: Final = Question(
    "ownership.locks",
    trials.LocksTrial,
    trials.LocksAnswer,
    trials.locks_trial,
    trials.answer_locks,
    trials.locks_labels,
    commands="commands",
    elsewhere=trials.asked_elsewhere,
    exempt=Exempt(
        subjects={
            "ignores Answer": STEP_BETWEEN,
            "ignores Fail": STEP_BETWEEN,
            "ignores Notify": STEP_BETWEEN,
            "ignores Closed": STEP_BETWEEN,
            "ignores Retry": STEP_BETWEEN,
            "ignores Disconnect": "Settling connects every broker again.",
            "ignores Elect": "After settling all brokers agree on a leader.",
        },
        world=r"brokers|leader|.*\.(broker|bundle|to|preferred|leader)",
    ),
)
QUESTIONS: Final = (LOCKS,)
