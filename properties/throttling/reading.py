"""How much a dispatcher reads, by what is left of every quota."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from evenkeel.properties.throttling.judge_parts import refuses_both
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import reading
from evenkeel.reference.throttling.rates import Limits
from evenkeel.reference.throttling.reading import Reader
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.judge import answers, decision, require_equal
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require


class ReaderSort(Enum):
    """The kind of dispatcher: of many consumers, or of one active consumer."""

    SHARED = "shared"
    EXCLUSIVE = "exclusive"


@dataclass(frozen=True, slots=True)
class ReadLimitsTrial:
    """`throttling.read_limits`: how many entries and bytes may a dispatcher read now?
    `throttling.throttled`: the limits of which levels are counted as having cut this read?

    `permits`: messages that its consumers can still take; `average_messages`: the average per entry
    sent so far, 0 if nothing was sent; `cursor_active`: the subscription has no backlog. `broker`,
    `topic`, `subscription`: what is left of the level's quotas, -1 without a limit; null where the
    level has no limiter. `replay_outstanding`: a read of messages to deliver again is under way
    (shared only).
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

    @property
    def used_up(self) -> bool:
        """Whether nothing is left of some quota."""
        return any(0 in (left.messages, left.bytes) for left in self.levels)


@dataclass(frozen=True, slots=True)
class ReadLimitsAnswer:
    """Entries and bytes of the read; -1 and -1 if nothing may be read now.

    `reread`: the milliseconds after which the dispatcher looks again without an event, at the
    latest; a task that refreshes quotas and wakes the dispatchers that wait for it is no event;
    null if it does not.
    """

    entries: int
    bytes: int
    reread: int | None

    @property
    def blocked(self) -> bool:
        return self.entries == -1 and self.bytes == -1


def draw_left(draw: Draw, permits: int) -> Limits | None:
    if draw.chance(0.4):
        return None
    return Limits(draw_part(draw, permits), draw_part(draw, 5_000_000))


def draw_part(draw: Draw, around: int) -> int:
    sort = draw.integer(0, 9)
    if sort < 3:
        return draw.integer(1, 30)
    if sort < 5:
        return -1
    if sort == 5:
        return 0
    if sort == 6:
        return draw.pick((2**31 - 1, 2**31, 2**32, 2**32 + 5, 2**31 + 5, 2**40))
    return max(0, around + draw.pick((0, 1, -1)))


def read_limits_trial(draw: Draw) -> ReadLimitsTrial:
    shared = not draw.chance(0.4)
    permits = draw.pick((1000, 1, 2, 10)) if draw.chance(0.5) else draw.integer(1, 2000)
    return ReadLimitsTrial(
        reader=ReaderSort.SHARED if shared else ReaderSort.EXCLUSIVE,
        permits=permits,
        average_messages=draw.pick((1, 0, 6, 10, 1000))
        if draw.chance(0.7)
        else draw.integer(1, 50),
        writable=not draw.chance(0.1),
        cursor_active=draw.chance(0.4),
        replay_outstanding=shared and draw.chance(0.15),
        batch_size=draw.pick((100, 1, 7, 1000)),
        max_bytes=draw.pick((5 * 1024 * 1024, 1, 1000)),
        precise=draw.chance(0.4),
        by_entry=draw.chance(0.2),
        non_backlog=not draw.chance(0.4),
        broker=draw_left(draw, permits),
        topic=draw_left(draw, permits),
        subscription=draw_left(draw, permits),
    )


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
        shared=trial.reader is ReaderSort.SHARED,
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
    if trial.used_up:
        yield "a quota is used up"
    if any(left.messages >= 2**31 for left in trial.levels):
        yield "quota beyond 32 bits"


SECOND: Final = 1000
"""A period in ms, as the trial has none."""

ReadCase = Case[ReadLimitsTrial, ReadLimitsAnswer]


@decision(
    "throttling.read_limits",
    *("THR-24", "THR-25", "THR-26", "THR-27", "THR-28", "THR-29", "THR-30", "THR-31", "THR-32"),
    *("THR-57", "THR-64", "THR-65"),
)
def judge_read_limits(run: Run, case: ReadCase) -> None:
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke):
        if not refuses_both(observed, trial.precise, trial.by_entry):
            answers(run, case, "THR-24")
    elif observed.blocked:
        run.require("THR-24", True)
        judge_stop(run, trial, observed)
    else:
        judge_read(run, trial, observed)
    require_equal(run, case, "THR-32", what="the read")


def judge_stop(run: Run, trial: ReadLimitsTrial, observed: ReadLimitsAnswer) -> None:
    """Check that nothing is read only if a quota is used up or a replay is under way."""
    if trial.throttled and trial.used_up:
        run.require("THR-26", True)
        sentence = "no new look is scheduled: reading stops for good"
        # A dispatcher that waits for its connection, or for a replay, looks again after that.
        if trial.writable and not trial.replay_outstanding:
            run.require("THR-28", observed.reread is not None, sentence)
        if observed.reread is not None:
            soon = 0 <= observed.reread <= SECOND
            run.require("THR-64", soon, f"a new look in {observed.reread} ms")
    elif trial.writable and not trial.replay_outstanding:
        if not trial.throttled and trial.levels:
            run.require("THR-29", False, "limits are off, and yet nothing is read")
        run.require("THR-27", False, "every quota has something left, and nothing is read")


def judge_read(run: Run, trial: ReadLimitsTrial, observed: ReadLimitsAnswer) -> None:
    """Check the entries and bytes of a read."""
    entries, size = observed.entries, observed.bytes
    something = entries >= 1 and size >= 1
    why = "" if something else f"a read of {entries} entries and {size} bytes is none"
    run.require("THR-24", something, why)
    if trial.throttled and trial.used_up:
        run.require("THR-26", False, f"a quota is used up, and {entries} entries are read")
    elif trial.writable and not trial.replay_outstanding:
        run.require("THR-27", True)
        if not trial.throttled and trial.levels:
            run.require("THR-29", True)
    if trial.throttled and not trial.used_up:
        within_quotas(run, trial, entries, size)
        if len(trial.levels) > 1 and not trial.precise:
            within_each(run, trial, entries, size)
    if not trial.precise:
        most = min(trial.permits, trial.batch_size)
        why = "" if entries <= most else f"{entries} entries, but at most {most} may be read"
        run.require("THR-31", entries <= most, why)
    elif not trial.by_entry:
        quotas = [left.messages for left in trial.levels if trial.throttled and left.messages >= 0]
        messages, average = min([trial.permits, *quotas]), trial.average_messages
        run.require(
            "THR-30",
            entries <= max(1, -(-messages // max(1, average))),
            lambda: f"{entries} entries of {average} messages for {messages} messages",
        )
    if not trial.replay_outstanding and not (trial.throttled and trial.used_up):
        asks_for_all(run, trial, entries, size)


def asks_for_all(run: Run, trial: ReadLimitsTrial, entries: int, size: int) -> None:
    """Check that a read is no smaller than permits, batch size and quotas allow (THR-65); precise:
    to nearest or up.
    """
    levels = trial.levels if trial.throttled else ()
    quotas = [left.bytes for left in levels if left.bytes >= 0]
    least = min([trial.max_bytes, *quotas])
    why = f"{size} bytes, where {least} may be read"
    run.require("THR-65", size >= least, "" if size >= least else why, "bytes")
    if quotas or not trial.writable or (trial.precise and trial.by_entry):
        return
    most = min(trial.permits, trial.batch_size)
    messages = min([most, *(left.messages for left in levels if left.messages >= 0)])
    average = max(1, trial.average_messages) if trial.precise else 1
    nearest = max(1, -(-(2 * messages - average) // (2 * average)))
    fewest = min(nearest, trial.batch_size, trial.max_bytes)
    why = f"{entries} entries, where {fewest} may be read"
    run.require("THR-65", entries >= fewest, "" if entries >= fewest else why, "entries")


def within_quotas(run: Run, trial: ReadLimitsTrial, entries: int, size: int) -> None:
    """Check that a read is within the quotas of messages and bytes at every level (THR-25)."""
    quotas = [left.messages for left in trial.levels if left.messages >= 0]
    if quotas:
        fits = entries <= min(quotas)
        why = "" if fits else f"{entries} entries, but {min(quotas)} are left"
        run.require("THR-25", fits, why, "entries")
    quotas = [left.bytes for left in trial.levels if left.bytes >= 0]
    if quotas:
        fits = size <= min(quotas)
        run.require(
            "THR-25", fits, "" if fits else f"{size} bytes, but {min(quotas)} are left", "bytes"
        )


def within_each(run: Run, trial: ReadLimitsTrial, entries: int, size: int) -> None:
    """Check that a read is no larger than any one level alone would allow (THR-57).

    Without levels a read has as many entries as there are permits at most; that it is smaller if no
    connection is writable, or by the sizes of batches and reads, is practice (THR-30, THR-31).
    """
    for left in trial.levels:
        entries_left = trial.permits if left.messages < 0 else min(trial.permits, left.messages)
        bytes_left = size if left.bytes < 0 else left.bytes
        fits = entries <= entries_left and size <= bytes_left
        why = f"{entries} entries and {size} bytes; one level alone allows {entries_left} and "
        run.require("THR-57", fits, "" if fits else f"{why}{bytes_left}")


READ_LIMITS: Final = Question(
    "throttling.read_limits",
    ReadLimitsTrial,
    ReadLimitsAnswer,
    read_limits_trial,
    answer_read_limits,
    read_limits_labels,
)

QUESTIONS: Final = (READ_LIMITS,)
