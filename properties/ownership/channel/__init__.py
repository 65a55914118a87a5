"""The ownership channel: brokers that read and write records of bundles."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.kit.question import Question
from evenkeel.properties.ownership.channel import schedules, trials

CHANNEL: Final = Question(
    "ownership.channel",
    trials.ChannelTrial,
    trials.ChannelAnswer,
    schedules.channel_trial,
    trials.answer_channel,
    trials.channel_labels,
    commands="commands",
)
QUESTIONS: Final = (CHANNEL,)
