"""The world of the ownership channel: records, brokers with their views, and what is under way.

Virtual time, no threads: everything that happens is a command (`channel.py`). Four bundles
represent all: a parent, its two halves left and right, and another bundle of another namespace.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NewType

from evenkeel.reference.ownership.records import BrokerId, BundleName, Record, Storage

Half = NewType("Half", str)
"""A part of the hash space that no bundle here divides further."""

PARENT: Final = BundleName("parent")
LEFT: Final = BundleName("left")
RIGHT: Final = BundleName("right")
OTHER: Final = BundleName("other")
BUNDLES: Final = (PARENT, LEFT, RIGHT, OTHER)
CHILDREN: Final = (LEFT, RIGHT)

HALVES: Final = {
    PARENT: (Half("left"), Half("right")),
    LEFT: (Half("left"),),
    RIGHT: (Half("right"),),
    OTHER: (Half("other"),),
}
"""The hashes of each bundle."""

IN_FLIGHT_WAIT: Final = 30_000
"""How long a lookup waits, and how old a record in flight may get, in ms
(`loadBalancerInFlightServiceUnitStateWaitingTimeInMillis`)."""

CLOSING_LIMIT: Final = 60_000
"""After this time (ms) closing counts as done (`namespaceBundleUnloadingTimeoutMs`)."""

STABLE_AFTER: Final = 180_000
"""A session is stable this long (ms) after it was re-established; until then clean-ups wait."""

TOMBSTONE_AFTER: Final = 3_600_000
"""Free and deleted records older than this are removed, in ms
(`loadBalancerServiceUnitStateTombstoneDelayTimeInSeconds`)."""

Ticket = NewType("Ticket", int)
"""A lookup or an assignment that was begun, by the number of its command."""


class Outcome(Enum):
    """How a lookup ends."""

    OWNER = "owner"
    NONE = "none"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Ended:
    """A lookup or an assignment ended: with an owner, with none, or with an error."""

    ticket: Ticket
    outcome: Outcome
    owner: BrokerId | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A record that a broker published, or, None, a removal; `stands`: the storage accepted it.

    A topic takes everything: each reader decides whether it accepts a record.
    """

    writer: BrokerId
    bundle: BundleName
    record: Record | None
    stands: bool


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the topic; a tombstone has no record.

    `of` is the version that a tombstone refers to.
    """

    bundle: BundleName
    record: Record | None
    of: int | None = None


class Then(Enum):
    """What follows when a broker has closed a bundle's topics, or divided its range."""

    PUBLISH = "publish"
    TOMBSTONE = "tombstone"
    NOTHING = "nothing"
    DIVIDE = "divide"


@dataclass(frozen=True, slots=True)
class Work:
    """Something that takes its time at a broker: closing topics, or dividing a range.

    `closes`: the hashes whose topics are being closed; topics opened meanwhile are not among them.
    """

    bundle: BundleName
    then: Then
    cause: Record | None
    begun: int
    closes: frozenset[Half] = frozenset()


@dataclass(slots=True)
class Waiting:
    """Lookups at one broker that wait for a bundle's owner together.

    `checked` lookups check at the end that the owner is alive; assignments do not.
    """

    since: int
    checked: list[Ticket] = field(default_factory=list)
    assigning: list[Ticket] = field(default_factory=list)


@dataclass(slots=True)
class Broker:
    """A broker's process.

    `view`: the records it knows; `position`: how many of the topic's messages it has read, and
    `notified`: changed nodes that it has not read again. `serves`: the
    hashes whose topics it has open. `notices`: registrations that came or went, not yet seen.
    `cleanups`: brokers whose bundles are to be taken away, and when. `removed`: the version of
    the last record, of bundles of which it has none any more.
    """

    name: BrokerId
    alive: bool = True
    registered: bool = True
    connected: bool = True
    disabled: bool = False
    stable_from: int = -STABLE_AFTER - 1
    view: dict[BundleName, Record] = field(default_factory=dict)
    position: int = 0
    notified: deque[BundleName] = field(default_factory=deque)
    serves: set[Half] = field(default_factory=set)
    waiting: dict[BundleName, Waiting] = field(default_factory=dict)
    works: list[Work] = field(default_factory=list)
    notices: deque[tuple[BrokerId, bool]] = field(default_factory=deque)
    cleanups: dict[BrokerId, int] = field(default_factory=dict)
    removed: dict[BundleName, int] = field(default_factory=dict)


@dataclass(slots=True)
class World:
    """The whole state. `log` and `retained`: the topic; `nodes` and `removed`: the metadata store.

    `retained` marks the messages that compaction has left. `removed`: the versions of the last
    records of bundles that have no node any more. `divided`: the namespace's bundles are the
    halves. `ended` and `written` collect what a command brings about.
    """

    storage: Storage
    brokers: dict[BrokerId, Broker]
    leader: BrokerId | None
    now: int = 0
    divided: bool = False
    log: list[Message] = field(default_factory=list)
    retained: list[bool] = field(default_factory=list)
    nodes: dict[BundleName, Record] = field(default_factory=dict)
    removed: dict[BundleName, int] = field(default_factory=dict)
    ended: list[Ended] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)

    def live(self) -> list[Broker]:
        """The brokers whose process runs."""
        return [broker for broker in self.brokers.values() if broker.alive]

    def is_registered(self, name: BrokerId | None) -> bool:
        """Is this broker registered in the metadata store?"""
        broker = self.brokers.get(name) if name is not None else None
        return broker is not None and broker.alive and broker.registered

    def leads(self, broker: Broker) -> bool:
        """Is this broker the leader?"""
        return self.leader == broker.name

    def is_current(self, bundle: BundleName) -> bool:
        """Is it a bundle of its namespace now?"""
        return bundle == OTHER or (bundle in CHILDREN) == self.divided
