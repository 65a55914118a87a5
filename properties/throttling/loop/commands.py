"""The commands of `throttling.loop`: one list of them is one interleaving.

`subscription`, `topic` and `entry` may be any number from 0 on: they are taken modulo what there
is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from evenkeel.properties.throttling.commands import require_rate
from evenkeel.properties.trial import Index, Tagged, Within, require
from evenkeel.reference.throttling.loop import Entry
from evenkeel.reference.throttling.rates import DispatchRate, Level

LARGEST = 2**31


def require_index(place: str, value: int) -> None:
    """Indices are taken modulo what there is."""
    require(0 <= value < LARGEST, place, "must be 0 or more, below 2^31")


def require_entries(place: str, entries: tuple[Entry, ...]) -> None:
    """Every entry holds a message and a byte at least."""
    for index, entry in enumerate(entries):
        where = f"{place}[{index}]"
        require(0 < entry.messages < 2**20, where, "messages must be above 0 and below 2^20")
        require(0 < entry.bytes < 2**30, where, "bytes must be above 0 and below 2^30")


def require_loop_rate(place: str, rate: DispatchRate) -> None:
    """A rate with a period that lasts, not relative to what is published."""
    require_rate(place, rate)
    require(rate.period > 0, place, "the period must be above 0")
    require(not rate.relative, place, "must not be relative")


@dataclass(frozen=True, slots=True)
class OfSubscription(Tagged):
    """What the commands about one subscription have in common."""

    subscription: Index


@dataclass(frozen=True, slots=True)
class Flow(OfSubscription):
    """The consumer can take so many more messages."""

    permits: Annotated[int, Within(1, 2**20 - 1)]


@dataclass(frozen=True, slots=True)
class ReadNow(OfSubscription):
    """The subscription looks at its quotas and, if it can, asks storage for a read.

    Messages to be delivered again come first (a replay read, which may run beside a normal one).
    """

    DO: ClassVar[str] = "read"


@dataclass(frozen=True, slots=True)
class Complete(OfSubscription):
    """The outstanding read (`replay`: the outstanding replay read) comes back and is delivered.

    Shared subscriptions charge it at once.
    """

    replay: bool


@dataclass(frozen=True, slots=True)
class Written(OfSubscription):
    """Exclusive: the connection has written the oldest delivery, which is charged; or failed to."""

    succeeded: bool


@dataclass(frozen=True, slots=True)
class Redeliver(OfSubscription):
    """The consumer asks for an entry again."""

    entry: Index


@dataclass(frozen=True, slots=True)
class Acknowledge(OfSubscription):
    """The consumer is done with everything up to the first entry that is to come again."""


@dataclass(frozen=True, slots=True)
class Seek(OfSubscription):
    """The subscription goes on from another entry (or from the end); reads under way are lost."""

    entry: Index


@dataclass(frozen=True, slots=True)
class ChangeConsumer(OfSubscription):
    """The consumer goes and another one comes; what was not acknowledged is delivered again."""


@dataclass(frozen=True, slots=True)
class SetActive(OfSubscription):
    """The storage sets its flag for a subscription that keeps up with what is published.

    By the documents the entries say whether there is a backlog; 4.0 goes by the flag alone.
    """

    active: bool


@dataclass(frozen=True, slots=True)
class PublishEntries(Tagged):
    """More entries are stored."""

    DO: ClassVar[str] = "publish"
    topic: int
    entries: tuple[Entry, ...]

    def __post_init__(self) -> None:
        require_index("topic", self.topic)
        require_entries("entries", self.entries)


@dataclass(frozen=True, slots=True)
class ConfigureLevel(Tagged):
    """Another rate takes effect: for the broker, or for all its topics or subscriptions."""

    DO: ClassVar[str] = "configure"
    level: Level
    rate: DispatchRate

    def __post_init__(self) -> None:
        require_loop_rate("rate", self.rate)


@dataclass(frozen=True, slots=True)
class AdvanceLoop(Tagged):
    """Time goes on; of a period's end and a second look at one instant the period ends first."""

    DO: ClassVar[str] = "advance"
    millis: Annotated[int, Within(0, 10**8)]


SubscriptionCommand = (
    Flow
    | ReadNow
    | Complete
    | Written
    | Redeliver
    | Acknowledge
    | Seek
    | ChangeConsumer
    | SetActive
)
LoopCommand = SubscriptionCommand | PublishEntries | ConfigureLevel | AdvanceLoop
