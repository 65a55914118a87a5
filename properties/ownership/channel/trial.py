"""Trials and answers of `ownership.channel`.

Brokers are numbers from 0. Time is virtual and in ms. The bundles are a parent, its two halves
and another one of another namespace.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.ownership.channel import commands as do
from evenkeel.properties.ownership.channel.commands import (
    AtBroker,
    Bundle,
    ChannelCommand,
    require_broker,
)
from evenkeel.properties.ownership.records.trial import RecordData, data_of
from evenkeel.properties.trial import Tagged, require
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.ownership.channel import commands as channel
from evenkeel.reference.ownership.channel.world import BUNDLES, Half, Ticket, World
from evenkeel.reference.ownership.records import BrokerId, BundleName, Storage


class HalfName(Enum):
    """Parts of the hash space: the parent's two halves, and the other bundle."""

    LEFT = "left"
    RIGHT = "right"
    OTHER = "other"


def halves_of(bundle: Bundle) -> tuple[HalfName, ...]:
    """The hashes of a bundle."""
    if bundle is Bundle.PARENT:
        return (HalfName.LEFT, HalfName.RIGHT)
    return (HalfName(bundle.value),)


@dataclass(frozen=True, slots=True)
class ChannelTrial:
    """`ownership.channel`: so many brokers that run, without records; broker 0 leads.

    It is the extensible load manager's: the bundles of a broker that goes are given to others
    without waiting for clients.
    """

    storage: Storage
    brokers: int
    commands: tuple[ChannelCommand, ...]

    def __post_init__(self) -> None:
        require(2 <= self.brokers <= 3, "brokers", "must be 2 or 3")
        for index, command in enumerate(self.commands):
            for name in ("broker", "to"):
                place = f"commands[{index}].{name}"
                require_broker(place, getattr(command, name, None), self.brokers)


@dataclass(frozen=True, slots=True)
class Done(Tagged):
    """The command did what it does; or it asked for nothing that can be done, which may be refused
    as well.
    """


@dataclass(frozen=True, slots=True)
class ReadOf(Tagged):
    """Answer to `Read`: the bundle whose change was read, null if there was none."""

    bundle: Bundle | None


class LookupEnd(Enum):
    """How a lookup or an assignment ends."""

    OWNER = "owner"
    NONE = "none"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A lookup or an assignment that ended; `ticket` is the number of the command that began it."""

    ticket: int
    end: LookupEnd
    owner: int | None


@dataclass(frozen=True, slots=True)
class Write:
    """A record that a broker published, null a removal; `stands`: the storage took it."""

    writer: int
    bundle: Bundle
    record: RecordData | None
    stands: bool


@dataclass(frozen=True, slots=True)
class Served:
    """The hashes whose topics a broker has open."""

    broker: int
    hashes: tuple[HalfName, ...]


@dataclass(frozen=True, slots=True)
class SeenRecord:
    """A record in a broker's view."""

    broker: int
    bundle: Bundle
    record: RecordData


@dataclass(frozen=True, slots=True)
class Step:
    """What one command brought about.

    `ended` in the order of tickets, `wrote` as it was published, `serves` for every broker that
    serves anything. After `Settle` also every broker's view.
    """

    result: Done | ReadOf | CommandRefused | CommandBroke
    ended: tuple[Lookup, ...]
    wrote: tuple[Write, ...]
    serves: tuple[Served, ...]
    views: tuple[SeenRecord, ...]


@dataclass(frozen=True, slots=True)
class ChannelAnswer:
    """One step for each command."""

    steps: tuple[Step, ...]


# ---------------------------------------------------------------------- the reference's answer

NAMES = tuple(BrokerId(f"b{index}") for index in range(3))


def answer_channel(trial: ChannelTrial, edition: Edition) -> ChannelAnswer:
    world = channel.new(trial.storage, NAMES[: trial.brokers])
    steps = []
    for ticket, command in enumerate(trial.commands):
        world.ended, world.written = [], []
        result: Done | ReadOf | CommandRefused | CommandBroke
        try:
            result = run(world, command, Ticket(ticket), edition)
        except Refusal as error:
            result = CommandRefused(type(error).__name__)
        except Breakage as error:
            result = CommandBroke(type(error).__name__)
        steps.append(step_of(world, result, isinstance(command, do.Settle)))
    return ChannelAnswer(tuple(steps))


def run(world: World, command: ChannelCommand, ticket: Ticket, edition: Edition) -> Done | ReadOf:
    match command:
        case do.Elapse(millis):
            channel.advance(world, millis, edition)
        case do.Compact():
            channel.compact(world, edition)
        case do.Settle():
            channel.settle(world, edition)
        case do.Ask(broker, bundle):
            channel.ask(world, NAMES[broker], BundleName(bundle.value), ticket)
        case do.Assign(broker, bundle, to):
            name = BundleName(bundle.value)
            channel.assign(world, NAMES[broker], name, NAMES[to], ticket, edition)
        case do.Unload(broker, bundle, to):
            destination = None if to is None else NAMES[to]
            channel.unload(world, NAMES[broker], BundleName(bundle.value), destination, edition)
        case do.Finish(broker, bundle, fails):
            channel.finish(world, NAMES[broker], BundleName(bundle.value), fails, edition)
        case do.Read(broker):
            bundle_read = channel.read(world, NAMES[broker], edition)
            return ReadOf(None if bundle_read is None else Bundle(bundle_read))
        case _:
            run_at(world, command, NAMES[command.broker], edition)
    return Done()


def run_at(world: World, command: AtBroker, name: BrokerId, edition: Edition) -> None:
    match command:
        case do.UnloadNamespace():
            channel.unload_namespace(world, name, edition)
        case do.Split():
            channel.split(world, name, edition)
        case do.Notice():
            channel.notice(world, name, edition)
        case do.Clean():
            channel.clean(world, name, edition)
        case do.Monitor():
            channel.monitor(world, name, edition)
        case do.Crash():
            channel.crash(world, name, edition)
        case do.RestartBroker():
            channel.restart(world, name, edition)
        case do.LoseSession():
            channel.lose_session(world, name, edition)
        case do.RegainSession():
            channel.regain_session(world, name, edition)
        case do.ShutDown():
            channel.shut_down(world, name, edition)
        case do.Elect():
            channel.elect(world, name)


def step_of(
    world: World, result: Done | ReadOf | CommandRefused | CommandBroke, settled: bool
) -> Step:
    ended = sorted(world.ended, key=lambda end: end.ticket)
    return Step(
        result,
        tuple(Lookup(end.ticket, LookupEnd(end.outcome.value), number(end.owner)) for end in ended),
        tuple(
            Write(
                NAMES.index(write.writer),
                Bundle(write.bundle),
                None if write.record is None else data_of(write.record),
                write.stands,
            )
            for write in world.written
        ),
        tuple(
            Served(index, tuple(half for half in HalfName if Half(half.value) in broker.serves))
            for index, broker in enumerate(world.brokers.values())
            if broker.serves
        ),
        views_of(world) if settled else (),
    )


def views_of(world: World) -> tuple[SeenRecord, ...]:
    return tuple(
        SeenRecord(index, Bundle(bundle), data_of(broker.view[bundle]))
        for index, broker in enumerate(world.brokers.values())
        for bundle in BUNDLES
        if broker.alive and bundle in broker.view
    )


def number(name: BrokerId | None) -> int | None:
    return None if name is None else NAMES.index(name)


NOBODY: Final = -1
"""The number of a name that no broker has."""


def broker_of(name: str | None) -> int | None:
    """The broker that a record names; `NOBODY` if there is none of that name."""
    if name is None:
        return None
    letter, digits = name[:1], name[1:]
    return int(digits) if letter == "b" and digits.isdecimal() else NOBODY


def channel_labels(trial: ChannelTrial) -> Iterator[str]:
    yield trial.storage.value
    yield f"{trial.brokers} brokers"
    for kind, label in (
        (do.Assign, "assigned"),
        (do.Unload, "unloaded"),
        (do.UnloadNamespace, "namespace unloaded"),
        (do.Split, "split"),
        (do.Crash, "crash"),
        (do.LoseSession, "session lost"),
        (do.ShutDown, "shut down"),
        (do.Compact, "compacted"),
        (do.Settle, "settled"),
    ):
        if any(isinstance(command, kind) for command in trial.commands):
            yield label
