"""How the reference answers the questions about the ownership channel."""

from __future__ import annotations

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.ownership.trials_channel import (
    Ask,
    Assign,
    AtBroker,
    Bundle,
    ChannelAnswer,
    ChannelCommand,
    ChannelTrial,
    Clean,
    Compact,
    ConflictAnswer,
    ConflictTrial,
    Crash,
    Done,
    Elapse,
    Elect,
    Finish,
    HalfName,
    Lookup,
    LookupEnd,
    LoseSession,
    Monitor,
    Notice,
    Read,
    ReadOf,
    RecordData,
    RegainSession,
    RestartBroker,
    Seen,
    Served,
    Settle,
    ShutDown,
    Split,
    Step,
    TransitionAnswer,
    TransitionTrial,
    Unload,
    Write,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.ownership import channel, conflict, records
from evenkeel.reference.ownership.channel_world import BUNDLES, Half, Ticket, World
from evenkeel.reference.ownership.records import BrokerId, BundleName, Record

NAMES = tuple(BrokerId(f"b{index}") for index in range(3))


def answer_transition(trial: TransitionTrial, edition: Edition) -> TransitionAnswer:
    """The table of transitions."""
    return TransitionAnswer(records.may_follow(trial.storage, trial.before, trial.after))


def answer_conflict(trial: ConflictTrial, edition: Edition) -> ConflictAnswer:
    """Which of two records stands."""
    accepted = conflict.accepts(
        trial.storage, record_of(trial.current), record_of(trial.update), edition
    )
    return ConflictAnswer(accepted)


def record_of(data: RecordData | None) -> Record | None:
    """The reference's record."""
    if data is None:
        return None
    destination = None if data.destination is None else BrokerId(data.destination)
    source = None if data.source is None else BrokerId(data.source)
    return Record(data.state, destination, source, data.version, data.force)


def data_of(record: Record) -> RecordData:
    """The record as it is stated in answers."""
    return RecordData(record.state, record.destination, record.source, record.version, record.force)


def answer_channel(trial: ChannelTrial, edition: Edition) -> ChannelAnswer:
    """One step for each command."""
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
        steps.append(step_of(world, result, isinstance(command, Settle)))
    return ChannelAnswer(tuple(steps))


def run(world: World, command: ChannelCommand, ticket: Ticket, edition: Edition) -> Done | ReadOf:
    """One command."""
    match command:
        case Elapse(millis):
            channel.advance(world, millis, edition)
        case Compact():
            channel.compact(world, edition)
        case Settle():
            channel.settle(world, edition)
        case Ask(broker, bundle):
            channel.ask(world, NAMES[broker], BundleName(bundle.value), ticket)
        case Assign(broker, bundle, to):
            name = BundleName(bundle.value)
            channel.assign(world, NAMES[broker], name, NAMES[to], ticket, edition)
        case Unload(broker, bundle, to):
            destination = None if to is None else NAMES[to]
            channel.unload(world, NAMES[broker], BundleName(bundle.value), destination, edition)
        case Finish(broker, bundle, fails):
            channel.finish(world, NAMES[broker], BundleName(bundle.value), fails, edition)
        case Read(broker):
            bundle_read = channel.read(world, NAMES[broker], edition)
            return ReadOf(None if bundle_read is None else Bundle(bundle_read))
        case _:
            run_at(world, command, NAMES[command.broker], edition)
    return Done()


def run_at(world: World, command: AtBroker, name: BrokerId, edition: Edition) -> None:
    """A command that says nothing but the broker."""
    match command:
        case Split():
            channel.split(world, name, edition)
        case Notice():
            channel.notice(world, name, edition)
        case Clean():
            channel.clean(world, name, edition)
        case Monitor():
            channel.monitor(world, name, edition)
        case Crash():
            channel.crash(world, name, edition)
        case RestartBroker():
            channel.restart(world, name, edition)
        case LoseSession():
            channel.lose_session(world, name, edition)
        case RegainSession():
            channel.regain_session(world, name, edition)
        case ShutDown():
            channel.shut_down(world, name, edition)
        case Elect():
            channel.elect(world, name)


def step_of(
    world: World, result: Done | ReadOf | CommandRefused | CommandBroke, settled: bool
) -> Step:
    """What the command brought about."""
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


def views_of(world: World) -> tuple[Seen, ...]:
    """Every live broker's view."""
    return tuple(
        Seen(index, Bundle(bundle), data_of(broker.view[bundle]))
        for index, broker in enumerate(world.brokers.values())
        for bundle in BUNDLES
        if broker.alive and bundle in broker.view
    )


def number(name: BrokerId | None) -> int | None:
    """A broker's number."""
    return None if name is None else NAMES.index(name)
