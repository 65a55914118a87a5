"""The questions about the ownership channel."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final

from evenkeel.properties.ownership import answers_channel, generators_channel
from evenkeel.properties.ownership.trials_channel import (
    Assign,
    ChannelAnswer,
    ChannelTrial,
    Compact,
    ConflictAnswer,
    ConflictTrial,
    Crash,
    LoseSession,
    Settle,
    ShutDown,
    Split,
    TransitionAnswer,
    TransitionTrial,
    Unload,
)
from evenkeel.properties.question import Question


def transition_labels(trial: TransitionTrial) -> Iterator[str]:
    """The storage."""
    yield trial.storage.value


def conflict_labels(trial: ConflictTrial) -> Iterator[str]:
    """How the two records stand to each other."""
    yield trial.storage.value
    if trial.update is None:
        yield "removal"
    elif trial.current is None:
        yield "first record"
    else:
        step = trial.update.version - trial.current.version
        yield "next version" if step == 1 else "newer" if step > 1 else "older or wrapped"
        if trial.update.force:
            yield "forced"


def channel_labels(trial: ChannelTrial) -> Iterator[str]:
    """Storage and brokers, and what happens."""
    yield trial.storage.value
    yield f"{trial.brokers} brokers"
    for kind, label in (
        (Assign, "assigned"),
        (Unload, "unloaded"),
        (Split, "split"),
        (Crash, "crash"),
        (LoseSession, "session lost"),
        (ShutDown, "shut down"),
        (Compact, "compacted"),
        (Settle, "settled"),
    ):
        if any(isinstance(command, kind) for command in trial.commands):
            yield label


TRANSITION: Final = Question(
    "ownership.transition",
    TransitionTrial,
    TransitionAnswer,
    generators_channel.transition_trial,
    answers_channel.answer_transition,
    transition_labels,
)
CONFLICT: Final = Question(
    "ownership.conflict",
    ConflictTrial,
    ConflictAnswer,
    generators_channel.conflict_trial,
    answers_channel.answer_conflict,
    conflict_labels,
)
CHANNEL: Final = Question(
    "ownership.channel",
    ChannelTrial,
    ChannelAnswer,
    generators_channel.channel_trial,
    answers_channel.answer_channel,
    channel_labels,
    commands=attrgetter("commands"),
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (TRANSITION, CONFLICT, CHANNEL)
