"""The ownership channel: brokers that read and write records of bundles."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.ownership.channel import generator, trial
from evenkeel.properties.question import Question

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
