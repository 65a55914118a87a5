"""The commands of `ownership.channel`: what happens to its brokers, and when."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from evenkeel.properties.trial import require


class Bundle(Enum):
    """The bundles of the world."""

    PARENT = "parent"
    LEFT = "left"
    RIGHT = "right"
    OTHER = "other"


def require_broker(place: str, broker: int | None, brokers: int = 3) -> None:
    """A broker of the world."""
    require(broker is None or 0 <= broker < brokers, place, f"must be 0 to {brokers - 1}")


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
class UnloadNamespace(AtBroker):
    """The broker is told to have all bundles of the parent's namespace unloaded."""

    DO: ClassVar[str] = "unload_namespace"


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
    UnloadNamespace
    | Split
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

ChannelCommand = Ask | Assign | Unload | Finish | PlainCommand | Compact | Elapse | Settle
