"""Trials and answers of `throttling.loop`.

One broker with its topics (or partitions) and their subscriptions, each with one consumer. Nothing
happens by itself, except that a subscription that found no quota looks again when it is due. Time
is virtual: it begins at 0 and moves with `advance` only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.throttling.loop import commands as do
from evenkeel.properties.throttling.loop.commands import (
    LARGEST,
    LoopCommand,
    SubscriptionCommand,
    require_entries,
    require_loop_rate,
)
from evenkeel.properties.trial import Tagged, require
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.throttling import loop
from evenkeel.reference.throttling.limiter import Mechanism
from evenkeel.reference.throttling.loop import (
    Broker,
    Entry,
    Event,
    Idle,
    LevelRates,
    LoopConfig,
    Sort,
    Step,
)
from evenkeel.reference.throttling.rates import Level


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

    Commands may name a subscription or a topic beyond the last: its number is taken modulo how many
    there are. So is an entry that is to come again, of those that are stored; a seek may also go
    behind the last.
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
        return sum(len(topic.subscriptions) for topic in self.topics)


@dataclass(frozen=True, slots=True)
class ReadIssued(Tagged):
    """Storage was asked for so many entries, of `quota_bytes` bytes at most (one in any case)."""

    subscription: int
    replay: bool
    entries: int
    quota_bytes: int


@dataclass(frozen=True, slots=True)
class Blocked(Tagged):
    """A quota was used up: no read. The subscription looks again at `reread_at` (ms)."""

    subscription: int
    reread_at: int


@dataclass(frozen=True, slots=True)
class Delivered(Tagged):
    """Entries, by index in their topic, went to the consumer; `again`: as a replay."""

    subscription: int
    again: bool
    entries: tuple[int, ...]
    messages: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Charged(Tagged):
    """These levels' quotas were charged: `units` messages (entries, if entries are counted).

    One charge may name all levels, or each level may have its own; a level without a limit need
    not be named.
    """

    subscription: int
    levels: tuple[Level, ...]
    units: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Ignored(Tagged):
    """Nothing was read or delivered, and why."""

    subscription: int
    reason: Idle


LoopEvent = ReadIssued | Blocked | Delivered | Charged | Ignored


@dataclass(frozen=True, slots=True)
class SeenEvents(Tagged):
    """What was to be seen of a command, in order; nothing, if it only changed something."""

    DO: ClassVar[str] = "seen"
    events: tuple[LoopEvent, ...]


LoopResult = SeenEvents | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class LoopAnswer:
    """One result for each command."""

    results: tuple[LoopResult, ...]


def config_of(trial: LoopTrial) -> LoopConfig:
    settings = trial.settings
    return LoopConfig(
        settings.mechanism,
        settings.max_batch,
        settings.max_bytes,
        settings.round_robin,
        settings.precise,
        settings.by_entry,
        settings.non_backlog,
    )


def answer_loop(trial: LoopTrial, edition: Edition) -> LoopAnswer:
    topics = [(topic.entries, topic.subscriptions) for topic in trial.topics]
    broker = loop.start(config_of(trial), trial.rates, topics, edition)
    results: list[LoopResult] = []
    for command in trial.commands:
        try:
            broker, events = carry_out(broker, command, edition)
        except Refusal as refusal:
            results.append(CommandRefused(type(refusal).__name__))
        except Breakage as breakage:
            results.append(CommandBroke(type(breakage).__name__))
        else:
            results.append(SeenEvents(tuple(stated(event) for event in events)))
    return LoopAnswer(tuple(results))


def carry_out(broker: Broker, command: LoopCommand, edition: Edition) -> Step:
    match command:
        case do.AdvanceLoop(millis):
            return loop.advance(broker, millis, edition)
        case do.ConfigureLevel(level, rate):
            return loop.configure(broker, level, rate, edition), ()
        case do.PublishEntries(topic, entries):
            return loop.publish(broker, topic % len(broker.topics), entries), ()
        case _:
            index = command.subscription % len(broker.subscriptions)
            return of_subscription(broker, index, command, edition)


def of_subscription(
    broker: Broker, index: int, command: SubscriptionCommand, edition: Edition
) -> Step:
    stored = len(broker.topics[broker.subscriptions[index].topic].entries)
    match command:
        case do.ReadNow():
            return loop.read(broker, index, edition)
        case do.Complete(_, replay):
            return loop.complete(broker, index, replay, edition)
        case do.Written(_, succeeded):
            return loop.written(broker, index, succeeded, edition)
        case do.Flow(_, permits):
            return loop.flow(broker, index, permits), ()
        case do.Redeliver(_, entry):
            return loop.redeliver(broker, index, entry % max(1, stored)), ()
        case do.Acknowledge():
            return loop.acknowledge(broker, index), ()
        case do.Seek(_, entry):
            return loop.seek(broker, index, entry % (stored + 1)), ()
        case do.ChangeConsumer():
            return loop.change_consumer(broker, index), ()
        case do.SetActive(_, active):
            return loop.set_active(broker, index, active), ()


def stated(event: Event) -> LoopEvent:
    match event:
        case loop.ReadIssued(subscription, replay, entries, quota_bytes):
            return ReadIssued(subscription, replay, entries, quota_bytes)
        case loop.NoQuota(subscription, reread_at):
            return Blocked(subscription, reread_at)
        case loop.Delivered(subscription, again, entries, messages, size):
            return Delivered(subscription, again, entries, messages, size)
        case loop.Charged(subscription, levels, units, size):
            return Charged(subscription, levels, units, size)
        case loop.Ignored(subscription, reason):
            return Ignored(subscription, reason)


def loop_labels(trial: LoopTrial) -> Iterator[str]:
    yield trial.settings.mechanism.value
    yield "one subscription" if trial.subscriptions == 1 else "several subscriptions"
    if len(trial.topics) > 1:
        yield "several topics"
    if trial.settings.precise:
        yield "precise"
    if trial.settings.by_entry:
        yield "entries counted"
    reads = [c for c in trial.commands if isinstance(c, do.ReadNow | do.Complete)]
    if any(isinstance(a, do.ReadNow) and isinstance(b, do.ReadNow) for a, b in pairwise(reads)):
        yield "reads overlap"
    for kind, label in (
        (do.Redeliver, "redelivery"),
        (do.Seek, "seek"),
        (do.ChangeConsumer, "consumer change"),
        (do.ConfigureLevel, "configured while running"),
    ):
        if any(isinstance(command, kind) for command in trial.commands):
            yield label
