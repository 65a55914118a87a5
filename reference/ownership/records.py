"""Records of the ownership channel: states, fields, and which state may follow which (OWN-1).

Under the extensible manager each bundle has a record, stored in a topic or in metadata nodes. No
record is the state Init. Source: PIP-192; ServiceUnitState, ServiceUnitStateData 4.0.8.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, NewType

from evenkeel.reference import java_text
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Refusal

BrokerId = NewType("BrokerId", str)
BundleName = NewType("BundleName", str)

FIRST_VERSION: Final = 1
LARGEST_VERSION: Final = 2**63 - 1
SMALLEST_VERSION: Final = -(2**63)


class EmptyBroker(Refusal):
    """A record names no broker, though its state needs one."""


class Storage(Enum):
    """Where the records are stored."""

    TOPIC = "SystemTopic"
    NODES = "MetadataStore"

    __hash__ = object.__hash__  # the enumeration's own is many times slower


class State(Enum):
    """The state of a bundle. `Init` is the state of a bundle without a record."""

    INIT = "Init"
    FREE = "Free"
    OWNED = "Owned"
    ASSIGNING = "Assigning"
    RELEASING = "Releasing"
    SPLITTING = "Splitting"
    DELETED = "Deleted"

    __hash__ = object.__hash__  # the enumeration's own is many times slower


IN_FLIGHT: Final = frozenset({State.ASSIGNING, State.RELEASING, State.SPLITTING})
"""States that some broker is expected to end soon."""

ACTIVE: Final = IN_FLIGHT | {State.OWNED}

_FOLLOWERS: Final = {
    State.FREE: frozenset({State.ASSIGNING}),
    State.OWNED: frozenset({State.SPLITTING, State.RELEASING}),
    State.ASSIGNING: frozenset({State.OWNED}),
    State.RELEASING: frozenset({State.ASSIGNING, State.FREE}),
    State.SPLITTING: frozenset({State.DELETED}),
    State.DELETED: frozenset({State.INIT}),
}

FOLLOWERS: Final = {
    # A topic is compacted, so that a reader may see any state first.
    Storage.TOPIC: {
        **_FOLLOWERS,
        State.INIT: frozenset(set(State) - {State.INIT}),
        State.FREE: frozenset({State.ASSIGNING, State.INIT}),
    },
    Storage.NODES: {**_FOLLOWERS, State.INIT: frozenset({State.ASSIGNING})},
}
"""Which states may follow a state, for each storage."""


@states("OWN-1")
def may_follow(storage: Storage, before: State, after: State) -> bool:
    """Is this step in the table of transitions?"""
    return after in FOLLOWERS[storage][before]


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of a bundle.

    `destination` is the present or next owner; `source` the one before. Both together make a
    transfer. `children` are the bundles that a split makes. `force`: the record overrides what
    was there. `published` in ms. Raises `EmptyBroker`.
    """

    state: State
    destination: BrokerId | None
    source: BrokerId | None
    version: int
    force: bool = False
    published: int = 0
    children: tuple[BundleName, ...] = ()

    def __post_init__(self) -> None:
        if self.state is not State.FREE and blank(self.destination) and blank(self.source):
            raise EmptyBroker(f"a record in state {self.state.value} names no broker")

    @property
    def transfer(self) -> bool:
        """Does ownership move from one broker to another?"""
        return bool(self.destination) and bool(self.source)


def blank(broker: BrokerId | None) -> bool:
    """No broker: absent, or nothing but spaces."""
    return broker is None or java_text.is_blank(broker)


def state_of(record: Record | None) -> State:
    """The state of a bundle with this record."""
    return State.INIT if record is None else record.state


@states("OWN-40")
def last_version(record: Record | None, removed: int | None = None) -> int | None:
    """The version of a record, or, without one, the version that is known to have been removed."""
    return removed if record is None else record.version


@states("OWN-2", "OWN-40")
def next_version(record: Record | None, removed: int | None = None) -> int:
    """The version that a successor of this record carries; the largest is followed by the least.

    Without a record: that which follows the removed one, the first if nothing was removed.
    """
    last = last_version(record, removed)
    if last is None:
        return FIRST_VERSION
    return SMALLEST_VERSION if last == LARGEST_VERSION else last + 1


def owner_named_by(record: Record | None) -> BrokerId | None:
    """The owner of the bundle now, by this record: the owner, or the broker that splits it."""
    match state_of(record):
        case State.OWNED:
            return record.destination if record else None
        case State.SPLITTING:
            return record.source if record else None
    return None
