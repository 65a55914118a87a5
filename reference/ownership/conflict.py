"""Which of two records is accepted: every reader and writer decides alike (OWN-2 to OWN-6, OWN-40).

Source: ServiceUnitStateDataConflictResolver 4.0.8.
"""

from __future__ import annotations

from enum import Enum

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.records import (
    FIRST_VERSION,
    LARGEST_VERSION,
    SMALLEST_VERSION,
    Record,
    State,
    Storage,
    blank,
    last_version,
    may_follow,
    state_of,
)
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage


class OwnerlessRecord(Breakage):
    """The owner of an owned bundle is asked for, and the record names none."""


class Order(Enum):
    """How an update's version compares with the version before."""

    OLD = "old"
    NEXT = "next"
    LATER = "later"


@states("OWN-2")
def order(before: int, after: int) -> Order:
    """Old (not newer), next, or later with versions missing between; the largest wraps."""
    if before == LARGEST_VERSION and after == SMALLEST_VERSION:
        return Order.NEXT
    if before >= after:
        return Order.OLD
    return Order.NEXT if before == after - 1 else Order.LATER


@states("OWN-2", "OWN-3", "OWN-4", "OWN-5", "OWN-20", "OWN-40")
def accepts(
    storage: Storage,
    current: Record | None,
    update: Record | None,
    edition: Edition,
    removed: int | None = None,
) -> bool:
    """Whether `update` replaces `current`. None is no record, or its removal.

    A removal always does. Else the version decides first: only the one after that of `current`,
    or, without a record, after the `removed` one, may; in a topic a later one as well, since
    compaction takes messages out. Where nothing is known to have been removed, as always in 4.0,
    a node's first record has version 1. Then `force` is enough; without it the transition and the
    brokers must fit, which for a node's first record does not matter.
    """
    if update is None:
        return True
    last = last_version(current, removed)
    if last is None:
        if storage is Storage.NODES:
            return update.version == FIRST_VERSION
    else:
        match order(last, update.version):
            case Order.OLD:
                return False
            case Order.LATER:
                return storage is Storage.TOPIC
    if update.force or (current is None and storage is Storage.NODES):
        return True
    if not may_follow(storage, state_of(current), update.state):
        return False
    return current is None or brokers_fit(current, update, edition)


@states("OWN-4")
def brokers_fit(current: Record, update: Record, edition: Edition) -> bool:
    """Whether the brokers of an update fit the record before.

    Only the owner's bundle is split or released, and not to itself; assigning, freeing and
    deleting end what was begun, by the same pair of brokers; a free bundle has no source.
    """
    match (current.state, update.state):
        case (State.OWNED, State.SPLITTING):
            return blank(update.destination) and owner_of(current, edition) == update.source
        case (State.OWNED, State.RELEASING):
            return (
                not blank(update.source)
                and owner_of(current, edition) == update.source
                and current.destination != update.destination
            )
        case (State.RELEASING, State.ASSIGNING):
            return not blank(update.destination) and _same_pair(current, update)
        case (State.FREE, State.ASSIGNING):
            return blank(update.source) and not blank(update.destination)
        case (
            (State.ASSIGNING, State.OWNED)
            | (State.RELEASING, State.FREE)
            | (State.SPLITTING, State.DELETED)
        ):
            return _same_pair(current, update)
    return True


@states("OWN-4")
def owner_of(record: Record, edition: Edition) -> str | None:
    """The owner in an owned bundle's record. Raises `OwnerlessRecord`."""
    if record.destination is None and edition.ownerless_records_break:
        raise OwnerlessRecord("the record of the owned bundle names no owner")
    return record.destination


def _same_pair(current: Record, update: Record) -> bool:
    return (current.destination, current.source) == (update.destination, update.source)
