"""Which record may take the place of which, as OWN-1 to OWN-5 say it: for judges."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from evenkeel.properties.ownership.records.trial import RecordData
from evenkeel.reference import java_text
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.records import (
    FIRST_VERSION,
    LARGEST_VERSION,
    SMALLEST_VERSION,
    Record,
    State,
    Storage,
)

AnyRecord: TypeAlias = RecordData | Record

TABLE: Final = frozenset(
    {
        (State.FREE, State.ASSIGNING),
        (State.OWNED, State.SPLITTING),
        (State.OWNED, State.RELEASING),
        (State.ASSIGNING, State.OWNED),
        (State.RELEASING, State.ASSIGNING),
        (State.RELEASING, State.FREE),
        (State.SPLITTING, State.DELETED),
        (State.DELETED, State.INIT),
    }
)
"""What both storages allow, of states that a record has."""


def in_table(storage: Storage, before: State, after: State) -> bool:
    """OWN-1."""
    if before is State.INIT:
        topic = storage is Storage.TOPIC
        return after is not State.INIT if topic else after is State.ASSIGNING
    freed = (before, after) == (State.FREE, State.INIT)
    return (before, after) in TABLE or (freed and storage is Storage.TOPIC)


def distance(before: int, after: int) -> int:
    """By how many versions `after` is newer; after the largest comes the smallest."""
    return 1 if (before, after) == (LARGEST_VERSION, SMALLEST_VERSION) else after - before


class Ruling(NamedTuple):
    """Whether a record takes another's place, and the clause that says so; None: 4.0 fails."""

    clause: str
    accepted: bool | None


def ruling(
    storage: Storage,
    current: AnyRecord | None,
    update: AnyRecord | None,
    edition: Edition,
    removed: int | None = None,
) -> Ruling:
    """`removed`: without a `current` record, the version that is known to have been removed."""
    if update is None:
        return Ruling("OWN-5", True)
    node = storage is Storage.NODES
    last = removed if current is None else current.version
    if last is None and node:
        return Ruling("OWN-3", update.version == FIRST_VERSION)
    if last is not None and (newer := distance(last, update.version)) != 1:
        return Ruling("OWN-2", newer > 1 and not node)
    if update.force or (current is None and node):
        return Ruling("OWN-4", True)
    if not in_table(storage, State.INIT if current is None else current.state, update.state):
        return Ruling("OWN-4", False)
    return Ruling("OWN-4", current is None or brokers_fit(current, update, edition))


def brokers_fit(current: AnyRecord, update: AnyRecord, edition: Edition) -> bool | None:
    """OWN-4, of a step of the table."""
    owner, gets, gives = current.destination, update.destination, update.source
    same_pair = (gets, gives) == (owner, current.source)
    match current.state, update.state:
        case State.OWNED, _:
            splits = update.state is State.SPLITTING
            if not is_blank(gets) if splits else is_blank(gives):
                return False
            if owner is None and edition.ownerless_records_break:
                return None
            return owner == gives and (splits or owner != gets)
        case State.FREE, State.ASSIGNING:
            return is_blank(gives) and not is_blank(gets)
        case State.RELEASING, State.ASSIGNING:
            return same_pair and not is_blank(gets)
        case (State.INIT, _) | (_, State.INIT):
            return True
    return same_pair


def is_blank(broker: str | None) -> bool:
    """No broker: absent, or nothing but spaces."""
    return broker is None or java_text.is_blank(broker)
