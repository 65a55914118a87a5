"""The ownership channel: brokers that read and write records of bundles."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.kit.question import Question
from evenkeel.properties.ownership.channel import schedules as generator
from evenkeel.properties.ownership.channel import trials as trial

CHANNEL: Final = Question(
    "ownership.channel",
    trial.ChannelTrial,
    trial.ChannelAnswer,
    generator.channel_trial,
    trial.answer_channel,
    trial.channel_labels,
    commands="commands",
)
QUESTIONS: Final = (CHANNEL,)
