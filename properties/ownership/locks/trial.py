"""Trials and answers of `ownership.locks`.

Some brokers, some bundles and a metadata store. Nothing happens by itself: what a broker asks of
the store, what it is told, and the closing of topics wait in queues, one for each broker and
bundle, until a command takes the oldest out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from evenkeel.properties.observations import CommandBroke
from evenkeel.properties.ownership.locks import commands as do
from evenkeel.properties.ownership.locks.commands import LocksCommand, require_index
from evenkeel.properties.trial import Tagged, require
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.locks import lookup, owning, store
from evenkeel.reference.ownership.locks import protocol as locks
from evenkeel.reference.ownership.locks.state import (
    Broker,
    Bundle,
    BundleState,
    Ended,
    Outcome,
    Request,
    Sort,
    World,
    new_world,
)


@dataclass(frozen=True, slots=True)
class NamedBundle:
    """A bundle: an ordinary one, or one named after a broker."""

    sort: Sort
    broker: int

    def __post_init__(self) -> None:
        require_index("broker", self.broker)


@dataclass(frozen=True, slots=True)
class LocksTrial:
    """`leader`: the broker that all take for the leader at first; null: none.

    Commands may name a broker or a bundle beyond the last: its number is taken modulo how many
    there are, so that with 3 brokers 4 is broker 1.
    """

    brokers: int
    bundles: tuple[NamedBundle, ...]
    leader: int | None
    commands: tuple[LocksCommand, ...]

    def __post_init__(self) -> None:
        require(1 <= self.brokers <= 5, "brokers", "must be from 1 to 5")
        require(1 <= len(self.bundles) <= 5, "bundles", "must be from 1 to 5")
        require_index("leader", self.leader or 0)


# --------------------------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True)
class Reply:
    """What a lookup or an unload came to. `number`: of the command, or of the asked broker.

    `broker` and `authoritative`: of an owner or redirect; else null and false.
    """

    number: int
    outcome: Outcome
    broker: int | None
    authoritative: bool


@dataclass(frozen=True, slots=True)
class LocksStep(Tagged):
    """What is to be seen after a command.

    `ended`: the lookups and unloads that it ended, by number. `asked`: the lookups that `find` or
    `views` made, each with the number of the broker that it asked. `standings`: what each broker
    says of each bundle itself. `holders`: the broker whose node each bundle has, or null.
    """

    DO: ClassVar[str] = "step"
    ended: tuple[Reply, ...]
    asked: tuple[Reply, ...]
    standings: tuple[tuple[BundleState, ...], ...]
    holders: tuple[int | None, ...]


LocksResult = LocksStep | CommandBroke


@dataclass(frozen=True, slots=True)
class LocksAnswer:
    """What was to be seen of each command."""

    results: tuple[LocksResult, ...]


# ---------------------------------------------------------------------- the reference's answer

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
        case do.Settle():
            locks.settle(world, edition)
        case do.Views():
            return locks.views(world, command.bundle % len(world.bundles), edition)
        case _:
            broker = world.brokers[command.broker % len(world.brokers)]
            if isinstance(command, do.OfBundle):
                return of_bundle(world, broker, number, command, edition)
            of_broker(world, broker, command, edition)
    return []


def of_broker(world: World, broker: Broker, command: do.OfBroker, edition: Edition) -> None:
    """A command about one broker."""
    match command:
        case do.Retry():
            locks.retry(broker)
        case do.Disconnect():
            store.disconnect(broker)
        case do.Expire():
            locks.expire(world, broker, edition)
        case do.Reconnect():
            locks.reconnect(world, broker)
        case do.Crash():
            locks.crash(world, broker)
        case do.Restart():
            locks.restart(world, broker)
        case do.Stop():
            locks.stop(world, broker)
        case do.Elect(_, leader):
            broker.leader = None if leader is None else leader % len(world.brokers)


def of_bundle(
    world: World, broker: Broker, number: int, command: do.OfBundle, edition: Edition
) -> Asked:
    """A command about one bundle at one broker."""
    bundle = command.bundle % len(world.bundles)
    match command:
        case do.Lookup(_, _, authoritative, read_only, preferred):
            preferred %= len(world.brokers)
            request = Request(bundle, authoritative, read_only, preferred)
            if broker.running:
                lookup.look_up(world, broker, number, request, edition)
            else:
                world.ended.append(Ended(number, Outcome.FAILED))
        case do.Answer():
            locks.answer(world, broker, bundle, edition)
        case do.Fail(_, _, done):
            locks.fail(world, broker, bundle, done, edition)
        case do.Notify():
            locks.notify(broker, bundle)
        case do.Unload():
            owning.unload(world, broker, bundle, number)
        case do.Closed(_, _, how):
            locks.close(world, broker, bundle, how is not do.Closing.TIMED_OUT, edition)
        case do.Find(_, _, preferred):
            preferred %= len(world.brokers)
            return locks.find(world, broker.number, bundle, preferred, edition)
    return []


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


SORTS: Final = (
    (do.Unload, "unloads"),
    (do.Expire, "a session ends"),
    (do.Disconnect, "a connection breaks"),
    (do.Crash, "a process crashes"),
    (do.Restart, "a process starts again"),
    (do.Stop, "a broker stops"),
    (do.Find, "a client searches"),
    (do.Views, "views are compared"),
)


def locks_labels(trial: LocksTrial) -> Iterator[str]:
    """What happens in it."""
    yield f"{trial.brokers} brokers"
    kinds = {type(command) for command in trial.commands}
    for kind, label in SORTS:
        if kind in kinds:
            yield label
    if any(bundle.sort is not Sort.PLAIN for bundle in trial.bundles):
        yield "named after a broker"
    if any(isinstance(c, do.Closed) and c.how is do.Closing.TIMED_OUT for c in trial.commands):
        yield "closing times out"
    if any(isinstance(c, do.Lookup) and c.read_only for c in trial.commands):
        yield "read-only"
