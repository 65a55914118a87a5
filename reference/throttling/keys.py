"""A Key_Shared subscription: which consumer gets which entry (THR-77 to THR-80)."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.replacing import replace


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

    `held`: keys and consumers that did not acknowledge all that they got of them.
    """

    permits: tuple[int, ...] = ()
    published: int = 0
    waiting: tuple[Entry, ...] = ()
    held: frozenset[tuple[int, int]] = frozenset()


@states("THR-43", "THR-77", "THR-78", "THR-79", "THR-80")
def look(keyed: Keyed) -> tuple[Keyed, tuple[Sent, ...]]:
    """Deliver what can go, in the order of publication."""
    sent: list[Sent] = []
    left: list[Entry] = []
    for entry in keyed.waiting:
        consumer = None if entry.early else receiver(keyed, entry.key)
        if consumer is None:
            left.append(entry)
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
