"""The commands of `ownership.channel`: what happens to its brokers, and when."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, ClassVar

from evenkeel.properties.trial import Tagged, Within, require


class Bundle(Enum):
    """The bundles of the world: the only one of a namespace, its halves, and one of another."""

    PARENT = "parent"
    LEFT = "left"
    RIGHT = "right"
    OTHER = "other"


def require_broker(place: str, broker: int | None, brokers: int = 3) -> None:
    """A broker of the world."""
    require(broker is None or 0 <= broker < brokers, place, f"must be 0 to {brokers - 1}")


BrokerNumber = Annotated[int, Within(0, 2)]


@dataclass(frozen=True, slots=True)
class AtBroker(Tagged):
    """What the commands below have in common."""

    broker: BrokerNumber


@dataclass(frozen=True, slots=True)
class Ask(AtBroker):
    """A client asks the broker who owns a bundle; the lookup's ticket is the command's number.

    Nothing is assigned by that: to assign a bundle is a command of its own.
    """

    bundle: Bundle


@dataclass(frozen=True, slots=True)
class Assign(AtBroker):
    """The broker, asked for an unowned bundle, assigns it to another or to itself."""

    bundle: Bundle
    to: BrokerNumber


@dataclass(frozen=True, slots=True)
class Unload(AtBroker):
    """The broker is told to have a bundle unloaded; with `to`, transferred. Without, nobody owns it
    then until it is assigned again.
    """

    bundle: Bundle
    to: BrokerNumber | None


@dataclass(frozen=True, slots=True)
class UnloadNamespace(AtBroker):
    """The broker is told to have all bundles of the parent's namespace unloaded."""


@dataclass(frozen=True, slots=True)
class Split(AtBroker):
    """The broker is told to have the parent split into its halves. They are not unloaded after it:
    `loadBalancerAutoUnloadSplitBundlesEnabled` is off.
    """


@dataclass(frozen=True, slots=True)
class Read(AtBroker):
    """The broker reads the next change of a record that it has not seen."""


@dataclass(frozen=True, slots=True)
class Finish(AtBroker):
    """The oldest work of the broker on a bundle ends: topics closed, or the range divided."""

    bundle: Bundle
    fails: bool


@dataclass(frozen=True, slots=True)
class Notice(AtBroker):
    """The broker sees the next registration that came or went."""


@dataclass(frozen=True, slots=True)
class Clean(AtBroker):
    """The broker runs the clean-ups that are due."""


@dataclass(frozen=True, slots=True)
class Monitor(AtBroker):
    """The broker's ownership monitor runs."""


@dataclass(frozen=True, slots=True)
class Crash(AtBroker):
    """The broker's process ends, and with it its registration."""


@dataclass(frozen=True, slots=True)
class RestartBroker(AtBroker):
    """The broker's process begins anew."""

    DO: ClassVar[str] = "restart"


@dataclass(frozen=True, slots=True)
class LoseSession(AtBroker):
    """The broker's session with the metadata store ends."""


@dataclass(frozen=True, slots=True)
class RegainSession(AtBroker):
    """The broker has a session again."""


@dataclass(frozen=True, slots=True)
class ShutDown(AtBroker):
    """The broker is not registered any more, and gives its bundles to other brokers."""


@dataclass(frozen=True, slots=True)
class Elect(AtBroker):
    """The broker becomes the leader."""


@dataclass(frozen=True, slots=True)
class Compact(Tagged):
    """The topic is compacted; nodes are left alone."""


@dataclass(frozen=True, slots=True)
class Elapse(Tagged):
    """So many milliseconds pass, 10^8 at most."""

    millis: Annotated[int, Within(0, 10**8)]


@dataclass(frozen=True, slots=True)
class Settle(Tagged):
    """A fair schedule without further faults, until nothing happens any more: what was written is
    read, what goes on ends, clean-ups run when they are due. A session that is lost stays lost, and
    nobody is elected.
    """


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
