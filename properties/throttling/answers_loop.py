"""How the reference answers the question about the dispatch loop."""

from __future__ import annotations

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.throttling import trials_loop as trials
from evenkeel.properties.throttling.trials_loop import (
    Acknowledge,
    AdvanceLoop,
    ChangeConsumer,
    Complete,
    ConfigureLevel,
    Flow,
    LoopAnswer,
    LoopCommand,
    LoopEvent,
    LoopResult,
    LoopTrial,
    PublishEntries,
    ReadNow,
    Redeliver,
    Seek,
    Seen,
    SetActive,
    Written,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.throttling import loop, loop_outside, loop_state
from evenkeel.reference.throttling.loop import Step
from evenkeel.reference.throttling.loop_state import Broker, Event, LoopConfig


def config_of(trial: LoopTrial) -> LoopConfig:
    """The trial's settings as the reference knows them."""
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
    """What was to be seen of each command."""
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
            results.append(Seen(tuple(stated(event) for event in events)))
    return LoopAnswer(tuple(results))


def carry_out(broker: Broker, command: LoopCommand, edition: Edition) -> Step:
    """One command: the broker afterwards and what was to be seen."""
    match command:
        case AdvanceLoop(millis):
            return loop.advance(broker, millis, edition)
        case ConfigureLevel(level, rate):
            return loop_outside.configure(broker, level, rate, edition), ()
        case PublishEntries(topic, entries):
            return loop_outside.publish(broker, topic % len(broker.topics), entries), ()
        case _:
            index = command.subscription % len(broker.subscriptions)
            return of_subscription(broker, index, command, edition)


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


def of_subscription(
    broker: Broker, index: int, command: SubscriptionCommand, edition: Edition
) -> Step:
    """One command of one subscription."""
    stored = len(broker.topics[broker.subscriptions[index].topic].entries)
    match command:
        case ReadNow():
            return loop.read(broker, index, edition)
        case Complete(_, replay):
            return loop.complete(broker, index, replay, edition)
        case Written(_, succeeded):
            return loop.written(broker, index, succeeded, edition)
        case Flow(_, permits):
            return loop_outside.flow(broker, index, permits), ()
        case Redeliver(_, entry):
            return loop_outside.redeliver(broker, index, entry % max(1, stored)), ()
        case Acknowledge():
            return loop_outside.acknowledge(broker, index), ()
        case Seek(_, entry):
            return loop_outside.seek(broker, index, entry % (stored + 1)), ()
        case ChangeConsumer():
            return loop_outside.change_consumer(broker, index), ()
        case SetActive(_, active):
            return loop_outside.set_active(broker, index, active), ()


def stated(event: Event) -> LoopEvent:
    """An event as an observation states it."""
    match event:
        case loop_state.ReadIssued(subscription, replay, entries, quota_bytes):
            return trials.ReadIssued(subscription, replay, entries, quota_bytes)
        case loop_state.NoQuota(subscription, reread_at):
            return trials.Blocked(subscription, reread_at)
        case loop_state.Delivered(subscription, again, entries, messages, size):
            return trials.Delivered(subscription, again, entries, messages, size)
        case loop_state.Charged(subscription, units, size):
            return trials.Charged(subscription, units, size)
        case loop_state.Ignored(subscription, reason):
            return trials.Ignored(subscription, reason)
