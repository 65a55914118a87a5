"""The ownership channel: brokers that read and write records of bundles."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.ownership.channel import schedules, trials
from evenkeel_engine.kit.question import Question

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
