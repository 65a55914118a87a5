"""How the reference answers the question about the lock protocol."""

from __future__ import annotations

from evenkeel.properties.ownership import trials_locks as trials
from evenkeel.properties.ownership.trials_locks import (
    LocksAnswer,
    LocksCommand,
    LocksStep,
    LocksTrial,
    Reply,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import locks
from evenkeel.reference.ownership import locks_lookup as lookup
from evenkeel.reference.ownership import locks_owning as owning
from evenkeel.reference.ownership import locks_store as store
from evenkeel.reference.ownership.locks_state import (
    Broker,
    Bundle,
    Ended,
    Outcome,
    Request,
    World,
    new_world,
)

Asked = list[tuple[int, Ended]]


def answer_locks(trial: LocksTrial, edition: Edition) -> LocksAnswer:
    """What was to be seen of each command."""
    bundles = [Bundle(bundle.sort, bundle.broker % trial.brokers) for bundle in trial.bundles]
    leader = None if trial.leader is None else trial.leader % trial.brokers
    world = new_world(trial.brokers, bundles, leader)
    return LocksAnswer(
        tuple(
            seen(world, carry_out(world, number, command, edition))
            for number, command in enumerate(trial.commands)
        )
    )


def carry_out(world: World, number: int, command: LocksCommand, edition: Edition) -> Asked:
    """One command: the lookups that it made itself."""
    match command:
        case trials.Settle():
            locks.settle(world, edition)
        case trials.Views():
            return locks.views(world, command.bundle % len(world.bundles), edition)
        case _:
            broker = world.brokers[command.broker % len(world.brokers)]
            if isinstance(command, trials.OfBundle):
                return of_bundle(world, broker, number, command, edition)
            of_broker(world, broker, command, edition)
    return []


def of_broker(world: World, broker: Broker, command: trials.OfBroker, edition: Edition) -> None:
    """A command about one broker."""
    match command:
        case trials.Retry():
            locks.retry(broker)
        case trials.Disconnect():
            store.disconnect(broker)
        case trials.Expire():
            locks.expire(world, broker, edition)
        case trials.Reconnect():
            locks.reconnect(world, broker)
        case trials.Crash():
            locks.crash(world, broker)
        case trials.Restart():
            locks.restart(world, broker)
        case trials.Stop():
            locks.stop(world, broker)
        case trials.Elect(_, leader):
            broker.leader = None if leader is None else leader % len(world.brokers)


def of_bundle(
    world: World, broker: Broker, number: int, command: trials.OfBundle, edition: Edition
) -> Asked:
    """A command about one bundle at one broker."""
    bundle = command.bundle % len(world.bundles)
    match command:
        case trials.Lookup(_, _, authoritative, read_only, preferred):
            preferred %= len(world.brokers)
            request = Request(bundle, authoritative, read_only, preferred)
            if broker.running:
                lookup.look_up(world, broker, number, request, edition)
            else:
                world.ended.append(Ended(number, Outcome.FAILED))
        case trials.Answer():
            locks.answer(world, broker, bundle, edition)
        case trials.Fail(_, _, done):
            locks.fail(world, broker, bundle, done, edition)
        case trials.Notify():
            locks.notify(broker, bundle)
        case trials.Unload():
            owning.unload(world, broker, bundle, number)
        case trials.Closed(_, _, how):
            close(world, broker, bundle, how, edition)
        case trials.Find(_, _, preferred):
            preferred %= len(world.brokers)
            return locks.find(world, broker.number, bundle, preferred, edition)
    return []


def close(world: World, broker: Broker, bundle: int, how: trials.Closing, edition: Edition) -> None:
    """However the closing of topics came to its end, the unload goes on."""
    owning.topics_closed(world, broker, bundle, edition)


def seen(world: World, asked: Asked) -> LocksStep:
    """What is to be seen of the world, and what has ended since it was last looked at."""
    ended, world.ended = sorted(world.ended, key=lambda entry: entry.number), []
    return LocksStep(
        tuple(reply(entry.number, entry) for entry in ended),
        tuple(reply(number, entry) for number, entry in asked),
        tuple(
            tuple(broker.standing(bundle) for bundle in range(len(world.bundles)))
            for broker in world.brokers
        ),
        tuple(
            node.holder if (node := world.nodes.get(bundle)) is not None else None
            for bundle in range(len(world.bundles))
        ),
    )


def reply(number: int, ended: Ended) -> Reply:
    """What something came to."""
    return Reply(number, ended.outcome, ended.broker, ended.authoritative)
