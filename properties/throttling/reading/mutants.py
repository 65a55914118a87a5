"""Mutants of read limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.mutant_maker import (
    Function,
    defect,
    equivalent,
    first,
    switched,
    then,
)
from evenkeel.properties.throttling.reading import trial
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.throttling import reading
from evenkeel.reference.throttling.reading import Blocked, Read

YEAR: Final = 365 * 24 * 3600 * 1000
"""In ms."""


def waits_until_writable(original: Function) -> Function:
    return lambda reader, *rest: original(reader, *rest) if reader.writable else Blocked(None)


MUTANTS: Final = (
    equivalent(
        "waits-until-the-connection-is-writable",
        reading,
        "read_limits",
        waits_until_writable,
        "Whether a connection that cannot be written to is read for is left open.",
    ),
    defect(
        "waits-until-writable-in-4-0",
        reading,
        "read_limits",
        waits_until_writable,
        "Not 4.0: one entry is read, to learn when the connection can be written to.",
        edition=PULSAR_4_0,
    ),
    defect(
        "zero-quota-does-not-cap",
        reading,
        "limited",
        first(1, lambda left: replace(left, messages=left.messages or -1)),
        "A quota that another dispatcher used up meanwhile no longer limits the read.",
        "DT31",
    ),
    defect(
        "bytes-do-not-limit-reads",
        reading,
        "limited",
        first(1, lambda left: replace(left, bytes=-1)),
        "A limit in bytes is charged but never stops a read.",
        "DT14",
    ),
    defect(
        "quota-counted-in-entries",
        reading,
        "quota_in_entries",
        switched(precise_divides_permits=True),
        "With batches, precise flow control still delivers many times the limit.",
        "DT4",
    ),
    defect(
        "permits-used-as-entries",
        reading,
        "wanted",
        lambda _: lambda reader: reader.permits,
        "A consumer with room for 500 messages is sent 500 batches.",
        "DT5",
    ),
    defect(
        "quota-cut-to-32-bits",
        reading,
        "quota_in_entries",
        switched(quota_cut_to_32_bits=True),
        "A quota of 4,294,967,296 messages stops reading.",
        "DT33",
    ),
    defect(
        "no-new-look-after-blocking",
        reading,
        "read_limits",
        then(lambda read: Blocked(None) if isinstance(read, Blocked) else read),
        "Consumers stop receiving once a quota was used up.",
        "DT19",
    ),
    defect(
        "empty-read",
        reading,
        "read_limits",
        then(
            lambda read: Read(0, read.bytes) if isinstance(read, Read) and read.bytes < 2 else read
        ),
        "With a byte left, a read of no entries is asked for.",
    ),
    defect(
        "limits-cannot-be-off",
        trial,
        "reader_of",
        then(lambda reader: replace(reader, throttled=True)),
        "Subscriptions without backlog are limited although they are exempt.",
    ),
    defect(
        "precise-divides-the-quota",
        reading,
        "quota_in_entries",
        switched(precise_divides_permits=False),
        "In precise mode less is read than by 4.0.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "looks-again-sooner",
        reading,
        "read_limits",
        then(
            lambda read: (
                Blocked(5) if isinstance(read, Blocked) and read.reread is not None else read
            )
        ),
        "A dispatcher without quota looks again after 5 ms.",
    ),
    defect(
        "looks-again-in-a-year",
        reading,
        "read_limits",
        then(lambda read: Blocked(YEAR) if isinstance(read, Blocked) and read.reread else read),
        "A dispatcher that found no quota is not seen again.",
    ),
    defect(
        "reads-fewer",
        reading,
        "wanted",
        then(lambda entries: max(1, entries // 2)),
        "A dispatcher asks for half of what it could.",
    ),
    defect(
        "half-of-the-quota-a-read",
        reading,
        "quota_in_entries",
        then(lambda entries: entries if entries <= 1 else entries // 2),
        "A read asks for half of the quota that is left.",
    ),
    defect(
        "reads-a-byte",
        reading,
        "limited",
        then(lambda read: replace(read, bytes=min(1, read.bytes))),
        "Where limits apply, a read asks for one byte, which is one entry.",
    ),
    equivalent(
        "reads-beside-a-replay",
        reading,
        "read_limits",
        first(0, lambda reader: replace(reader, replaying=False)),
        "Document 004 has a normal read and a replay under way at once.",
    ),
    equivalent(
        "precise-to-nearest",
        reading,
        "ceiling",
        lambda _: (
            lambda dividend, divisor: min(
                dividend, max(1, (2 * dividend + divisor - 1) // (2 * divisor))
            )
        ),
        "Precise flow control rounds to the nearest number of entries.",
    ),
)
