"""A Key_Shared subscription: which consumer gets which entry (THR-77 to THR-82, THR-102, 103)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

    `held`: entries that were not acknowledged, and who has them; `read`: of how many entries it
    knows whose they are; `gone`: who left; `recent`: who came while something was held, behind the
    place up to which it had read then; `moved`: what was held when its key moved to another
    consumer, each time; `unheld`: a key moves also while another has entries of it; `owner`: the
    rule by which keys are divided among those who are there, if it is another (chapter scaling).
    """

    permits: tuple[int, ...] = ()
    published: int = 0
    waiting: tuple[Entry, ...] = ()
    held: frozenset[tuple[Entry, int]] = frozenset()
    read: int = 0
    gone: frozenset[int] = frozenset()
    recent: tuple[tuple[int, int], ...] = ()
    moved: tuple[tuple[Entry, int], ...] = ()
    unheld: bool = False
    owner: Callable[[int, Sequence[int]], int] | None = None

    @property
    def here(self) -> list[int]:
        """Who is there."""
        return [one for one in range(len(self.permits)) if one not in self.gone]


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
    if not keyed.here:  # nothing is read
        return keyed, ()
    sent: list[Sent] = []
    left: list[Entry] = []
    waits = 0
    for entry in keyed.waiting:
        if entry.number >= keyed.read and waits >= most:
            left.append(entry)
            continue
        keyed = replace(keyed, read=max(keyed.read, entry.number + 1))
        consumer = None if entry.early else receiver(keyed, entry)
        if consumer is None:
            left.append(entry)
            waits += not entry.early
        else:
            sent.append(Sent(entry.number, consumer))
            keyed = flow(replace(keyed, held=keyed.held | {(entry, consumer)}), consumer, -1)
    return replace(keyed, waiting=tuple(left)), tuple(sent)


@states("THR-43", "THR-78")
def receiver(keyed: Keyed, entry: Entry) -> int | None:
    """Who gets an entry now: its key's consumer, if it has permits and no other holds the key."""
    own = consumer_of(keyed, entry.key)
    held = keyed.held | {pair for pair in keyed.moved if keyed.moved.count(pair) > 1}
    others = not keyed.unheld and any(
        one.key == entry.key and consumer != own for one, consumer in held
    )
    late = any(own == consumer and entry.number >= place for place, consumer in keyed.recent)
    return None if others or late or keyed.permits[own] <= 0 else own


def consumer_of(keyed: Keyed, key: int) -> int:
    """Whose a key is, of the consumers that are there."""
    if keyed.owner is not None:
        return keyed.owner(key, keyed.here)
    return keyed.here[key % len(keyed.here)]


@states("THR-77", "THR-78", "THR-79", "THR-103")
def begin(classic: bool, out_of_order: bool, edition: Edition) -> Keyed:
    """No consumer is there. Out of order, and by edition with the classic dispatcher, keys move at
    once.
    """
    return Keyed(unheld=out_of_order or (classic and edition.classic_keys_move_at_once))


@states("THR-79", "THR-80")
def join(keyed: Keyed, keeps: bool, edition: Edition) -> Keyed:
    """One more consumer comes. `keeps`: from it, as the classic dispatcher in order, what was not
    read yet, until all that was is acknowledged.

    Source: Pulsar `PersistentStickyKeyDispatcherMultipleConsumersClassic.addConsumer` 4.0.8.
    """
    recent = keyed.recent
    if keeps and keyed.here:
        recent = tuple(sorted((*recent, (keyed.read, len(keyed.permits)))))
    joined = lift(replace(keyed, permits=(*keyed.permits, 0), recent=recent))
    return joined if keeps else count_moves(keyed, joined, edition)


@states("THR-77", "THR-79", "THR-80", "THR-102")
def leave(keyed: Keyed, consumer: int) -> Keyed:
    """A consumer goes, and what it has is to be delivered again; after the last one all is read
    again.
    """
    back = {entry for entry, one in keyed.held if one == consumer}
    keyed = replace(
        keyed,
        waiting=tuple(sorted({*keyed.waiting, *back}, key=lambda entry: entry.number)),
        held=frozenset(one for one in keyed.held if one[1] != consumer),
        gone=keyed.gone | {consumer},
        recent=tuple(one for one in keyed.recent if one[1] != consumer),
    )
    return lift(keyed if keyed.here else replace(keyed, read=0, moved=()))


@states("THR-79")
def reads_after(keyed: Keyed, consumer: int, edition: Edition) -> bool:
    """Whether the dispatcher reads when a consumer leaves, by edition only for what comes back."""
    comes_back = any(holder == consumer for _, holder in keyed.held)
    return comes_back or not edition.idle_leavers_read_nothing


@states("THR-79")
def count_moves(before: Keyed, after: Keyed, edition: Edition) -> Keyed:
    """By edition, what is held of a key counts each time that the key moves away."""
    if not edition.moved_keys_counted_again or not before.here:
        return after
    away = [
        (entry, consumer)
        for entry, consumer in after.held
        if consumer_of(before, entry.key) == consumer != consumer_of(after, entry.key)
    ]
    return replace(after, moved=(*after.moved, *away))


def acknowledge(keyed: Keyed) -> Keyed:
    """All that was delivered is acknowledged."""
    return lift(replace(keyed, held=frozenset()))


def lift(keyed: Keyed) -> Keyed:
    """Keep nothing more from those behind whose place all is acknowledged, in their order."""
    left = [*keyed.waiting, *(entry for entry, _ in keyed.held)]
    done = min((entry.number for entry in left), default=keyed.published)
    recent = keyed.recent if len(keyed.here) > 1 else ()
    while recent and recent[0][0] <= done:
        recent = recent[1:]
    return replace(keyed, recent=recent)


def flow(keyed: Keyed, consumer: int, more: int) -> Keyed:
    """A consumer has this many more permits."""
    permits = list(keyed.permits)
    permits[consumer] += more
    return replace(keyed, permits=tuple(permits))
