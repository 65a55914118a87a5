"""The dispatch loop, step by step: look at the quotas, read, deliver, charge (THR-39 to THR-45).

Every function is one step of one subscription and returns the broker afterwards with what was to
be seen. All steps are commands but the second look of a subscription that found no quota; so
every interleaving of subscriptions, reads and charges is a list of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import limiter as limiters
from evenkeel.reference.throttling import reading, sizing
from evenkeel.reference.throttling.limiter import Limiter, Mechanism, Publishing
from evenkeel.reference.throttling.rates import LEVELS, DispatchRate, Level, Limits
from evenkeel.reference.throttling.reading import Blocked, Read, Reader
from evenkeel.reference.throttling.sizing import Ledger, Position, Sizes
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.replacing import replace


@dataclass(frozen=True, slots=True)
class Handed:
    """How many of the entries were handed over, how many of them in the last turn, and the
    consumer's permits and average after.
    """

    count: int
    last: int
    permits: int
    average: float


@states("THR-43")
def turn_size(
    messages_left: int, batch: int, permits: int, round_robin: int, rounds_up: bool = True
) -> int:
    """Entries of one turn, given the messages per entry of this read (`batch`).

    Else than up, the limit of a turn is rounded with the permits: it is one of messages, too.
    Source: Pulsar `PersistentDispatcherMultipleConsumers.getMaxEntriesInThisBatch` 4.0.8.
    """
    messages = min(messages_left, permits)
    if not rounds_up:
        return max(1, min(messages, round_robin) // batch)
    return max(1, min(round_robin, -(-messages // batch)))


@states("THR-43")
def hand_over(
    entries: Sequence[Entry], permits: int, average: float, round_robin: int, rounds_up: bool = True
) -> Handed:
    """Turn after turn, while entries and permits are left."""
    messages_left = sum(entry.messages for entry in entries)
    batch = max(1, messages_left // len(entries)) if entries else 1
    count = 0
    turn: Sequence[Entry] = ()
    while count < len(entries) and permits > 0:
        size = turn_size(messages_left, batch, permits, round_robin, rounds_up)
        turn = entries[count : count + size]
        sent = sum(entry.messages for entry in turn)
        average = sizing.average_after(average, sent, len(turn))
        messages_left, permits, count = messages_left - sent, permits - sent, count + len(turn)
    return Handed(count, len(turn), permits, average)


@states("THR-43")
def hand_over_entries(entries: Sequence[Entry], permits: int, average: float) -> Handed:
    """At once, as many entries as there are permits."""
    count = min(len(entries), max(permits, 0))
    sent = sum(entry.messages for entry in entries[:count])
    average = sizing.average_after(average, sent, count)
    return Handed(count, count, permits - sent, average)


MILLI = 1_000_000

NOTHING = Publishing()
"""Limits in the loop are not relative to what is published."""


class Sort(Enum):
    """How a subscription's messages are handed out."""

    SHARED = "shared"
    EXCLUSIVE = "exclusive"


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored batch: its messages and bytes."""

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
    """A read that was requested and has not come back: its entries, in consumer `consumer`'s
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
    entries to be delivered again, ascending; `held`: those that the consumer of a shared one got
    and did not ask for again. `reread_at`: when the dispatcher, having found no quota, looks again.
    `cursor_active`: the storage's flag for a subscription that keeps up. `consumer` counts the
    consumers there have been. `rewind`: the consumer changed during a read of a shared
    subscription, which is dropped when it comes back. By edition: `least` is the first entry that
    was to be delivered again when the last read was asked for, `passes` says that those to be
    delivered again are passed over once.
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
    held: frozenset[int] = frozenset()
    writing: tuple[Uncharged, ...] = ()
    reread_at: int | None = None
    rewind: bool = False
    least: int | None = None
    passes: bool = False


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic or partition: its entries and its own limiter."""

    entries: tuple[Entry, ...]
    limiter: Limiter


@dataclass(frozen=True, slots=True)
class Broker:
    """Everything. All topics share the broker's limiter, all subscriptions of one their topic's.

    `dispatched`: what was dispatched last, by the one thread of all dispatchers: a turn of a shared
    subscription, or an exclusive delivery.
    """

    config: LoopConfig
    limiter: Limiter
    topics: tuple[Topic, ...]
    subscriptions: tuple[Subscription, ...]
    now: int = 0
    dispatched: Entry = field(default_factory=lambda: Entry(0, 0))


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
    """A subscription requests entries from storage; `quota_bytes` is what limits their bytes."""

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
    OVERTAKEN = "an earlier entry is to be delivered again"
    NOTHING_WRITTEN = "nothing was being written"


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing happened, and why."""

    subscription: int
    reason: Idle


Event = ReadIssued | NoQuota | Delivered | Charged | Ignored


def flow(broker: Broker, index: int, permits: int) -> Broker:
    """The consumer can take `permits` more messages."""
    own = broker.subscriptions[index]
    return with_subscription(broker, index, replace(own, permits=own.permits + permits))


@states("THR-66")
def redeliver(broker: Broker, index: int, entry: int) -> Broker:
    """Deliver an entry again, if the consumer got it and it is not acknowledged.

    Exclusive: to keep the order, everything is delivered again from the first that is not
    acknowledged; while a read is outstanding nothing happens.
    """
    own = broker.subscriptions[index]
    if own.sort is Sort.EXCLUSIVE:
        back = own.next if own.normal is not None else own.acknowledged
        return with_subscription(broker, index, replace(own, next=back))
    if entry < own.acknowledged or entry not in own.held:
        return broker
    waiting = tuple(sorted({*own.replay, entry}))
    own = replace(own, replay=waiting, held=own.held - {entry})
    return with_subscription(broker, index, own)


def acknowledge(broker: Broker, index: int) -> Broker:
    """Everything read is done with, up to the first entry that is to be delivered again."""
    own = broker.subscriptions[index]
    underway = own.replaying.positions if own.replaying is not None else ()
    done = min((own.next, *own.replay, *underway))
    return with_subscription(broker, index, replace(own, acknowledged=max(done, own.acknowledged)))


@states("THR-66")
def seek(broker: Broker, index: int, entry: int) -> Broker:
    """Go on from another entry; outstanding reads are lost, what is being written is not."""
    own = replace(
        broker.subscriptions[index],
        next=entry,
        acknowledged=entry,
        normal=None,
        replaying=None,
        replay=(),
        held=frozenset(),
        rewind=False,
    )
    return with_subscription(broker, index, own)


@states("THR-66")
def change_consumer(broker: Broker, index: int, edition: Edition) -> Broker:
    """The consumer goes, and another one without permits comes.

    What the old one did not acknowledge is read again from there: at once, or, while a normal read
    is outstanding, when that comes back and is dropped; one that waits for new entries is given up.
    By edition also while a replay read is: then the next normal read is dropped, although the new
    consumer asked for it; or, by edition, whatever is outstanding, and none is asked for before.
    """
    own = broker.subscriptions[index]
    if own.next >= len(broker.topics[own.topic].entries):
        own = replace(own, normal=None)
    own = replace(own, consumer=own.consumer + 1, permits=0, average=0.0, replay=())
    own = replace(own, held=frozenset())
    replaying = own.replaying is not None and (
        edition.read_dropped_after_replay or edition.replay_reads_dropped
    )
    waits = own.normal is not None or replaying
    rewind = waits and own.sort is Sort.SHARED
    own = replace(own, next=own.next if waits else own.acknowledged, rewind=rewind)
    return with_subscription(broker, index, own)


def set_active(broker: Broker, index: int, active: bool) -> Broker:
    """The storage changes its flag for a subscription that keeps up."""
    own = broker.subscriptions[index]
    return with_subscription(broker, index, replace(own, cursor_active=active))


def publish(broker: Broker, topic: int, entries: Sequence[Entry]) -> Broker:
    """More entries are stored."""
    topics = list(broker.topics)
    topics[topic] = replace(topics[topic], entries=(*topics[topic].entries, *entries))
    return replace(broker, topics=tuple(topics))


def configure(broker: Broker, level: Level, rate: DispatchRate, edition: Edition) -> Broker:
    """Another rate for a level: for the broker, or for all its topics or subscriptions."""

    def change(limiter: Limiter) -> Limiter:
        return limiters.configure(limiter, rate, NOTHING, broker.now * MILLI, edition)[0]

    if level is Level.BROKER:
        return replace(broker, limiter=change(broker.limiter))
    if level is Level.TOPIC:
        topics = tuple(replace(topic, limiter=change(topic.limiter)) for topic in broker.topics)
        return replace(broker, topics=topics)
    subscriptions = tuple(replace(own, limiter=change(own.limiter)) for own in broker.subscriptions)
    return replace(broker, subscriptions=subscriptions)


Step = tuple[Broker, tuple[Event, ...]]

Limited = TypeVar("Limited", Broker, Topic, Subscription)
"""What has a limiter of its own."""


def start(
    config: LoopConfig,
    rates: LevelRates,
    topics: Sequence[tuple[Sequence[Entry], Sequence[Sort]]],
    edition: Edition,
) -> Broker:
    """A broker with these topics; each its entries and its subscriptions. No permits yet."""

    def limiter(rate: DispatchRate) -> Limiter:
        return limiters.new(config.mechanism, rate, NOTHING, edition)

    return Broker(
        config,
        limiter(rates.broker),
        tuple(Topic(tuple(entries), limiter(rates.topic)) for entries, _ in topics),
        tuple(
            Subscription(index, sort, limiter(rates.subscription))
            for index, (_, sorts) in enumerate(topics)
            for sort in sorts
        ),
    )


# -------------------------------------------------------------------------------- limiters


def on_limiters(
    broker: Broker, level: Level, subscription: int, change: Callable[[Limiter], Limiter]
) -> Broker:
    """The broker with the limiter changed that holds for a subscription at a level."""
    before = limiter_at(broker, level, subscription)
    after = change(before)
    if after is before:
        return broker
    if level is Level.BROKER:
        return replace(broker, limiter=after)
    own = broker.subscriptions[subscription]
    if level is Level.SUBSCRIPTION:
        return with_subscription(broker, subscription, replace(own, limiter=after))
    topics = list(broker.topics)
    topics[own.topic] = replace(topics[own.topic], limiter=after)
    return replace(broker, topics=tuple(topics))


def limiter_at(broker: Broker, level: Level, subscription: int) -> Limiter:
    """The limiter that holds for a subscription at a level."""
    own = broker.subscriptions[subscription]
    if level is Level.BROKER:
        return broker.limiter
    return own.limiter if level is Level.SUBSCRIPTION else broker.topics[own.topic].limiter


def look_at(broker: Broker, level: Level, index: int, edition: Edition) -> tuple[Broker, Limits]:
    """What is left at one level. Looking may refill a bucket."""
    limiter = limiter_at(broker, level, index)
    looked, left = limiters.available(limiter, NOTHING, broker.now * MILLI, edition)
    return on_limiters(broker, level, index, lambda _: looked), left


@states("THR-40")
def charge(broker: Broker, index: int, units: int, size: int) -> Step:
    """Charge a delivery to all levels alike."""
    now = broker.now * MILLI
    for level in LEVELS:
        broker = on_limiters(
            broker, level, index, lambda limiter: limiters.consume(limiter, units, size, now)
        )
    return broker, (Charged(index, LEVELS, units, size),)


@states("THR-29", "THR-44")
def throttles(broker: Broker, index: int, edition: Edition) -> bool:
    """Whether limits apply to a subscription now.

    They always do unless `dispatchThrottlingOnNonBacklogConsumerEnabled` is off. Then they do
    while the subscription has a backlog, or, by edition, while the storage's flag says so.
    """
    if broker.config.non_backlog:
        return True
    own = broker.subscriptions[index]
    if edition.backlog_by_cursor_flag:
        return not own.cursor_active
    return own.next < len(broker.topics[own.topic].entries) or bool(own.replay)


def deliver(broker: Broker, index: int, entries: Sequence[int], again: bool) -> Delivered:
    """A delivery of these entries as an event."""
    stored = broker.topics[broker.subscriptions[index].topic].entries
    return Delivered(
        index,
        again,
        tuple(entries),
        sum(stored[entry].messages for entry in entries),
        sum(stored[entry].bytes for entry in entries),
    )


def dispatch(broker: Broker, entries: Sequence[Entry]) -> Broker:
    """The broker after it dispatched these entries."""
    messages = sum(entry.messages for entry in entries)
    return replace(broker, dispatched=Entry(messages, sum(entry.bytes for entry in entries)))


@states("THR-40", "THR-42")
def settle(broker: Broker, index: int, sent: Uncharged, edition: Edition) -> Step:
    """Charge a delivery: its messages, or its entries.

    Only if limits applied to its read; or, by edition, if they apply now.
    """
    limited = throttles(broker, index, edition) if edition.backlog_by_cursor_flag else sent.limited
    if not limited:
        return broker, ()
    units = sent.entries if broker.config.by_entry else sent.messages
    return charge(broker, index, units, sent.bytes)


# --------------------------------------------------------------------------------- reading


def reader_of(broker: Broker, index: int, edition: Edition) -> Reader:
    """What a subscription's dispatcher knows besides the quotas."""
    own, config = broker.subscriptions[index], broker.config
    return Reader(
        permits=own.permits,
        batch=config.max_batch,
        max_bytes=config.max_bytes,
        average=sizing.published_average(own.average),
        precise=config.precise,
        writable=True,
        throttled=throttles(broker, index, edition),
        replaying=own.replaying is not None,
    )


@states("THR-39", "THR-41", "THR-61")
def read_limits(broker: Broker, index: int, edition: Edition) -> tuple[Broker, Read | Blocked]:
    """How much may be read; levels are looked at one by one, and none after one that blocks."""
    reader = reader_of(broker, index, edition)
    seen: list[Limits] = []
    for level in LEVELS if reader.throttled else ():
        broker, left = look_at(broker, level, index, edition)
        seen.append(left)
        read = reading.read_limits(reader, seen, edition)
        if isinstance(read, Blocked) and read.reread is not None:
            return broker, read
    return broker, reading.read_limits(reader, seen, edition)


@states("THR-39", "THR-44", "THR-60")
def read(broker: Broker, index: int, edition: Edition) -> Step:
    """A subscription looks at its quotas and asks for a read, if it can."""
    own = broker.subscriptions[index]
    outstanding = own.normal is not None or own.replaying is not None
    awaited = own.rewind and edition.replay_reads_dropped
    if awaited and not outstanding:
        own = replace(own, next=own.acknowledged, rewind=False)
        broker = with_subscription(broker, index, own)
    if own.permits <= 0:
        return broker, (Ignored(index, Idle.NO_PERMITS),)
    if outstanding and (awaited or own.sort is Sort.EXCLUSIVE):
        return broker, (Ignored(index, Idle.READ_OUTSTANDING),)
    broker, limits = read_limits(broker, index, edition)
    if isinstance(limits, Blocked):
        return block(broker, index, limits)
    step = ask_past if own.passes else ask
    return step(broker, index, limits, edition)


@states("THR-28", "THR-45")
def block(broker: Broker, index: int, limits: Blocked) -> Step:
    """No quota: look again later, but never have two such looks pending."""
    own = broker.subscriptions[index]
    if limits.reread is None:
        return broker, (Ignored(index, Idle.READ_OUTSTANDING),)
    at = own.reread_at if own.reread_at is not None else broker.now + limits.reread
    broker = with_subscription(broker, index, replace(own, reread_at=at))
    return broker, (NoQuota(index, at),)


@states("THR-39", "THR-44")
def ask(broker: Broker, index: int, limits: Read, edition: Edition) -> Step:
    """Replays first, even during a normal read; else a normal read, if none is outstanding."""
    own, limited = broker.subscriptions[index], throttles(broker, index, edition)
    entries = entries_of(broker, index, limits, edition)
    if own.replay and edition.replays_pass_bytes:
        entries = limits.entries
    if own.replay:
        positions = own.replay[:entries]
        asked = OutstandingRead(len(positions), own.consumer, limited, positions)
        left = own.replay[entries:]
        own = replace(own, replaying=asked, replay=left, least=positions[0])
        broker = with_subscription(broker, index, own)
        return broker, (ReadIssued(index, True, asked.entries, limits.bytes),)
    if own.normal is not None:
        return broker, (Ignored(index, Idle.READ_OUTSTANDING),)
    asked = OutstandingRead(entries, own.consumer, limited)
    broker = with_subscription(broker, index, replace(own, normal=asked, least=None))
    return broker, (ReadIssued(index, False, entries, limits.bytes),)


@states("THR-44")
def ask_past(broker: Broker, index: int, limits: Read, edition: Edition) -> Step:
    """As if nothing were to be delivered again, for this once."""
    own = broker.subscriptions[index]
    hidden = with_subscription(broker, index, replace(own, replay=(), passes=False))
    broker, seen = ask(hidden, index, limits, edition)
    after = replace(broker.subscriptions[index], replay=own.replay)
    if own.replay and after.normal is not own.normal:
        after = replace(after, least=own.replay[0])
    return with_subscription(broker, index, after), seen


@states("THR-36")
def entries_of(broker: Broker, index: int, limits: Read, edition: Edition) -> int:
    """The entries of a read, when its bytes are turned into entries too.

    The topic is one ledger that is still written to. Replays are estimated like normal reads.
    """
    own = broker.subscriptions[index]
    stored = broker.topics[own.topic].entries
    total = sum(entry.bytes for entry in stored)
    return sizing.entries_for_bytes(
        limits.entries,
        limits.bytes,
        (Ledger(len(stored), total),),
        Position(0, own.next),
        Sizes(max(1, total // len(stored)) if stored else None, None),
        edition,
    )


# ------------------------------------------------------------------------------ completion


@states("THR-40", "THR-44", "THR-60")
def complete(broker: Broker, index: int, replay: bool, edition: Edition) -> Step:
    """An outstanding read comes back: its entries are delivered.

    Shared: charged at once. Exclusive: charged when written. A normal read is dropped if the
    consumer that it was for is no longer there. A read that finds nothing stays outstanding, quota
    and all.
    """
    own = broker.subscriptions[index]
    asked = own.replaying if replay else own.normal
    if asked is None:
        return broker, (Ignored(index, Idle.NO_SUCH_READ),)
    if own.sort is Sort.EXCLUSIVE:
        return complete_exclusive(broker, index, asked)
    end = min(own.next + asked.entries, len(broker.topics[own.topic].entries))
    entries = asked.positions if replay else tuple(range(own.next, end))
    if not entries:
        return broker, (Ignored(index, Idle.NO_ENTRIES),)
    if own.rewind and not replay and not edition.replay_reads_dropped:
        own = replace(own, normal=None, next=own.acknowledged, rewind=False)
        return with_subscription(broker, index, own), (Ignored(index, Idle.CONSUMER_CHANGED),)
    dropped = own.rewind and edition.replay_reads_dropped
    own = replace(own, replaying=None) if replay else replace(own, normal=None, next=end)
    if dropped:
        return with_subscription(broker, index, own), (Ignored(index, Idle.CONSUMER_CHANGED),)
    if edition.reads_overtaken and is_overtaken(own):
        own = replace(own, replay=tuple(sorted({*own.replay, *entries})))
        return with_subscription(broker, index, own), (Ignored(index, Idle.OVERTAKEN),)
    own = replace(own, passes=False)
    return hand_out(with_subscription(broker, index, own), index, entries, asked, edition)


@states("THR-44")
def is_overtaken(own: Subscription) -> bool:
    """Whether an entry was asked for again that is before those of the last read."""
    if own.least is None or own.passes:
        return False
    return min(own.replay, default=own.least) < own.least


@states("THR-40", "THR-43")
def hand_out(
    broker: Broker, index: int, entries: tuple[int, ...], asked: OutstandingRead, edition: Edition
) -> Step:
    """Shared: deliver what the consumer takes, keep the rest for a replay, charge."""
    own = broker.subscriptions[index]
    stored = broker.topics[own.topic].entries
    read = [stored[entry] for entry in entries]
    if edition.permits_taken_for_entries:
        handed = hand_over_entries(read, own.permits, own.average)
    else:
        most, rounds_up = broker.config.round_robin, not edition.turns_rounded_down
        handed = hand_over(read, own.permits, own.average, most, rounds_up)
    given, rest = entries[: handed.count], entries[handed.count :]
    waiting = sorted({*own.replay, *rest})
    own = replace(
        own,
        permits=handed.permits,
        average=handed.average,
        replay=tuple(waiting),
        held=own.held | {*given},
        passes=not given and edition.replays_passed_over,
    )
    broker = with_subscription(broker, index, own)
    if not given:
        return broker, (Ignored(index, Idle.NO_PERMITS),)
    event = deliver(broker, index, given, bool(asked.positions))
    broker = dispatch(broker, [stored[entry] for entry in given[-handed.last :]])
    sent = Uncharged(len(given), event.messages, event.bytes, asked.limited)
    broker, charges = settle(broker, index, sent, edition)
    return broker, (event, *charges)


@states("THR-44")
def complete_exclusive(broker: Broker, index: int, asked: OutstandingRead) -> Step:
    """Exclusive: all entries go to the consumer, in order, whatever its permits."""
    own = replace(broker.subscriptions[index], normal=None)
    if asked.consumer != own.consumer:
        own = replace(own, next=own.acknowledged)
        return with_subscription(broker, index, own), (Ignored(index, Idle.CONSUMER_CHANGED),)
    stored = broker.topics[own.topic].entries
    end = min(own.next + asked.entries, len(stored))
    if end <= own.next:
        return broker, (Ignored(index, Idle.NO_ENTRIES),)
    broker = dispatch(broker, stored[own.next : end])
    event = deliver(broker, index, range(own.next, end), False)
    count = end - own.next
    sent = Uncharged(count, event.messages, event.bytes, asked.limited)
    own = replace(
        own,
        next=end,
        permits=own.permits - event.messages,
        average=sizing.average_after(own.average, event.messages, count),
        writing=(*own.writing, sent),
    )
    return with_subscription(broker, index, own), (event,)


@states("THR-40", "THR-44")
def end_writing(broker: Broker, index: int, succeeded: bool, edition: Edition) -> Step:
    """Exclusive: the oldest delivery was written and is charged, or failed and is not.

    By edition the amount is what was dispatched last.
    """
    own = broker.subscriptions[index]
    if not own.writing:
        return broker, (Ignored(index, Idle.NOTHING_WRITTEN),)
    sent, *later = own.writing
    if edition.charge_of_last_dispatch:
        last = broker.dispatched
        sent = replace(sent, messages=last.messages, bytes=last.bytes)
    broker = with_subscription(broker, index, replace(own, writing=tuple(later)))
    return settle(broker, index, sent, edition) if succeeded else (broker, ())


# ------------------------------------------------------------------------------------ time


@states("THR-45")
def advance(broker: Broker, millis: int, edition: Edition) -> Step:
    """Time passes. Periods end, and subscriptions that found no quota look again when due.

    Of a period's end and a look at the same instant the period ends first.
    """
    until, events = broker.now + millis, list[Event]()
    while (due := next_reread(broker, until)) is not None:
        at, index = due
        broker = at_time(broker, at)
        own = replace(broker.subscriptions[index], reread_at=None)
        broker, seen = read(with_subscription(broker, index, own), index, edition)
        events.extend(seen)
    return at_time(broker, until), tuple(events)


def next_reread(broker: Broker, until: int) -> tuple[int, int] | None:
    """The next second look, no later than `until`: when, and of which subscription."""
    pending = [
        (own.reread_at, index)
        for index, own in enumerate(broker.subscriptions)
        if own.reread_at is not None and own.reread_at <= until
    ]
    return min(pending, default=None)


def at_time(broker: Broker, now: int) -> Broker:
    """It is `now`, and periods that ended meanwhile are closed."""

    def elapse_limit(limited: Limited) -> Limited:
        limiter = limiters.elapse(limited.limiter, now * MILLI, NOTHING)
        return limited if limiter is limited.limiter else replace(limited, limiter=limiter)

    return replace(
        elapse_limit(broker),
        topics=tuple(map(elapse_limit, broker.topics)),
        subscriptions=tuple(map(elapse_limit, broker.subscriptions)),
        now=now,
    )
