"""The ownership channel: brokers that read and write records of bundles."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.ownership.channel import schedules, trials
from evenkeel.properties.ownership.trial_parts import STEP_BETWEEN
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.question import Question

CHANNEL: Final = Question(
    "ownership.channel",
    trials.ChannelTrial,
    trials.ChannelAnswer,
    schedules.channel_trial,
    trials.answer_channel,
    trials.channel_labels,
    commands="commands",
    elsewhere=trials.asked_elsewhere,
    exempt=Exempt(
        subjects={
            "ignores Finish": STEP_BETWEEN,
            "ignores Read": STEP_BETWEEN,
            "ignores Notice": STEP_BETWEEN,
            "ignores Clean": STEP_BETWEEN,
            "ignores Monitor": STEP_BETWEEN,
            "ignores Compact": "Compaction must change nothing that can be seen.",
            "ignores Elect": "The leader shows only in which broker writes overrides.",
        },
        unmet={
            r"\w+\.\w+: (Elect after Fin\w+|Crash after Rest\w+|Monitor after Lose\w+) and time": (
                "the others of 256 pairs are met"
            ),
            r"\w+\.commands: Assign in the last third, .*": (
                "a trial begins with them: without an owner nothing happens"
            ),
            r"\w+\.commands: LoseSession in the last third, .*": (
                "mostly what follows is observed; two in five are late"
            ),
        },
        world=r"brokers|.*\.(broker|to|leader|preferred)",
    ),
)
QUESTIONS: Final = (CHANNEL,)
