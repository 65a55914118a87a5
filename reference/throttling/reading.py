"""How much a dispatcher reads at once, given what is left of every quota (THR-24 to THR-28), and
which levels are counted as having cut the read (THR-71, THR-72).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling.rates import UNLIMITED, Limits
from evenkeel_engine.frame.clauses import states

REREAD_MILLIS: Final = 1000
"""A dispatcher that found no quota looks again after this time, whatever the period."""


@dataclass(frozen=True, slots=True)
class Reader:
    """What a dispatcher knows besides the quotas.

    `permits`: messages that its consumers can take; `batch`: entries of one read at most;
    `average`: messages per entry, as sent so far; `throttled`: limits apply to this cursor.
    """

    permits: int
    batch: int
    max_bytes: int
    average: int
    precise: bool
    writable: bool
    throttled: bool
    replaying: bool
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """A read of at most these entries and bytes."""

    entries: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Blocked:
    """No read; `reread` is the time in ms after which the dispatcher looks again."""

    reread: int | None


def ceiling(dividend: int, divisor: int) -> int:
    """Division rounded up."""
    return -(-dividend // divisor)


@states("THR-30", "THR-31", "THR-32", "THR-65")
def unlimited_entries(reader: Reader, edition: Edition) -> int:
    """Entries to read if there were no limits.

    A connection that cannot be written to is asked for one entry, so as to learn when it can; in
    PULSAR_5_0_1 a shared subscription looks at its consumers' connections elsewhere.
    """
    if not reader.writable and (edition.unwritable_shared_reads_one or not reader.shared):
        return 1
    permits = reader.permits
    if reader.precise:
        permits = ceiling(permits, max(1, reader.average))
    return min(permits, reader.batch)


@states("THR-30", "THR-32")
def quota_in_entries(messages: int, reader: Reader, edition: Edition) -> int:
    """The entries that a quota of messages allows: as many, or fewer in precise mode."""
    if edition.quota_cut_to_32_bits:
        messages = (messages + 2**31) % 2**32 - 2**31
    if reader.precise and not edition.precise_divides_permits:
        return ceiling(messages, max(1, reader.average)) if messages >= 0 else messages
    return messages


@states("THR-32")
def passes(messages: int, entries: int, edition: Edition) -> bool:
    """Whether a quota of messages does not count, since nothing of it is left once it is cut."""
    return edition.quotas_cut_to_nothing_pass and entries == 0 < messages


@states("THR-25", "THR-57")
def limit_read(read: Read, left: Limits, reader: Reader, edition: Edition) -> Read:
    """A read cut by one level's quotas; a dimension without a limit says -1."""
    entries = quota_in_entries(left.messages, reader, edition)
    if passes(left.messages, entries, edition):
        entries = UNLIMITED
    return Read(
        min(read.entries, entries) if entries >= 0 else read.entries,
        min(read.bytes, left.bytes) if left.bytes >= 0 else read.bytes,
    )


@states("THR-24", "THR-25", "THR-26", "THR-27", "THR-28", "THR-29", "THR-32", "THR-64")
def read_limits(reader: Reader, levels: Sequence[Limits], edition: Edition) -> Read | Blocked:
    """The next read, after the quotas of all levels, or why there is none.

    A level without quota ends it: later levels are not asked, and a new look is scheduled.
    """
    read = Read(unlimited_entries(reader, edition), reader.max_bytes)
    for left in levels if reader.throttled else ():
        read = limit_read(read, left, reader, edition)
        if read.entries == 0 or read.bytes == 0:
            return Blocked(REREAD_MILLIS)
    if reader.replaying:
        return Blocked(None)
    return Read(max(read.entries, 1), max(read.bytes, 1))


@dataclass(frozen=True, slots=True)
class Events:
    """By how much a level's counters rise at one read."""

    messages: int = 0
    bytes: int = 0


@states("THR-71", "THR-72")
def events(reader: Reader, levels: Sequence[Limits | None], edition: Edition) -> tuple[Events, ...]:
    """What each level counts at one read: an event for each unit in which it cut what the levels
    before it had left. Levels after one that ended the read are not asked.
    """
    read = Read(unlimited_entries(reader, edition), reader.max_bytes)
    counted = [Events() for _ in levels]
    for index, left in enumerate(levels if reader.throttled else ()):
        if left is None:
            continue
        before, read = read, limit_read(read, left, reader, edition)
        counted[index] = Events(int(read.entries < before.entries), int(read.bytes < before.bytes))
        if read.entries == 0 or read.bytes == 0:
            break
    return tuple(counted)
