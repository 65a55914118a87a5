"""Mutants of read limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    defect,
    equivalent,
    switched,
    then,
)
from evenkeel.properties.throttling.reading import trial
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.throttling import reading
from evenkeel.reference.throttling.rates import Limits
from evenkeel.reference.throttling.reading import Blocked, Read, Reader


def _cap_if_positive(original: Function) -> Function:
    def limited(read: Read, left: Limits, reader: Reader, edition: Edition) -> Read:
        messages = left.messages if left.messages > 0 else -1
        capped: Read = original(read, Limits(messages, left.bytes), reader, edition)
        return capped

    return limited


def _no_bytes(original: Function) -> Function:
    def limited(read: Read, left: Limits, reader: Reader, edition: Edition) -> Read:
        capped: Read = original(read, Limits(left.messages, -1), reader, edition)
        return capped

    return limited


def _never_again(outcome: Read | Blocked) -> Read | Blocked:
    return Blocked(None) if isinstance(outcome, Blocked) else outcome


def _permits_as_entries(reader: Reader) -> int:
    return reader.permits


def _nothing_rather_than_one(original: Function) -> Function:
    def read_limits(reader: Reader, levels: Sequence[Limits], edition: Edition) -> Any:
        outcome = original(reader, levels, edition)
        small = isinstance(outcome, Read) and outcome.bytes < 2
        return Read(0, outcome.bytes) if small else outcome

    return read_limits


def _sooner(outcome: Read | Blocked) -> Read | Blocked:
    waits = isinstance(outcome, Blocked) and outcome.reread is not None
    return Blocked(5) if waits else outcome


def _fewer(entries: int) -> int:
    return max(1, entries // 2)


MUTANTS: Final = (
    defect(
        "zero-quota-does-not-cap",
        reading,
        "limited",
        _cap_if_positive,
        "A quota that another dispatcher used up meanwhile no longer limits the read.",
        "DT31",
    ),
    defect(
        "bytes-do-not-limit-reads",
        reading,
        "limited",
        _no_bytes,
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
        lambda _: _permits_as_entries,
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
        then(_never_again),
        "Consumers stop receiving once a quota was used up.",
        "DT19",
    ),
    defect(
        "empty-read",
        reading,
        "read_limits",
        _nothing_rather_than_one,
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
        then(_sooner),
        "A dispatcher without quota looks again after 5 ms.",
    ),
    equivalent(
        "reads-fewer",
        reading,
        "wanted",
        then(_fewer),
        "A dispatcher asks for half of what it could.",
    ),
)
