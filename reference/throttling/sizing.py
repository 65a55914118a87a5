"""Averages and estimates: messages per entry, and entries per bytes.

Both are guesses about entries that are not read yet; over-delivery comes from them
(document 004, "Limitations of message dispatch throttling").
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states

UNBOUNDED: Final = -1
KEPT: Final = 0.9
"""What a new send leaves of the average messages per entry."""
OVERHEAD: Final = 64
"""Bytes that every entry is taken to need in addition to its content when it is read."""


# ----------------------------------------------------------------------- messages per entry


@states("THR-33", "THR-34", "THR-35")
def average_after(average: float, messages: int, entries: int) -> float:
    """The average messages per entry after one send.

    The first send counts whole, each later one a tenth; a send of nothing leaves it as it is.
    Source: Pulsar `Consumer.sendMessages` 4.0.8. The documents do not say how it is formed.
    """
    if messages == 0 or entries == 0:
        return average
    if average < 1:
        return messages / entries
    return average * KEPT + (1 - KEPT) * messages / entries


@states("THR-33", "THR-35")
def published_average(average: float) -> int:
    """The average as others see it: rounded, halves upwards; 0 before the first send."""
    whole = math.floor(average)
    return whole + 1 if average - whole >= 0.5 else whole


# --------------------------------------------------------------------------- bytes to entries


@dataclass(frozen=True, slots=True)
class Ledger:
    """A piece of a topic's storage: how many entries it has, and their bytes together."""

    entries: int
    bytes: int

    @property
    def empty(self) -> bool:
        """Whether nothing can be learnt from it."""
        return self.entries == 0 or self.bytes == 0

    @property
    def entry_size(self) -> int:
        """Bytes that one of its entries is taken to need, at least 65."""
        return max(1, self.bytes // self.entries) + OVERHEAD


@dataclass(frozen=True, slots=True)
class Position:
    """Where a read begins: the ledger's place in the list, and the entry in it."""

    ledger: int
    entry: int


@dataclass(frozen=True, slots=True)
class Sizes:
    """Average entry sizes in bytes, as published and as read; None where nothing is known."""

    published: int | None
    dispatched: int | None


@states("THR-36", "THR-37", "THR-38")
def entries_for_bytes(
    max_entries: int,
    max_bytes: int,
    ledgers: Sequence[Ledger],
    position: Position,
    sizes: Sizes,
    edition: Edition,
) -> int:
    """How many entries a read of `max_bytes` bytes requests, `max_entries` at most.

    At least one, however large it may be. `max_bytes` -1: `max_entries`.
    """
    if max_bytes == UNBOUNDED:
        return max_entries
    if edition.entry_sizes_from_ledgers:
        return by_ledgers(max_entries, max_bytes, ledgers, position)
    return by_average(max_entries, max_bytes, sizes)


@states("THR-36", "THR-37")
def by_average(max_entries: int, max_bytes: int, sizes: Sizes) -> int:
    """Bytes divided by the average entry size: as published, else as read, else one entry."""
    size = sizes.published if sizes.published is not None else sizes.dispatched
    if size is None:
        return 1
    return max(1, min(max_entries, max_bytes // size))


@dataclass(frozen=True, slots=True)
class Estimate:
    """Entries counted so far, bytes still to be used, and the last ledger's entry size."""

    entries: int
    rest: int
    entry_size: int = 0


@states("THR-36", "THR-38")
def by_ledgers(
    max_entries: int, max_bytes: int, ledgers: Sequence[Ledger], position: Position
) -> int:
    """The estimate ledger by ledger, from the one that holds the position.

    Without ledgers it is one entry: they may all be trimmed while the read is prepared (#25174).
    Source: Pulsar `EntryCountEstimator`, `ManagedCursorImpl.applyMaxSizeCap` 4.0.8.
    """
    if not ledgers:
        return 1
    start = inside(position, ledgers)
    estimate = Estimate(0, max_bytes)
    for index in range(start.ledger, len(ledgers)):
        if estimate.rest <= 0:
            break
        if not ledgers[index].empty:
            first = start.entry if index == start.ledger else 0
            estimate = with_ledger(estimate, ledgers[index], first)
    if estimate.rest > 0:
        estimate = with_rest(estimate, reversed(ledgers[: start.ledger]))
    return max(1, min(estimate.entries, max_entries))


@states("THR-38")
def inside(position: Position, ledgers: Sequence[Ledger]) -> Position:
    """A position before all ledgers is the first entry, one after them the last entry."""
    last = len(ledgers) - 1
    if position.ledger > last:
        return Position(last, max(ledgers[last].entries - 1, 0))
    return Position(0, 0) if position.ledger < 0 else position


@states("THR-38")
def with_ledger(estimate: Estimate, ledger: Ledger, first: int) -> Estimate:
    """One more ledger, read from its entry `first` on.

    Whole if it fits and is read from its start; else as many of its entries as fit, at least one.
    """
    size = ledger.entry_size
    whole = ledger.bytes + ledger.entries * OVERHEAD
    if estimate.rest >= whole and first <= 0:
        return Estimate(estimate.entries + ledger.entries, estimate.rest - whole, size)
    there = max(ledger.entries - first, 1) if first > 0 else ledger.entries
    entries = min(max(1, estimate.rest // size), there)
    return Estimate(estimate.entries + entries, estimate.rest - entries * size, size)


@states("THR-38")
def with_rest(estimate: Estimate, before: Iterator[Ledger]) -> Estimate:
    """Bytes left over are taken for entries of the last size known, or of an earlier ledger's."""
    size = estimate.entry_size
    if size == 0:
        size = next((ledger.entry_size for ledger in before if not ledger.empty), 0)
    if size == 0:
        return estimate
    return replace(estimate, entries=estimate.entries + estimate.rest // size)
