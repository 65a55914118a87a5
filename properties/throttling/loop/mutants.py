"""Mutants of the dispatch loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    always,
    defect,
    defect_of,
    equivalent,
    equivalent_of,
    first,
    instead,
    then,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling import delivering, loop, loop_outside
from evenkeel.reference.throttling import limiter as limiters
from evenkeel.reference.throttling.delivering import Handed
from evenkeel.reference.throttling.loop_state import (
    Broker,
    Event,
    NoQuota,
    OutstandingRead,
    Sort,
    Uncharged,
    with_subscription,
)
from evenkeel.reference.throttling.rates import DispatchRate, Level
from evenkeel.reference.throttling.reading import Blocked, Read

Outcome = tuple[Broker, tuple[Event, ...]]


@defect_of(
    delivering,
    "hand_over",
    "A consumer is sent all that was read, however little it can take.",
    "DT7",
)
def permits_ignored(original: Function) -> Function:
    def hand_over(entries: Any, permits: int, average: float, round_robin: int) -> Handed:
        sent = sum(entry.messages for entry in entries)
        return Handed(len(entries), permits - sent, average)

    return hand_over


@defect_of(
    loop,
    "settle",
    "The option to count entries has no effect: one large batch uses up the quota.",
    "DT8",
)
def entries_counted_as_messages(original: Function) -> Function:
    def settle(broker: Broker, index: int, sent: Uncharged, edition: Any) -> Outcome:
        plain = replace(broker, config=replace(broker.config, by_entry=False))
        after, events = original(plain, index, sent, edition)
        return replace(after, config=broker.config), events

    return settle


@defect_of(loop, "written", "A delivery is charged with the totals of a later one.", "DT32")
def totals_of_another_send(original: Function) -> Function:
    def written(broker: Broker, index: int, succeeded: bool, edition: Any) -> Outcome:
        own = broker.subscriptions[index]
        if own.writing:
            own = replace(own, writing=(own.writing[-1], *own.writing[1:]))
            broker = with_subscription(broker, index, own)
        outcome: Outcome = original(broker, index, succeeded, edition)
        return outcome

    return written


@defect_of(loop, "settle", "Half of what the limit allows is delivered.")
def charged_twice(original: Function) -> Function:
    def settle(broker: Broker, index: int, sent: Uncharged, edition: Any) -> Outcome:
        broker, once = original(broker, index, sent, edition)
        broker, twice = original(broker, index, sent, edition)
        return broker, (*once, *twice)

    return settle


@defect_of(
    loop,
    "complete_exclusive",
    "After a change of consumer a delayed read goes on from the old place: messages are lost.",
    "DT29",
    PULSAR_4_0,
)
def read_of_a_former_consumer(original: Function) -> Function:
    def complete(broker: Broker, index: int, asked: OutstandingRead) -> Outcome:
        consumer = broker.subscriptions[index].consumer
        outcome: Outcome = original(broker, index, replace(asked, consumer=consumer))
        return outcome

    return complete


@equivalent_of(loop, "blocked", "A subscription without quota looks again after 7 ms.")
def second_look_sooner(original: Function) -> Function:
    def blocked(broker: Broker, index: int, limits: Any) -> Outcome:
        if broker.subscriptions[index].reread_at is not None or limits.reread is None:
            outcome: Outcome = original(broker, index, limits)
            return outcome
        at = broker.now + 7
        own = replace(broker.subscriptions[index], reread_at=at)
        return with_subscription(broker, index, own), (NoQuota(index, at),)

    return blocked


def _looks_again(after: Callable[[Broker, int], int]) -> Callable[[Function], Function]:
    """Without quota a subscription says to look again after so many ms."""

    def make(original: Function) -> Function:
        def blocked(broker: Broker, index: int, limits: Any) -> Outcome:
            if limits.reread is not None:
                limits = Blocked(after(broker, index))
            outcome: Outcome = original(broker, index, limits)
            return outcome

        return blocked

    return make


def _longest_period(broker: Broker, index: int) -> int:
    """In ms, of the limits that are in force."""
    rates = [loop.limiter_at(broker, level, index).rate for level in Level]
    return max(rate.period * 1000 for rate in rates if rate.messages > 0 or rate.bytes > 0)


@equivalent_of(loop, "ask", "New entries are read before those that are to come again.")
def new_before_again(original: Function) -> Function:
    def ask(broker: Broker, index: int, limits: Any, edition: Any) -> Outcome:
        own = broker.subscriptions[index]
        new = own.next < len(broker.topics[own.topic].entries) and own.normal is None
        if not new or not own.replay:
            outcome: Outcome = original(broker, index, limits, edition)
            return outcome
        without = with_subscription(broker, index, replace(own, replay=()))
        after, events = original(without, index, limits, edition)
        own = replace(after.subscriptions[index], replay=own.replay)
        return with_subscription(after, index, own), events

    return ask


@defect_of(loop_outside, "configure", "A limit that was set is not raised any more.")
def limits_only_lowered(original: Function) -> Function:
    def configure(broker: Broker, level: Level, rate: DispatchRate, edition: Any) -> Broker:
        now = loop.limiter_at(broker, level, 0).rate
        if 0 < now.messages < rate.messages:
            rate = replace(rate, messages=now.messages)
        changed: Broker = original(broker, level, rate, edition)
        return changed

    return configure


@defect_of(
    loop, "charge", "The broker's limit is configured, and nothing is charged to it.", "DT28"
)
def charged_to_some_levels(original: Function) -> Function:
    def charge(broker: Broker, index: int, units: int, size: int) -> Outcome:
        after, (event,) = original(broker, index, units, size)
        topic = replace(event, levels=(Level.TOPIC, Level.SUBSCRIPTION))
        return replace(after, limiter=broker.limiter), (topic,)

    return charge


@equivalent_of(loop, "charge", "Each level's charge is reported by itself.")
def each_level_charged_for_itself(original: Function) -> Function:
    def charge(broker: Broker, index: int, units: int, size: int) -> Outcome:
        after, (event,) = original(broker, index, units, size)
        return after, tuple(replace(event, levels=(level,)) for level in event.levels)

    return charge


def _half_of_it(limits: Read | Blocked) -> Read | Blocked:
    if isinstance(limits, Blocked) or limits.entries < 2:
        return limits
    return replace(limits, entries=limits.entries // 2)


IGNORED: Final = instead(lambda *_: True, lambda broker, *_: broker)

MUTANTS: Final = (
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
        "writes-not-charged",
        loop,
        "written",
        lambda _: lambda broker, *_rest: (broker, ()),
        "Exclusive consumers are not limited.",
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
    defect(
        "loop-looks-again-in-a-year",
        loop,
        "blocked",
        _looks_again(lambda *_: 365 * 24 * 3600 * 1000),
        "A subscription that found no quota is not served any more.",
    ),
    equivalent(
        "looks-again-after-the-longest-period",
        loop,
        "blocked",
        _looks_again(_longest_period),
        "A subscription without quota looks again when every period has ended.",
    ),
    *(
        defect(f"{name}-ignored", loop_outside, function, IGNORED, story)
        for name, function, story in (
            ("seek", "seek", "A seek is accepted, and messages go on from the old place."),
            ("redelivery", "redeliver", "Messages that a consumer asks for again never come."),
            ("new-consumer", "change_consumer", "What a consumer lost its successor never gets."),
        )
    ),
    equivalent(
        "only-what-waits-comes-again",
        loop_outside,
        "redeliver",
        instead(
            lambda broker, index, entry: (
                not broker.subscriptions[index].acknowledged
                <= entry
                < broker.subscriptions[index].next
            ),
            lambda broker, *_: broker,
        ),
        "An exclusive consumer asks for what it acknowledged or never got: nothing comes of it.",
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
    equivalent(
        "half-of-the-limit-a-read",
        loop,
        "read_limits",
        then(lambda looked: (looked[0], _half_of_it(looked[1]))),
        "A read asks for half of the entries that the quotas allow.",
    ),
)
