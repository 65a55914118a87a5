"""Mutants of the dispatch loop."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    always,
    defect,
    equivalent,
    first,
    instead,
    then,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling import delivering, loop
from evenkeel.reference.throttling import limiter as limiters
from evenkeel.reference.throttling.delivering import Handed
from evenkeel.reference.throttling.loop_state import (
    Broker,
    Event,
    Idle,
    Ignored,
    NoQuota,
    OutstandingRead,
    Sort,
    Uncharged,
    with_subscription,
)
from evenkeel.reference.throttling.rates import Level
from evenkeel.reference.throttling.reading import Blocked

Outcome = tuple[Broker, tuple[Event, ...]]


def _permits_ignored(original: Function) -> Function:
    def hand_over(entries: Any, permits: int, average: float, round_robin: int) -> Handed:
        sent = sum(entry.messages for entry in entries)
        return Handed(len(entries), permits - sent, average)

    return hand_over


def _counted_by_message(original: Function) -> Function:
    def settle(broker: Broker, index: int, sent: Uncharged, edition: Any) -> Outcome:
        plain = replace(broker, config=replace(broker.config, by_entry=False))
        after, events = original(plain, index, sent, edition)
        return replace(after, config=broker.config), events

    return settle


def _newest_totals(original: Function) -> Function:
    def written(broker: Broker, index: int, succeeded: bool, edition: Any) -> Outcome:
        own = broker.subscriptions[index]
        if own.writing:
            own = replace(own, writing=(own.writing[-1], *own.writing[1:]))
            broker = with_subscription(broker, index, own)
        outcome: Outcome = original(broker, index, succeeded, edition)
        return outcome

    return written


def _charged_twice(original: Function) -> Function:
    def settle(broker: Broker, index: int, sent: Uncharged, edition: Any) -> Outcome:
        broker, once = original(broker, index, sent, edition)
        broker, twice = original(broker, index, sent, edition)
        return broker, (*once, *twice)

    return settle


def _consumer_ignored(original: Function) -> Function:
    def complete(broker: Broker, index: int, asked: OutstandingRead) -> Outcome:
        consumer = broker.subscriptions[index].consumer
        outcome: Outcome = original(broker, index, replace(asked, consumer=consumer))
        return outcome

    return complete


def _stops_after_first(original: Function) -> Function:
    def read(broker: Broker, index: int, edition: Any) -> Outcome:
        if broker.subscriptions[index].next > 0:
            return broker, (Ignored(index, Idle.READ_OUTSTANDING),)
        outcome: Outcome = original(broker, index, edition)
        return outcome

    return read


def _look_sooner(original: Function) -> Function:
    def blocked(broker: Broker, index: int, limits: Any) -> Outcome:
        if broker.subscriptions[index].reread_at is not None or limits.reread is None:
            outcome: Outcome = original(broker, index, limits)
            return outcome
        at = broker.now + 7
        own = replace(broker.subscriptions[index], reread_at=at)
        return with_subscription(broker, index, own), (NoQuota(index, at),)

    return blocked


def _levels_left_out(original: Function) -> Function:
    def charge(broker: Broker, index: int, units: int, size: int) -> Outcome:
        after, (event,) = original(broker, index, units, size)
        topic = replace(event, levels=(Level.TOPIC, Level.SUBSCRIPTION))
        return replace(after, limiter=broker.limiter), (topic,)

    return charge


def _one_quota_for_all_topics(original: Function) -> Function:
    def charge(broker: Broker, index: int, units: int, size: int) -> Outcome:
        after, events = original(broker, index, units, size)
        limiter = after.topics[after.subscriptions[index].topic].limiter
        topics = tuple(replace(topic, limiter=limiter) for topic in after.topics)
        return replace(after, topics=topics), events

    return charge


def _one_by_one(original: Function) -> Function:
    def charge(broker: Broker, index: int, units: int, size: int) -> Outcome:
        after, (event,) = original(broker, index, units, size)
        return after, tuple(replace(event, levels=(level,)) for level in event.levels)

    return charge


def _last_entry_lost(original: Function) -> Function:
    def hand_out(
        broker: Broker, index: int, entries: tuple[int, ...], asked: OutstandingRead, edition: Any
    ) -> Outcome:
        kept = entries[:-1] if len(entries) > 1 else entries
        outcome: Outcome = original(broker, index, kept, asked, edition)
        return outcome

    return hand_out


def _says_outstanding(broker: Broker, index: int, _limits: Any) -> Outcome:
    return broker, (Ignored(index, Idle.READ_OUTSTANDING),)


MUTANTS: Final = (
    defect(
        "permits-ignored",
        delivering,
        "hand_over",
        _permits_ignored,
        "A consumer is sent all that was read, however little it can take.",
        "DT7",
    ),
    defect(
        "entries-counted-as-messages",
        loop,
        "settle",
        _counted_by_message,
        "The option to count entries has no effect: one large batch uses up the quota.",
        "DT8",
    ),
    defect(
        "shared-quota-not-charged",
        loop,
        "on_limiters",
        instead(
            lambda _, level, *_rest: level is Level.BROKER,
            lambda broker, *_: broker,
        ),
        "The broker's limit is configured and never reached.",
        "DT28",
    ),
    defect(
        "excess-forgotten-by-all",
        counters,
        "period_ends",
        then(lambda counter: replace(counter, taken=0)),
        "What several dispatchers deliver too much at once is forgotten, period by period.",
        "DT12",
    ),
    defect(
        "blocked-for-good",
        loop,
        "next_reread",
        always(None),
        "A subscription that found no quota is never served again.",
        "DT19",
    ),
    defect(
        "totals-of-another-send",
        loop,
        "written",
        _newest_totals,
        "A delivery is charged with the totals of a later one.",
        "DT32",
    ),
    defect(
        "writes-not-charged",
        loop,
        "written",
        lambda _: lambda broker, *_rest: (broker, ()),
        "Exclusive consumers are not limited.",
    ),
    defect(
        "charged-twice",
        loop,
        "settle",
        _charged_twice,
        "Half of what the limit allows is delivered.",
    ),
    defect(
        "read-of-a-former-consumer",
        loop,
        "complete_exclusive",
        _consumer_ignored,
        "After a change of consumer a delayed read goes on from the old place: messages are lost.",
        "DT29",
        PULSAR_4_0,
    ),
    defect(
        "blocked-without-reason",
        loop,
        "ask",
        instead(
            lambda broker, index, *_: broker.subscriptions[index].sort is Sort.SHARED,
            lambda broker, index, *_: loop.blocked(broker, index, Blocked(1000)),
        ),
        "A subscription with quota and permits is not served.",
    ),
    defect(
        "stops-after-the-first-read",
        loop,
        "read",
        _stops_after_first,
        "A subscription is served once, and then never again, with permits and quota left.",
    ),
    defect(
        "read-and-not-delivered",
        loop,
        "hand_out",
        lambda _: lambda broker, index, *_rest: (broker, (Ignored(index, Idle.NO_ENTRIES),)),
        "A shared subscription reads its backlog, and its consumer receives nothing.",
    ),
    defect(
        "charged-to-some-levels",
        loop,
        "charge",
        _levels_left_out,
        "The broker's limit is configured, and nothing is charged to it.",
        "DT28",
    ),
    defect(
        "partitions-share-a-quota",
        loop,
        "charge",
        _one_quota_for_all_topics,
        "A partitioned topic delivers one partition's quota in all.",
    ),
    defect(
        "last-entry-of-a-read-lost",
        loop,
        "hand_out",
        _last_entry_lost,
        "Of every read the last entry is not delivered.",
    ),
    defect(
        "no-quota-called-outstanding",
        loop,
        "blocked",
        lambda _: _says_outstanding,
        "A subscription without quota waits for a read that was never issued.",
    ),
    defect(
        "reads-by-count-alone",
        loop,
        "entries_of",
        lambda _: lambda _broker, _index, limits, _edition: limits.entries,
        "A limit in bytes is charged, and reads, replays too, ask for as many entries as ever.",
        "DT26",
    ),
    defect(
        "bytes-are-free",
        limiters,
        "consume",
        lambda original: lambda limiter, units, _size, now: original(limiter, units, 0, now),
        "A limit in bytes is looked at, and never lowered.",
        "DT14",
    ),
    equivalent(
        "each-level-charged-for-itself",
        loop,
        "charge",
        _one_by_one,
        "Each level's charge is reported by itself.",
    ),
    equivalent(
        "second-look-sooner",
        loop,
        "blocked",
        _look_sooner,
        "A subscription without quota looks again after 7 ms.",
    ),
    equivalent(
        "charged-without-backlog",
        loop,
        "settle",
        first(2, lambda sent: replace(sent, limited=True)),
        "What needs no quota is charged all the same.",
    ),
    equivalent(
        "single-entries",
        loop,
        "reader_of",
        then(lambda reader: replace(reader, batch=1)),
        "Every read asks for one entry.",
    ),
)
