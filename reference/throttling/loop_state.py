"""What the dispatch loop of a broker knows: limiters, topics, subscriptions, outstanding reads.

A subscription has one consumer. Shared: what its consumer cannot take is kept for a replay read,
which may run beside the normal read. Exclusive: everything in order, one read at a time.
Times are milliseconds from the start, limiters' own times nanoseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from evenkeel.reference.replacing import replace
from evenkeel.reference.throttling.limiter import Limiter, Mechanism, Publishing
from evenkeel.reference.throttling.rates import DispatchRate, Level

MILLI = 1_000_000
NOTHING = Publishing()
"""Limits in the loop are not relative to what is published."""


class Sort(Enum):
    """How a subscription's messages are handed out."""

    SHARED = "shared"
    EXCLUSIVE = "exclusive"


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored batch: so many messages, so many bytes."""

    messages: int
    bytes: int


@dataclass(frozen=True, slots=True)
class LoopConfig:
    """The settings of broker.conf that the loop obeys, and what keeps the quotas.

    `round_robin`: entries that a shared subscription hands over in one turn, at most.
    """

    mechanism: Mechanism
    max_batch: int
    max_bytes: int
    round_robin: int
    precise: bool
    by_entry: bool
    non_backlog: bool


@dataclass(frozen=True, slots=True)
class OutstandingRead:
    """A read that was asked for and has not come back: so many entries, in consumer `consumer`'s
    name. `limited`: limits applied when it was asked for. `positions`: what a replay asks for.
    """

    entries: int
    consumer: int
    limited: bool
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Uncharged:
    """A delivery that is not yet charged: for an exclusive consumer, until it was written.

    `limited`: limits applied when its read was asked for.
    """

    entries: int
    messages: int
    bytes: int
    limited: bool


@dataclass(frozen=True, slots=True)
class Subscription:
    """One subscription and its dispatcher.

    `next`: the entry that is read next; `acknowledged`: entries before it are done with. `replay`:
    entries to be delivered again, ascending. `reread_at`: when the dispatcher, having found no
    quota, looks again. `cursor_active`: the storage's flag for a subscription that keeps up.
    `consumer` counts the consumers there have been. `rewind`: the consumer changed during a read of
    a shared subscription, which is dropped when it comes back.
    """

    topic: int
    sort: Sort
    limiter: Limiter
    permits: int = 0
    average: float = 0.0
    next: int = 0
    acknowledged: int = 0
    cursor_active: bool = False
    consumer: int = 0
    normal: OutstandingRead | None = None
    replaying: OutstandingRead | None = None
    replay: tuple[int, ...] = ()
    writing: tuple[Uncharged, ...] = ()
    reread_at: int | None = None
    rewind: bool = False


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic or partition: its entries and its own limiter."""

    entries: tuple[Entry, ...]
    limiter: Limiter


@dataclass(frozen=True, slots=True)
class Broker:
    """Everything. All topics share the broker's limiter, all subscriptions of one their topic's."""

    config: LoopConfig
    limiter: Limiter
    topics: tuple[Topic, ...]
    subscriptions: tuple[Subscription, ...]
    now: int = 0


def with_subscription(broker: Broker, index: int, subscription: Subscription) -> Broker:
    """The broker with one subscription changed."""
    changed = list(broker.subscriptions)
    changed[index] = subscription
    return replace(broker, subscriptions=tuple(changed))


@dataclass(frozen=True, slots=True)
class LevelRates:
    """The rate of each level; every topic and every subscription has a quota of its own."""

    broker: DispatchRate
    topic: DispatchRate
    subscription: DispatchRate


# --------------------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class ReadIssued:
    """A subscription asks storage for so many entries; `quota_bytes` is what limits their bytes."""

    subscription: int
    replay: bool
    entries: int
    quota_bytes: int


@dataclass(frozen=True, slots=True)
class NoQuota:
    """A subscription found a quota used up. `reread_at`: when it looks again."""

    subscription: int
    reread_at: int


@dataclass(frozen=True, slots=True)
class Delivered:
    """Entries handed to a consumer; `again`: by a replay read."""

    subscription: int
    again: bool
    entries: tuple[int, ...]
    messages: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Charged:
    """A delivery was charged to the quotas of these levels: `units` in messages or entries."""

    subscription: int
    levels: tuple[Level, ...]
    units: int
    bytes: int


class Idle(Enum):
    """Why a command did nothing."""

    NO_PERMITS = "no permits"
    READ_OUTSTANDING = "a read is outstanding"
    NO_SUCH_READ = "no such read is outstanding"
    NO_ENTRIES = "there is nothing to deliver"
    CONSUMER_CHANGED = "the consumer changed since the read"
    NOTHING_WRITTEN = "nothing was being written"


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing happened, and why."""

    subscription: int
    reason: Idle


Event = ReadIssued | NoQuota | Delivered | Charged | Ignored
