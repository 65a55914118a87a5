"""Trials and answers about the ownership channel: `ownership.transition`, `.conflict`, `.channel`.

Brokers are numbers from 0. Time is virtual and in ms. The bundles are a parent, its two halves
and another one of another namespace.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.trial import require
from evenkeel.reference.ownership.records import State, Storage

LONG = 2**63


class Bundle(Enum):
    """The bundles of the world."""

    PARENT = "parent"
    LEFT = "left"
    RIGHT = "right"
    OTHER = "other"


class HalfName(Enum):
    """Parts of the hash space: the parent's two halves, and the other bundle."""

    LEFT = "left"
    RIGHT = "right"
    OTHER = "other"


def require_broker(place: str, broker: int | None, brokers: int = 3) -> None:
    """A broker of the world."""
    require(broker is None or 0 <= broker < brokers, place, f"must be 0 to {brokers - 1}")


# ------------------------------------------------------------------------------- transition


@dataclass(frozen=True, slots=True)
class TransitionTrial:
    """`ownership.transition`: may a record in state `after` follow one in state `before`?"""

    storage: Storage
    before: State
    after: State


@dataclass(frozen=True, slots=True)
class TransitionAnswer:
    """Whether it may."""

    allowed: bool


# --------------------------------------------------------------------------------- conflict


@dataclass(frozen=True, slots=True)
class RecordData:
    """A record: brokers as texts, null or blank for none."""

    state: State
    destination: str | None
    source: str | None
    version: int
    force: bool = False

    def __post_init__(self) -> None:
        require(-LONG <= self.version < LONG, "version", "must be a 64-bit integer")
        named = any(name is not None and name.strip() for name in (self.destination, self.source))
        require(named or self.state is State.FREE, "state", "needs a broker unless it is Free")


@dataclass(frozen=True, slots=True)
class ConflictTrial:
    """`ownership.conflict`: does `update` take the place of `current`? Null: no record, removal."""

    storage: Storage
    current: RecordData | None
    update: RecordData | None


@dataclass(frozen=True, slots=True)
class ConflictAnswer:
    """Whether it does."""

    accepted: bool


# ---------------------------------------------------------------------------------- channel


@dataclass(frozen=True, slots=True)
class AtBroker:
    """What the commands below have in common."""

    broker: int

    def __post_init__(self) -> None:
        require_broker("broker", self.broker)


@dataclass(frozen=True, slots=True)
class Ask(AtBroker):
    """A client asks the broker who owns a bundle; the lookup's ticket is the command's number."""

    DO: ClassVar[str] = "ask"
    bundle: Bundle


@dataclass(frozen=True, slots=True)
class Assign(AtBroker):
    """The broker, asked for an unowned bundle, assigns it to another or to itself."""

    DO: ClassVar[str] = "assign"
    bundle: Bundle
    to: int

    def __post_init__(self) -> None:
        require_broker("broker", self.broker)
        require_broker("to", self.to)


@dataclass(frozen=True, slots=True)
class Unload(AtBroker):
    """The broker is told to have a bundle unloaded; with `to`, transferred."""

    DO: ClassVar[str] = "unload"
    bundle: Bundle
    to: int | None

    def __post_init__(self) -> None:
        require_broker("broker", self.broker)
        require_broker("to", self.to)


@dataclass(frozen=True, slots=True)
class Split(AtBroker):
    """The broker is told to have the parent split into its halves."""

    DO: ClassVar[str] = "split"


@dataclass(frozen=True, slots=True)
class Read(AtBroker):
    """The broker reads the next change of a record that it has not seen."""

    DO: ClassVar[str] = "read"


@dataclass(frozen=True, slots=True)
class Finish(AtBroker):
    """The oldest work of the broker on a bundle ends: topics closed, or the range divided."""

    DO: ClassVar[str] = "finish"
    bundle: Bundle
    fails: bool


@dataclass(frozen=True, slots=True)
class Notice(AtBroker):
    """The broker sees the next registration that came or went."""

    DO: ClassVar[str] = "notice"


@dataclass(frozen=True, slots=True)
class Clean(AtBroker):
    """The broker runs the clean-ups that are due."""

    DO: ClassVar[str] = "clean"


@dataclass(frozen=True, slots=True)
class Monitor(AtBroker):
    """The broker's ownership monitor runs."""

    DO: ClassVar[str] = "monitor"


@dataclass(frozen=True, slots=True)
class Crash(AtBroker):
    """The broker's process ends."""

    DO: ClassVar[str] = "crash"


@dataclass(frozen=True, slots=True)
class RestartBroker(AtBroker):
    """The broker's process begins anew."""

    DO: ClassVar[str] = "restart"


@dataclass(frozen=True, slots=True)
class LoseSession(AtBroker):
    """The broker's session with the metadata store ends."""

    DO: ClassVar[str] = "lose_session"


@dataclass(frozen=True, slots=True)
class RegainSession(AtBroker):
    """The broker has a session again."""

    DO: ClassVar[str] = "regain_session"


@dataclass(frozen=True, slots=True)
class ShutDown(AtBroker):
    """The broker gives its bundles away."""

    DO: ClassVar[str] = "shut_down"


@dataclass(frozen=True, slots=True)
class Elect(AtBroker):
    """The broker becomes the leader."""

    DO: ClassVar[str] = "elect"


@dataclass(frozen=True, slots=True)
class Compact:
    """The topic is compacted; nodes are left alone."""

    DO: ClassVar[str] = "compact"


@dataclass(frozen=True, slots=True)
class Elapse:
    """So many milliseconds pass, 10^8 at most."""

    DO: ClassVar[str] = "elapse"
    millis: int

    def __post_init__(self) -> None:
        require(0 <= self.millis <= 10**8, "millis", "must be 0 to 10^8")


@dataclass(frozen=True, slots=True)
class Settle:
    """A fair schedule without further faults, until nothing happens any more."""

    DO: ClassVar[str] = "settle"


PlainCommand = (
    Split
    | Read
    | Notice
    | Clean
    | Monitor
    | Crash
    | RestartBroker
    | LoseSession
    | RegainSession
    | ShutDown
    | Elect
)

ChannelCommand = (
    Ask
    | Assign
    | Unload
    | Split
    | Read
    | Finish
    | Notice
    | Clean
    | Monitor
    | Crash
    | RestartBroker
    | LoseSession
    | RegainSession
    | ShutDown
    | Elect
    | Compact
    | Elapse
    | Settle
)


@dataclass(frozen=True, slots=True)
class ChannelTrial:
    """`ownership.channel`: so many brokers that run, without records; broker 0 leads."""

    storage: Storage
    brokers: int
    commands: tuple[ChannelCommand, ...]

    def __post_init__(self) -> None:
        require(2 <= self.brokers <= 3, "brokers", "must be 2 or 3")
        for index, command in enumerate(self.commands):
            for name in ("broker", "to"):
                place = f"commands[{index}].{name}"
                require_broker(place, getattr(command, name, None), self.brokers)


@dataclass(frozen=True, slots=True)
class Done:
    """The command did what it does."""

    DO: ClassVar[str] = "done"


@dataclass(frozen=True, slots=True)
class ReadOf:
    """Answer to `Read`: the bundle whose change was read, null if there was none."""

    DO: ClassVar[str] = "read_of"
    bundle: Bundle | None


class LookupEnd(Enum):
    """How a lookup or an assignment ends."""

    OWNER = "owner"
    NONE = "none"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A lookup or an assignment that ended; `ticket` is the number of the command that began it."""

    ticket: int
    end: LookupEnd
    owner: int | None


@dataclass(frozen=True, slots=True)
class Write:
    """A record that a broker published, null a removal; `stands`: the storage took it."""

    writer: int
    bundle: Bundle
    record: RecordData | None
    stands: bool


@dataclass(frozen=True, slots=True)
class Served:
    """The hashes whose topics a broker has open."""

    broker: int
    hashes: tuple[HalfName, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A record in a broker's view."""

    broker: int
    bundle: Bundle
    record: RecordData


@dataclass(frozen=True, slots=True)
class Step:
    """What one command brought about.

    `ended` in the order of tickets, `wrote` as it was published, `serves` for every broker that
    serves anything. After `Settle` also every broker's view.
    """

    result: Done | ReadOf | CommandRefused | CommandBroke
    ended: tuple[Lookup, ...]
    wrote: tuple[Write, ...]
    serves: tuple[Served, ...]
    views: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class ChannelAnswer:
    """One step for each command."""

    steps: tuple[Step, ...]
