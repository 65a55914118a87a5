"""What happens to the dispatch loop from outside: consumers, publishers, administrators."""

from __future__ import annotations

from collections.abc import Sequence

from evenkeel.reference.clauses import states
from evenkeel.reference.edition import Edition
from evenkeel.reference.replacing import replace
from evenkeel.reference.throttling import limiter as limiters
from evenkeel.reference.throttling.limiter import Limiter
from evenkeel.reference.throttling.loop_state import (
    MILLI,
    NOTHING,
    Broker,
    Entry,
    Sort,
    with_subscription,
)
from evenkeel.reference.throttling.rates import DispatchRate, Level


def flow(broker: Broker, index: int, permits: int) -> Broker:
    """The consumer can take so many more messages."""
    own = broker.subscriptions[index]
    return with_subscription(broker, index, replace(own, permits=own.permits + permits))


@states("THR-66")
def redeliver(broker: Broker, index: int, entry: int) -> Broker:
    """Deliver an entry again, if it was read before and is not acknowledged.

    Exclusive: to keep the order, everything is delivered again from the first that is not
    acknowledged; while a read is outstanding nothing happens.
    """
    own = broker.subscriptions[index]
    if own.sort is Sort.EXCLUSIVE:
        back = own.next if own.normal is not None else own.acknowledged
        return with_subscription(broker, index, replace(own, next=back))
    underway = own.replaying.positions if own.replaying is not None else ()
    if not own.acknowledged <= entry < own.next or entry in underway:
        return broker
    waiting = tuple(sorted({*own.replay, entry}))
    return with_subscription(broker, index, replace(own, replay=waiting))


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
        rewind=False,
    )
    return with_subscription(broker, index, own)


@states("THR-66")
def change_consumer(broker: Broker, index: int) -> Broker:
    """The consumer goes, and another one without permits comes.

    What the old one did not acknowledge is read again from there: at once, or, while a read is
    outstanding, when that comes back and is dropped.
    """
    own = broker.subscriptions[index]
    own = replace(own, consumer=own.consumer + 1, permits=0, average=0.0, replay=())
    waits = own.normal is not None or own.replaying is not None
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
