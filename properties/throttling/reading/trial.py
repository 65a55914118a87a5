"""Trials and answers of `throttling.read_limits`: how much one read asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from evenkeel.properties.trial import require
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import reading
from evenkeel.reference.throttling.rates import Limits
from evenkeel.reference.throttling.reading import Reader


class ReaderSort(Enum):
    """Who reads: a dispatcher of many consumers, or of one active consumer."""

    SHARED = "shared"
    EXCLUSIVE = "exclusive"


@dataclass(frozen=True, slots=True)
class ReadLimitsTrial:
    """`throttling.read_limits`: how many entries and bytes may a dispatcher read now?

    `permits`: messages that its consumers can still take; `average_messages`: per entry, as sent
    so far, 0 if nothing was sent; `cursor_active`: the subscription has no backlog. `broker`,
    `topic`, `subscription`: what is left of the level's quotas, -1 without a limit; null where
    the level has no limiter. `replay_outstanding`: a read of messages to deliver again is under
    way (shared only).
    """

    reader: ReaderSort
    permits: int
    average_messages: int
    writable: bool
    cursor_active: bool
    replay_outstanding: bool
    batch_size: int = field(metadata={"wire": "dispatcherMaxReadBatchSize"})
    max_bytes: int = field(metadata={"wire": "dispatcherMaxReadSizeBytes"})
    precise: bool = field(metadata={"wire": "preciseDispatcherFlowControl"})
    by_entry: bool = field(metadata={"wire": "dispatchThrottlingOnBatchMessageEnabled"})
    non_backlog: bool = field(metadata={"wire": "dispatchThrottlingOnNonBacklogConsumerEnabled"})
    broker: Limits | None
    topic: Limits | None
    subscription: Limits | None

    def __post_init__(self) -> None:
        require(0 < self.permits < 2**31, "permits", "must be above 0 and below 2^31")
        require(0 <= self.average_messages < 2**31, "average_messages", "must be 0 to 2^31 - 1")
        require(0 < self.batch_size < 2**31, "dispatcherMaxReadBatchSize", "must be above 0")
        require(0 < self.max_bytes < 2**31, "dispatcherMaxReadSizeBytes", "must be above 0")
        for level in ("broker", "topic", "subscription"):
            left: Limits | None = getattr(self, level)
            fits = left is None or (-1 <= left.messages < 2**53 and -1 <= left.bytes < 2**53)
            require(fits, level, "quotas must be -1 or more, below 2^53")
        shared = self.reader is ReaderSort.SHARED
        require(
            shared or not self.replay_outstanding, "replay_outstanding", "is for shared readers"
        )

    @property
    def levels(self) -> tuple[Limits, ...]:
        return tuple(x for x in (self.broker, self.topic, self.subscription) if x is not None)

    @property
    def throttled(self) -> bool:
        return self.non_backlog or not self.cursor_active


@dataclass(frozen=True, slots=True)
class ReadLimitsAnswer:
    """Entries and bytes of the read; -1 and -1 if nothing may be read now.

    `reread`: in how many milliseconds the dispatcher looks again by itself; null if it does not.
    """

    entries: int
    bytes: int
    reread: int | None

    @property
    def blocked(self) -> bool:
        return self.entries == -1 and self.bytes == -1


def reader_of(trial: ReadLimitsTrial) -> Reader:
    return Reader(
        permits=trial.permits,
        batch=trial.batch_size,
        max_bytes=trial.max_bytes,
        average=trial.average_messages,
        precise=trial.precise,
        writable=trial.writable,
        throttled=trial.throttled,
        replaying=trial.replay_outstanding,
    )


def answer_read_limits(trial: ReadLimitsTrial, edition: Edition) -> ReadLimitsAnswer:
    read = reading.read_limits(reader_of(trial), trial.levels, edition)
    if isinstance(read, reading.Blocked):
        return ReadLimitsAnswer(-1, -1, read.reread)
    return ReadLimitsAnswer(read.entries, read.bytes, None)


def read_limits_labels(trial: ReadLimitsTrial) -> Iterator[str]:
    yield trial.reader.value
    yield f"{len(trial.levels)} levels"
    if trial.precise:
        yield "precise"
    if not trial.throttled:
        yield "limits switched off"
    if any(0 in (left.messages, left.bytes) for left in trial.levels):
        yield "a quota is used up"
    if any(left.messages >= 2**31 for left in trial.levels):
        yield "quota beyond 32 bits"
