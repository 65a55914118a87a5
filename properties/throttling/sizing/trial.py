"""Trials and answers about estimates: `throttling.averages`, `throttling.entries_for_bytes`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.throttling.commands import (
    EXACT,
)
from evenkeel.properties.trial import require
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import sizing
from evenkeel.reference.throttling.sizing import Ledger, Position, Sizes


@dataclass(frozen=True, slots=True)
class Send:
    """A consumer is sent so many messages in so many entries; every entry holds at least one."""

    messages: int
    entries: int

    def __post_init__(self) -> None:
        require(0 < self.entries < 2**31, "entries", "must be above 0 and below 2^31")
        fits = self.entries <= self.messages < 2**31
        require(fits, "messages", "must be as many as entries or more, below 2^31")


@dataclass(frozen=True, slots=True)
class AveragesTrial:
    """`throttling.averages`: how many messages per entry has a consumer been sent on average?"""

    sends: tuple[Send, ...]


@dataclass(frozen=True, slots=True)
class AveragesAnswer:
    """The average after each send, rounded to a whole number."""

    averages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EntriesForBytesTrial:
    """`throttling.entries_for_bytes`: how many entries does a read of so many bytes ask for?

    A topic is stored in `ledgers`, of which the last is still written to if `writable`. The read
    begins at `position`, which may lie outside of them (ledger -1: at the earliest entry; a ledger
    behind the last: at the latest). `max_bytes` -1: no limit. `publish_size` and `dispatch_size`
    are the topic's average entry sizes as published and as read, null if unknown.
    """

    max_entries: int
    max_bytes: int
    ledgers: tuple[Ledger, ...]
    writable: bool
    position: Position
    publish_size: int | None
    dispatch_size: int | None

    def __post_init__(self) -> None:
        require(0 < self.max_entries < 2**31, "max_entries", "must be above 0 and below 2^31")
        bytes_fit = self.max_bytes == -1 or 0 < self.max_bytes < EXACT
        require(bytes_fit, "max_bytes", "must be -1, or above 0 and below 2^53")
        require(len(self.ledgers) > 0, "ledgers", "must have at least one ledger")
        for index, ledger in enumerate(self.ledgers):
            require(0 <= ledger.entries < 2**31, f"ledgers[{index}]", "entries must be 0 or more")
            require(0 <= ledger.bytes < EXACT, f"ledgers[{index}]", "bytes must be 0 or more")
        inside = -1 <= self.position.ledger <= len(self.ledgers)
        require(inside, "position.ledger", "must be -1 to the number of ledgers")
        require(0 <= self.position.entry < 2**31, "position.entry", "must be 0 or more")
        for name in ("publish_size", "dispatch_size"):
            size = getattr(self, name)
            require(size is None or 0 < size < EXACT, name, "must be null or above 0")


@dataclass(frozen=True, slots=True)
class EntriesForBytesAnswer:
    """The number of entries, never less than one."""

    entries: int


def answer_averages(trial: AveragesTrial, edition: Edition) -> AveragesAnswer:
    del edition
    average, published = 0.0, []
    for send in trial.sends:
        average = sizing.average_after(average, send.messages, send.entries)
        published.append(sizing.published_average(average))
    return AveragesAnswer(tuple(published))


def answer_entries_for_bytes(
    trial: EntriesForBytesTrial, edition: Edition
) -> EntriesForBytesAnswer:
    sizes = Sizes(trial.publish_size, trial.dispatch_size)
    return EntriesForBytesAnswer(
        sizing.entries_for_bytes(
            trial.max_entries, trial.max_bytes, trial.ledgers, trial.position, sizes, edition
        )
    )


def averages_labels(trial: AveragesTrial) -> Iterator[str]:
    if not trial.sends:
        yield "no sends"
    exact = {(send.messages, send.entries) for send in trial.sends}
    yield "equal sends" if len(exact) <= 1 else "different sends"
    if any(send.messages % send.entries for send in trial.sends):
        yield "uneven batches"


def entries_for_bytes_labels(trial: EntriesForBytesTrial) -> Iterator[str]:
    yield "one ledger" if len(trial.ledgers) == 1 else "several ledgers"
    if trial.max_bytes == -1:
        yield "no byte limit"
    if not 0 <= trial.position.ledger < len(trial.ledgers):
        yield "position outside"
    elif trial.position.entry > 0:
        yield "inside a ledger"
    if all(ledger.empty for ledger in trial.ledgers):
        yield "only empty ledgers"
    if trial.publish_size is None:
        yield "no publish size" if trial.dispatch_size is not None else "no sizes known"
