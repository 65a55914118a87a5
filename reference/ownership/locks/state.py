"""What the lock protocol knows: brokers, their sessions, nodes, and everything under way.

A bundle belongs to the broker that holds its *lock*: an ephemeral *node* of the metadata store,
which the store deletes when the session that created it ends. Everything asynchronous is data here:
an operation waits in a queue until a step has the store answer it, a notification until one has it
delivered; so an interleaving is a list of steps. Brokers and bundles are numbered from 0.

The state is changed in place: one `World` serves one list of commands.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

NEW: Final = -1
"""The version that a node is expected to have which does not exist."""


class Sort(Enum):
    """What a bundle is named after: nothing, or a broker, for that broker's heartbeat topics or
    for those that monitor it.

    Both are that broker's while it is there. Without it the former has none; the latter is then
    assigned like any other bundle.
    """

    PLAIN = "plain"
    HEARTBEAT = "heartbeat"
    MONITOR = "monitor"


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle; `broker` counts only if it is named after one."""

    sort: Sort
    broker: int


@dataclass(frozen=True, slots=True)
class Node:
    """A lock's node: its holder, the session that created it, its version."""

    holder: int
    session: int
    version: int


class LockState(Enum):
    """Where a lock is in its life."""

    INIT = "init"
    VALID = "valid"
    RELEASING = "releasing"
    RELEASED = "released"


@dataclass(slots=True, eq=False)
class Lock:
    """One acquisition of one bundle by one broker.

    `expired`: its loss was announced. `flagged`: to be re-validated when the connection is back.
    `validations`: re-validations under way and waiting, each whether a session event waits for it.
    """

    bundle: int
    state: LockState = LockState.INIT
    version: int = NEW
    expired: bool = False
    flagged: bool = False
    validations: deque[bool] = field(default_factory=deque)


class BundleState(Enum):
    """What a broker says of a bundle itself. ACQUIRING: it makes the node, or is about to; one that
    only asks who holds it has NONE. UNLOADING: it closes the topics and gives up the node.
    """

    NONE = "none"
    ACQUIRING = "acquiring"
    SERVING = "serving"
    UNLOADING = "unloading"


@dataclass(slots=True, eq=False)
class Owned:
    """A bundle in a broker's own list. `waiting`: lookups that wait for the acquisition."""

    lock: Lock
    standing: BundleState = BundleState.ACQUIRING
    waiting: list[Search] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Cached:
    """What a broker believes of a node. `known`: the read has come back; then `holder`, or None
    where there was no node. `waiting`: lookups that wait for the read.
    """

    known: bool = False
    holder: int | None = None
    waiting: list[Search] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Request:
    """What a lookup asks. `preferred`: the broker that the load manager picks if it is asked (the
    next one that is there).
    """

    bundle: int
    authoritative: bool
    read_only: bool
    preferred: int


Key = tuple[int, bool, bool]
"""Lookups that are joined: of one bundle, with the same authority, alike read-only."""


@dataclass(slots=True, eq=False)
class Search:
    """A search for a bundle's owner, of the lookups that asked the same meanwhile."""

    key: Key
    request: Request
    lookups: list[int]


@dataclass(slots=True, eq=False)
class Unload:
    """An unload that closes the topics of what was owned. `number`: the command, None for none."""

    owned: Owned
    number: int | None


class Verb(Enum):
    """What an operation does at the store."""

    READ = "read"
    CREATE = "create"
    DELETE = "delete"


class Stage(Enum):
    """What an operation belongs to.

    LOOK, CLEAR, AGAIN: a re-validation reads the node, deletes an old one of its own, makes a new.
    """

    CACHE = "cache"
    ACQUIRE = "acquire"
    LOOK = "look"
    CLEAR = "clear"
    AGAIN = "again"
    RELEASE = "release"


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """An operation of one broker on one bundle's node that the store has not answered yet.

    `subject`: what continues with its answer. `version`: the one the node must have.
    """

    verb: Verb
    stage: Stage
    bundle: int
    version: int = NEW
    cached: Cached | None = None
    owned: Owned | None = None
    lock: Lock | None = None
    unload: Unload | None = None


class Fault(Enum):
    """Why an operation failed."""

    BAD_VERSION = "bad version"
    NOT_FOUND = "not found"
    NO_CONNECTION = "no connection"


class Change(Enum):
    """What a notification says of a node."""

    CREATED = "created"
    DELETED = "deleted"


class SessionEvent(Enum):
    """What a broker learns about its session once it is connected again."""

    RECONNECTED = "reconnected"
    REESTABLISHED = "reestablished"


@dataclass(slots=True, eq=False)
class Broker:
    """One broker process and its session.

    `leader`: the leader as this broker knows it. `locks`: the lock manager's, by bundle;
    `acquired`: the ones a release looks for. `events`: session events, the first being dealt with,
    which waits for `awaited` re-validations. `retries`: locks to be re-validated again later.
    `turns`: by bundle the acquisitions and releases, in order; the first one is under way.
    """

    number: int
    session: int
    leader: int | None = None
    running: bool = True
    stopping: bool = False
    connected: bool = True
    expired: bool = False
    locks: dict[int, Lock] = field(default_factory=dict)
    acquired: dict[int, Lock] = field(default_factory=dict)
    owned: dict[int, Owned] = field(default_factory=dict)
    cache: dict[int, Cached] = field(default_factory=dict)
    finding: dict[Key, Search] = field(default_factory=dict)
    operations: dict[int, deque[Operation]] = field(default_factory=dict)
    notifications: dict[int, deque[Change]] = field(default_factory=dict)
    closing: dict[int, deque[Unload]] = field(default_factory=dict)
    events: deque[SessionEvent] = field(default_factory=deque)
    awaited: int = 0
    retries: deque[Lock] = field(default_factory=deque)
    turns: dict[int, deque[Search | Unload]] = field(default_factory=dict)

    def standing(self, bundle: int) -> BundleState:
        """What this broker says of a bundle."""
        owned = self.owned.get(bundle)
        return owned.standing if self.running and owned is not None else BundleState.NONE


class Outcome(Enum):
    """How a lookup or an unload ended.

    OWNER names the bundle's owner, this broker or another: the client is sent there and is served.
    REDIRECT names a broker that the client should ask next. EMPTY: no owner. UNLOADING: the broker
    is unloading it. FAILED: any other error. DONE: the unload has ended. REFUSED: there was nothing
    to unload.
    """

    OWNER = "owner"
    REDIRECT = "redirect"
    EMPTY = "empty"
    UNLOADING = "unloading"
    FAILED = "failed"
    DONE = "done"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Ended:
    """The lookup or unload with this number has ended. `authoritative`: the flag of a redirect."""

    number: int
    outcome: Outcome
    broker: int | None = None
    authoritative: bool = False


@dataclass(slots=True, eq=False)
class World:
    """Everything. `lingering`: sessions of processes that crashed, with their broker's number.
    `ended`: what has ended since it was last asked.
    """

    bundles: Sequence[Bundle]
    brokers: list[Broker]
    nodes: dict[int, Node] = field(default_factory=dict)
    sessions: int = 0
    lingering: list[tuple[int, int]] = field(default_factory=list)
    versions: int = 0
    ended: list[Ended] = field(default_factory=list)


def new_world(brokers: int, bundles: Sequence[Bundle], leader: int | None) -> World:
    """Brokers that have just started, and all take the same one for the leader."""
    started = [Broker(number, number, leader) for number in range(brokers)]
    return World(bundles, started, sessions=brokers)


def available(world: World) -> list[int]:
    """The brokers that are registered: their session is alive and they are not stopping."""
    return [b.number for b in world.brokers if not b.expired and not b.stopping]


def session_lives(world: World, broker: Broker) -> bool:
    """The store can carry out operations of this broker."""
    return broker.running and broker.connected and not broker.expired
