"""The commands of `ownership.channel`: events at its brokers, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, ClassVar, Final

from evenkeel.properties.ownership.records import RecordData, data_of, is_blank
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.channel import commands as channel
from evenkeel.reference.ownership.channel.world import BUNDLES, Half, Ticket, World
from evenkeel.reference.ownership.records import BrokerId, BundleName, Storage
from evenkeel_engine.frame.errors import Breakage, Refusal
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.trial import Tagged, Within, require


class Bundle(Enum):
    """The bundles: the only one of a namespace, its halves, and one of another namespace."""

    PARENT = "parent"
    LEFT = "left"
    RIGHT = "right"
    OTHER = "other"


def require_broker(place: str, broker: int | None, brokers: int = 3) -> None:
    """One of the trial's brokers."""
    require(broker is None or 0 <= broker < brokers, place, f"must be 0 to {brokers - 1}")


BrokerNumber = Annotated[int, Within(0, 2)]


@dataclass(frozen=True, slots=True)
class AtBroker(Tagged):
    """The common part of the commands below."""

    broker: BrokerNumber


@dataclass(frozen=True, slots=True)
class Ask(AtBroker):
    """A client asks the broker for a bundle's owner. The lookup's ticket is the command's number,
    from 0. This assigns nothing: `assign` is a command of its own.
    """

    bundle: Bundle


@dataclass(frozen=True, slots=True)
class Assign(AtBroker):
    """The broker, asked for an unowned bundle, assigns it to another or to itself."""

    bundle: Bundle
    to: BrokerNumber


@dataclass(frozen=True, slots=True)
class Unload(AtBroker):
    """The broker is asked to have a bundle unloaded; with `to`, transferred. Without it, no broker
    owns the bundle then until it is assigned again.
    """

    bundle: Bundle
    to: BrokerNumber | None


@dataclass(frozen=True, slots=True)
class UnloadNamespace(AtBroker):
    """The broker is asked to have all bundles of the parent's namespace unloaded."""


@dataclass(frozen=True, slots=True)
class Split(AtBroker):
    """The broker is asked to have the parent split into its halves. They are not unloaded
    afterwards: `loadBalancerAutoUnloadSplitBundlesEnabled` is off.
    """


@dataclass(frozen=True, slots=True)
class Read(AtBroker):
    """The broker reads the next change of a record that it has not seen."""


@dataclass(frozen=True, slots=True)
class Finish(AtBroker):
    """The broker's oldest work on a bundle ends: topics closed, or the range divided."""

    bundle: Bundle
    fails: bool


@dataclass(frozen=True, slots=True)
class Notice(AtBroker):
    """The broker is notified of the next registration that appeared or disappeared."""


@dataclass(frozen=True, slots=True)
class Clean(AtBroker):
    """The broker runs the clean-ups that are due."""


@dataclass(frozen=True, slots=True)
class Monitor(AtBroker):
    """The broker's ownership monitor runs."""


@dataclass(frozen=True, slots=True)
class Crash(AtBroker):
    """The broker's process ends, and with it its registration."""


@dataclass(frozen=True, slots=True)
class RestartBroker(AtBroker):
    """The broker's process starts again. One that runs may refuse, do nothing, or end and start.
    Where one that leads does not refuse, it or no broker leads then. Where one that runs and
    is not registered does not refuse, it may be registered or not from then on. OWN-7 and OWN-9
    are judged then and, once the channel is quiescent, OWN-11 to OWN-14, OWN-58 and OWN-59.
    """

    DO: ClassVar[str] = "restart"


@dataclass(frozen=True, slots=True)
class LoseSession(AtBroker):
    """The broker's session with the metadata store ends. If it led, no broker leads then; nor if it
    crashes or shuts down. It may continue to serve its topics, though it should not (OWN-65), until
    another broker owns them (OWN-8).
    """


@dataclass(frozen=True, slots=True)
class RegainSession(AtBroker):
    """The broker has a session again."""


@dataclass(frozen=True, slots=True)
class ShutDown(AtBroker):
    """The broker is no longer registered, and gives its bundles to other brokers. By the documents
    it closes its topics in this same step, without a `finish` (OWN-8); 4.0 closes them later. Its
    process runs on until `crash`: it reads records, and answers lookups.
    """


@dataclass(frozen=True, slots=True)
class Elect(AtBroker):
    """The broker becomes the leader, unless it refuses, and the one before leads no more."""


@dataclass(frozen=True, slots=True)
class Compact(Tagged):
    """The topic is compacted; nodes are left alone."""


@dataclass(frozen=True, slots=True)
class Elapse(Tagged):
    """This many milliseconds pass, at most 10^8."""

    millis: Annotated[int, Within(0, 10**8)]


@dataclass(frozen=True, slots=True)
class Settle(Tagged):
    """A fair schedule without further faults, until nothing happens any more: written records are
    read, work under way ends, clean-ups run when they are due. A lost session stays lost. If none
    leads, the first broker that is registered and does not shut down is elected after a minute;
    where there is none, the command is refused.
    """


PlainCommand = (
    UnloadNamespace
    | Split
    | Read
    | Notice
    | Clean
    | Monitor
    | Crash
    | RestartBroker
    | LoseSession
    | RegainSession
    | ShutDown
    | Elect
)

ChannelCommand = Ask | Assign | Unload | Finish | PlainCommand | Compact | Elapse | Settle


class HalfName(Enum):
    """Parts of the hash space: the parent's two halves, and the other bundle."""

    LEFT = "left"
    RIGHT = "right"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ChannelTrial:
    """`ownership.channel`: this many running brokers, without records; broker 0 leads.

    It is that of the extensible load manager: the bundles of a broker that leaves are given to
    others without waiting for clients. When the leader crashes, loses its session or shuts down,
    none leads until `elect` or `settle`, also if it comes back.
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
    """The command was carried out, or there was nothing to do. OWN-49 says what may be refused. An
    `ask` or `assign` that is done has begun a lookup, which is to end; a refused one has not.
    """


@dataclass(frozen=True, slots=True)
class ReadOf(Tagged):
    """Answer to `read`: the bundle whose change was read, null if there was none."""

    bundle: Bundle | None


class LookupEnd(Enum):
    """How a lookup or an assignment ends."""

    OWNER = "owner"
    NONE = "none"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A lookup or an assignment that ended; `ticket` is the number of the command that began it,
    from 0.
    """

    ticket: int
    end: LookupEnd
    owner: int | None


@dataclass(frozen=True, slots=True)
class Write:
    """A record that a broker published, null a removal. `stands`: the storage accepted it. A topic
    accepts every message, so there it is always true; each reader decides what it takes over.
    """

    writer: int
    bundle: Bundle
    record: RecordData | None
    stands: bool


@dataclass(frozen=True, slots=True)
class Served:
    """The hashes of which a broker has the topics open."""

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
    """The effects of one command.

    `ended` in the order of tickets, `wrote` as it was published, `serves` for every broker that
    then serves anything, changed or not. After `Settle` also every broker's view: its records, none
    for other bundles. An edition of a release has `serves` and `views` in the order of brokers.
    """

    result: Done | ReadOf | CommandRefused | CommandBroke
    ended: tuple[Lookup, ...]
    wrote: tuple[Write, ...]
    serves: tuple[Served, ...]
    views: tuple[SeenRecord, ...]

    def idle(self, before: Step | None) -> Step:
        """What is served is as it was before, and nothing is read."""
        result = ReadOf(None) if isinstance(self.result, ReadOf) else self.result
        return Step(result, (), (), () if before is None else before.serves, ())

    def renumber(self, numbers: Sequence[int]) -> Step:
        """With these tickets."""
        ended = tuple(replace(end, ticket=numbers[end.ticket]) for end in self.ended)
        return replace(self, ended=ended)


@dataclass(frozen=True, slots=True)
class ChannelAnswer:
    """One step for each command."""

    steps: tuple[Step, ...]


# ---------------------------------------------------------------------- the reference's answer

NAMES = tuple(BrokerId(f"b{index}") for index in range(3))

NO_BROKER: Final = -1
"""The number for a name that no broker has."""


def halves_of(bundle: Bundle) -> tuple[HalfName, ...]:
    """The hashes of a bundle."""
    if bundle is Bundle.PARENT:
        return (HalfName.LEFT, HalfName.RIGHT)
    return (HalfName(bundle.value),)


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
        steps.append(step_of(world, result, isinstance(command, Settle)))
    return ChannelAnswer(tuple(steps))


def asked_elsewhere(trial: ChannelTrial) -> ChannelTrial:
    """Every client asks the next broker."""
    return replace(
        trial,
        commands=tuple(
            replace(one, broker=(one.broker + 1) % trial.brokers) if isinstance(one, Ask) else one
            for one in trial.commands
        ),
    )


def run(world: World, command: ChannelCommand, ticket: Ticket, edition: Edition) -> Done | ReadOf:
    match command:
        case Elapse(millis):
            channel.advance(world, millis, edition)
        case Compact():
            channel.compact(world, edition)
        case Settle():
            channel.settle(world, edition)
        case Ask(broker, bundle):
            channel.ask(world, NAMES[broker], BundleName(bundle.value), ticket, edition)
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
    match command:
        case UnloadNamespace():
            channel.unload_namespace(world, name, edition)
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


def broker_of(name: str | None) -> int | None:
    """The broker that a record names; `NO_BROKER` if there is none of that name."""
    if name is None or is_blank(name):
        return None
    letter, digits = name[:1], name[1:]
    return int(digits) if letter == "b" and digits.isdecimal() else NO_BROKER


def channel_labels(trial: ChannelTrial) -> Iterator[str]:
    yield trial.storage.value
    yield f"{trial.brokers} brokers"
    for kind, label in (
        (Assign, "assigned"),
        (Unload, "unloaded"),
        (UnloadNamespace, "namespace unloaded"),
        (Split, "split"),
        (Crash, "crash"),
        (LoseSession, "session lost"),
        (ShutDown, "shut down"),
        (Compact, "compacted"),
        (Settle, "settled"),
    ):
        if any(isinstance(command, kind) for command in trial.commands):
            yield label
