"""A Key_Shared subscription: which consumer gets which entry (THR-77 to THR-82)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.switches.throttling import Unbounded
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.replacing import replace

MANY: Final = 2**31 - 1
"""Of entries: no limit."""


@dataclass(frozen=True, slots=True)
class LookAhead:
    """How many entries may wait that a dispatcher has read, 0: any number. `classic`: it is that
    from before 4.0.
    """

    each: int
    all: int
    classic: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry that was not delivered yet; `early`: it is delayed, and not due."""

    number: int
    key: int
    early: bool


@dataclass(frozen=True, slots=True)
class Sent:
    """The entry, numbered as they were published, went to the consumer."""

    entry: int
    consumer: int


@dataclass(frozen=True, slots=True)
class Keyed:
    """A subscription: the permits of its consumers as they came, and the entries that wait.

    `held`: keys and consumers that did not acknowledge all that they got of them; `read`: of how
    many entries it knows whose they are.
    """

    permits: tuple[int, ...] = ()
    published: int = 0
    waiting: tuple[Entry, ...] = ()
    held: frozenset[tuple[int, int]] = frozenset()
    read: int = 0


@states("THR-81", "THR-82")
def may_wait(ahead: LookAhead, consumers: int, edition: Edition) -> int:
    """How many entries may wait that were read and could not go, before no more are read.

    Source: Pulsar `PersistentStickyKeyDispatcherMultipleConsumers.getEffectiveLookAheadLimit`
    4.0.8.
    """
    unbounded = edition.look_ahead_unbounded
    if unbounded is Unbounded.ALL or (ahead.classic and unbounded is Unbounded.CLASSIC):
        return MANY
    limits = (ahead.each * consumers, ahead.all)
    if edition.look_ahead_wraps and ahead.each > 0:
        product = (limits[0] + 2**31) % 2**32 - 2**31
        limits = (product, ahead.all if product > 0 else 0)
    return min((limit for limit in limits if limit > 0), default=MANY)


@states("THR-43", "THR-77", "THR-78", "THR-79", "THR-80", "THR-81", "THR-82")
def look(keyed: Keyed, most: int = MANY) -> tuple[Keyed, tuple[Sent, ...]]:
    """Deliver what can go, in the order of publication; `most` may wait of what was read."""
    sent: list[Sent] = []
    left: list[Entry] = []
    waits = 0
    for entry in keyed.waiting:
        if entry.number >= keyed.read and waits >= most:
            left.append(entry)
            continue
        keyed = replace(keyed, read=max(keyed.read, entry.number + 1))
        consumer = None if entry.early else receiver(keyed, entry.key)
        if consumer is None:
            left.append(entry)
            waits += not entry.early
        else:
            sent.append(Sent(entry.number, consumer))
            keyed = flow(replace(keyed, held=keyed.held | {(entry.key, consumer)}), consumer, -1)
    return replace(keyed, waiting=tuple(left)), tuple(sent)


@states("THR-43", "THR-78")
def receiver(keyed: Keyed, key: int) -> int | None:
    """Who gets an entry of this key now: its consumer, if it has permits and no other holds one."""
    if not keyed.permits:
        return None
    own = key % len(keyed.permits)
    others = any(held == key and consumer != own for held, consumer in keyed.held)
    return None if others or keyed.permits[own] <= 0 else own


def flow(keyed: Keyed, consumer: int, more: int) -> Keyed:
    """A consumer has this many more permits."""
    permits = list(keyed.permits)
    permits[consumer] += more
    return replace(keyed, permits=tuple(permits))
