"""Trials and answers about the dispatch loop: `throttling.loop`.

One broker with its topics (or partitions) and their subscriptions, each with one consumer. Nothing
happens by itself, except that a subscription that found no quota looks again when it is due. So a
list of commands is one interleaving of all the subscriptions' reads, deliveries and charges.

`subscription`, `topic` and `entry` may be any number from 0 on: they are taken modulo what there
is. Time is virtual: it begins at 0 and moves with `advance` only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.throttling.trials_quota import require_rate
from evenkeel.properties.trial import require
from evenkeel.reference.throttling.limiter import Mechanism
from evenkeel.reference.throttling.loop_state import Entry, Idle, LevelRates, Sort
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


# -------------------------------------------------------------------------------- commands


@dataclass(frozen=True, slots=True)
class Flow:
    """The consumer can take so many more messages."""

    DO: ClassVar[str] = "flow"
    subscription: int
    permits: int

    def __post_init__(self) -> None:
        require_index("subscription", self.subscription)
        require(0 < self.permits < 2**20, "permits", "must be above 0 and below 2^20")


@dataclass(frozen=True, slots=True)
class ReadNow:
    """The subscription looks at its quotas and, if it can, asks storage for a read.

    Messages to be delivered again come first (a replay read, which may run beside a normal one).
    """

    DO: ClassVar[str] = "read"
    subscription: int

    def __post_init__(self) -> None:
        require_index("subscription", self.subscription)


@dataclass(frozen=True, slots=True)
class Complete:
    """The outstanding read (`replay`: the outstanding replay read) comes back and is delivered.

    Shared subscriptions charge it at once.
    """

    DO: ClassVar[str] = "complete"
    subscription: int
    replay: bool

    def __post_init__(self) -> None:
        require_index("subscription", self.subscription)


@dataclass(frozen=True, slots=True)
class Written:
    """Exclusive: the connection has written the oldest delivery, which is charged; or failed to."""

    DO: ClassVar[str] = "written"
    subscription: int
    succeeded: bool

    def __post_init__(self) -> None:
        require_index("subscription", self.subscription)


@dataclass(frozen=True, slots=True)
class Redeliver:
    """The consumer asks for an entry again."""

    DO: ClassVar[str] = "redeliver"
    subscription: int
    entry: int

    def __post_init__(self) -> None:
        require_index("subscription", self.subscription)
        require_index("entry", self.entry)


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """The consumer is done with everything up to the first entry that is to come again."""

    DO: ClassVar[str] = "acknowledge"
    subscription: int

    def __post_init__(self) -> None:
        require_index("subscription", self.subscription)


@dataclass(frozen=True, slots=True)
class Seek:
    """The subscription goes on from another entry (or from the end); reads under way are lost."""

    DO: ClassVar[str] = "seek"
    subscription: int
    entry: int

    def __post_init__(self) -> None:
        require_index("subscription", self.subscription)
        require_index("entry", self.entry)


@dataclass(frozen=True, slots=True)
class ChangeConsumer:
    """The consumer goes and another one comes; what was not acknowledged is delivered again."""

    DO: ClassVar[str] = "change_consumer"
    subscription: int

    def __post_init__(self) -> None:
        require_index("subscription", self.subscription)


@dataclass(frozen=True, slots=True)
class SetActive:
    """The storage sets its flag for a subscription that keeps up with what is published."""

    DO: ClassVar[str] = "set_active"
    subscription: int
    active: bool

    def __post_init__(self) -> None:
        require_index("subscription", self.subscription)


@dataclass(frozen=True, slots=True)
class PublishEntries:
    """More entries are stored."""

    DO: ClassVar[str] = "publish"
    topic: int
    entries: tuple[Entry, ...]

    def __post_init__(self) -> None:
        require_index("topic", self.topic)
        require_entries("entries", self.entries)


@dataclass(frozen=True, slots=True)
class ConfigureLevel:
    """Another rate takes effect: for the broker, or for all its topics or subscriptions."""

    DO: ClassVar[str] = "configure"
    level: Level
    rate: DispatchRate

    def __post_init__(self) -> None:
        require_loop_rate("rate", self.rate)


@dataclass(frozen=True, slots=True)
class AdvanceLoop:
    """Time goes on; of a period's end and a second look at one instant the period ends first."""

    DO: ClassVar[str] = "advance"
    millis: int

    def __post_init__(self) -> None:
        require(0 <= self.millis <= 10**8, "millis", "must be 0 to 10^8")


LoopCommand = (
    Flow
    | ReadNow
    | Complete
    | Written
    | Redeliver
    | Acknowledge
    | Seek
    | ChangeConsumer
    | SetActive
    | PublishEntries
    | ConfigureLevel
    | AdvanceLoop
)


# ----------------------------------------------------------------------------------- trial


@dataclass(frozen=True, slots=True)
class LoopSettings:
    """The configuration of the broker, and what keeps its quotas."""

    mechanism: Mechanism
    max_batch: int = field(metadata={"wire": "dispatcherMaxReadBatchSize"})
    max_bytes: int = field(metadata={"wire": "dispatcherMaxReadSizeBytes"})
    round_robin: int = field(metadata={"wire": "dispatcherMaxRoundRobinBatchSize"})
    precise: bool = field(metadata={"wire": "preciseDispatcherFlowControl"})
    by_entry: bool = field(metadata={"wire": "dispatchThrottlingOnBatchMessageEnabled"})
    non_backlog: bool = field(metadata={"wire": "dispatchThrottlingOnNonBacklogConsumerEnabled"})

    def __post_init__(self) -> None:
        require(0 < self.max_batch < LARGEST, "dispatcherMaxReadBatchSize", "must be above 0")
        require(0 < self.max_bytes < LARGEST, "dispatcherMaxReadSizeBytes", "must be above 0")
        require(
            0 < self.round_robin < LARGEST, "dispatcherMaxRoundRobinBatchSize", "must be above 0"
        )


@dataclass(frozen=True, slots=True)
class LoopTopic:
    """A topic with its backlog, oldest entry first, and its subscriptions, which start there."""

    entries: tuple[Entry, ...]
    subscriptions: tuple[Sort, ...]

    def __post_init__(self) -> None:
        require_entries("entries", self.entries)
        require(len(self.subscriptions) > 0, "subscriptions", "must have at least one")


@dataclass(frozen=True, slots=True)
class LoopTrial:
    """`throttling.loop`: what is read, delivered and charged, command after command?

    Subscriptions are numbered through all topics. Consumers have no permits at first. Every topic
    and every subscription has a quota of its own; the broker's is shared by all.
    """

    settings: LoopSettings
    rates: LevelRates
    topics: tuple[LoopTopic, ...]
    commands: tuple[LoopCommand, ...]

    def __post_init__(self) -> None:
        for level in Level:
            require_loop_rate(f"rates.{level.value}", getattr(self.rates, level.value))
        require(len(self.topics) > 0, "topics", "must have at least one")

    @property
    def subscriptions(self) -> int:
        """How many subscriptions there are."""
        return sum(len(topic.subscriptions) for topic in self.topics)


# ---------------------------------------------------------------------------------- answer


@dataclass(frozen=True, slots=True)
class ReadIssued:
    """Storage was asked for so many entries, of `quota_bytes` bytes at most (one in any case)."""

    DO: ClassVar[str] = "read_issued"
    subscription: int
    replay: bool
    entries: int
    quota_bytes: int


@dataclass(frozen=True, slots=True)
class Blocked:
    """A quota was used up: no read. The subscription looks again at `reread_at` (ms)."""

    DO: ClassVar[str] = "blocked"
    subscription: int
    reread_at: int


@dataclass(frozen=True, slots=True)
class Delivered:
    """Entries, by index in their topic, went to the consumer; `again`: as a replay."""

    DO: ClassVar[str] = "delivered"
    subscription: int
    again: bool
    entries: tuple[int, ...]
    messages: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Charged:
    """All levels' quotas were charged: `units` messages (entries, if entries are counted)."""

    DO: ClassVar[str] = "charged"
    subscription: int
    units: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing was read or delivered, and why."""

    DO: ClassVar[str] = "ignored"
    subscription: int
    reason: Idle


LoopEvent = ReadIssued | Blocked | Delivered | Charged | Ignored


@dataclass(frozen=True, slots=True)
class Seen:
    """What was to be seen of a command, in order; nothing, if it only changed something."""

    DO: ClassVar[str] = "seen"
    events: tuple[LoopEvent, ...]


LoopResult = Seen | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class LoopAnswer:
    """One result for each command."""

    results: tuple[LoopResult, ...]
