"""What a command does to a world, found once for all worlds that look alike where it is given.

A command at a broker depends on that broker's own state, on what it has not read yet, and on what
everybody sees: the time, who leads, who is registered, the nodes. Of the other brokers it sees
nothing else, and it leaves them nothing but news: nodes that changed, registrations that came or
went. So the reference carries it out among `Stranger`s, which have nothing else: whoever asks one
of them for more, or changes it otherwise, fails. What it did is applied to every world that looks
the same from there. The few commands that concern all brokers are carried out as they are.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Final, NamedTuple, cast

from evenkeel.models.ownership.channel_keys import (
    ALIVE,
    BROKERS,
    CONNECTED,
    DISABLED,
    MESSAGES,
    NOTHING,
    REGISTERED,
    WORKS,
    Records,
    Versions,
    WorldKey,
    freeze,
    freeze_broker,
    numbers_of,
    records_of,
    thaw,
    thaw_broker,
    versions_of,
    without_read,
)
from evenkeel.properties.ownership.channel.commands import (
    AtBroker,
    Bundle,
    ChannelCommand,
    Clean,
    Finish,
    Monitor,
    Notice,
    Read,
    RegainSession,
    RestartBroker,
    ShutDown,
)
from evenkeel.properties.ownership.channel.trial import run
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.ownership.channel_world import Broker, Message, Ticket, World, Written
from evenkeel.reference.ownership.records import BrokerId, BundleName, Storage

READING: Final = (Read, Clean, Monitor, ShutDown, RegainSession)
"""The commands at whose broker the topic is read."""

NO_TICKET: Final = Ticket(0)
NEVER: Final = 2**63


class Choice(NamedTuple):
    """A command, and in words."""

    label: str
    command: ChannelCommand


@cache
def choice(command: ChannelCommand) -> Choice:
    """A command in words: what is done, at which broker, with what."""
    values = [getattr(command, place.name) for place in fields(command)]
    label = " ".join([command.DO, *(str(getattr(value, "value", value)) for value in values)])
    return Choice(label, command)


def perform(world: World, command: ChannelCommand, edition: Edition) -> None:
    """One command; refused, it changes nothing."""
    world.written, world.ended = [], []
    with suppress(Refusal, Breakage):
        run(world, command, NO_TICKET, edition)


# ------------------------------------------------------------------------- what goes on by itself


class Busy(NamedTuple):
    """What a broker in some state is about to do by itself, and when its next clean-up is due."""

    choices: tuple[Choice, ...]
    due: int


@cache
def busy(index: int, number: int) -> Busy:
    """The broker with this index, in the state of this number."""
    if number == NOTHING:
        return Busy((), NEVER)
    key = BROKERS.values[number]
    commands: list[ChannelCommand] = []
    if key.told and key.flags & CONNECTED:
        commands.append(Read(index))
    bundles = dict.fromkeys(WORKS.values[work].bundle for work in key.works)
    commands.extend(Finish(index, Bundle(bundle), False) for bundle in bundles)
    if key.notices:
        commands.append(Notice(index))
    due = min((due for _, due in key.cleanups), default=NEVER)
    return Busy(tuple(map(choice, commands)), due)


def going_on(world: WorldKey) -> list[Choice]:
    """What can happen next by itself."""
    found: list[Choice] = []
    end, now = len(world.log), world.now
    for index, (number, position) in enumerate(zip(world.brokers, world.positions, strict=True)):
        if number != NOTHING:
            if position < end:
                found.append(choice(Read(index)))
            choices, due = busy(index, number)
            found.extend(choices)
            if due <= now:
                found.append(choice(Clean(index)))
    return found


def quiet(world: WorldKey) -> bool:
    """Nothing can happen by itself."""
    end, now = len(world.log), world.now
    for index, (number, position) in enumerate(zip(world.brokers, world.positions, strict=True)):
        if number != NOTHING:
            if position < end:
                return False
            choices, due = busy(index, number)
            if choices or due <= now:
                return False
    return True


# --------------------------------------------------------------------------------- one command


@dataclass(frozen=True, slots=True)
class Stranger:
    """What a broker sees of another, and the news that it leaves there."""

    name: BrokerId
    alive: bool
    registered: bool
    connected: bool
    disabled: bool
    told: deque[BundleName] = field(default_factory=deque)
    notices: deque[tuple[BrokerId, bool]] = field(default_factory=deque)


class Unread(list[Message]):
    """The topic of a command that does not read: messages are added to it, and that is all."""

    def __len__(self) -> int:
        """There is none."""
        raise TypeError("a command reads the topic that is not known to")


class News(NamedTuple):
    """What is left at another broker: nodes that it may have been told of already, and notices."""

    told: tuple[BundleName, ...]
    notices: tuple[tuple[BrokerId, bool], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """What a command at a broker does.

    `own`: the broker's state after it; `read`: how many messages it has read; `published`: the
    messages that it has added to the topic; `news`: for each of the others, by index.
    """

    own: int
    read: int
    leader: int
    divided: bool
    published: tuple[int, ...]
    nodes: Records
    removed: Versions
    news: tuple[tuple[int, News], ...]
    written: tuple[Written, ...]


class Sight(NamedTuple):
    """All that a command at a broker depends on: the command, the broker, and what it sees.

    `faces`: the flags of all brokers; `unread` and `kept`: the messages that it has not read.
    """

    label: str
    own: int
    faces: tuple[int, ...]
    leader: int
    now: int
    divided: bool
    unread: tuple[int, ...]
    kept: tuple[bool, ...]
    nodes: Records
    removed: Versions


class After(NamedTuple):
    """The world after a command. `effect` is None if the command concerned all brokers."""

    world: WorldKey
    written: tuple[Written, ...]
    effect: Effect | None


@dataclass(slots=True)
class Steps:
    """What the commands of one edition do in the worlds of one storage, as far as it is known."""

    storage: Storage
    names: tuple[BrokerId, ...]
    whole_topic: bool
    edition: Edition
    known: dict[Sight, Effect] = field(default_factory=dict)

    def after(self, world: WorldKey, chosen: Choice) -> After:
        """The world after a command."""
        command = chosen.command
        if not isinstance(command, AtBroker) or isinstance(command, RestartBroker):
            return self.among_all(world, command)
        index = command.broker
        if world.brokers[index] == NOTHING:
            return After(world, (), None)
        sight = sight_of(world, chosen, index)
        effect = self.known.get(sight)
        if effect is None:
            effect = self.known[sight] = self.among_strangers(sight, command)
        return After(self.applied(world, index, effect), effect.written, effect)

    def among_all(self, key: WorldKey, command: ChannelCommand) -> After:
        """The command, carried out in the world as it is."""
        world = thaw(key, self.storage, self.names)
        perform(world, command, self.edition)
        return After(freeze(world, self.whole_topic), tuple(world.written), None)

    def among_strangers(self, sight: Sight, command: AtBroker) -> Effect:
        """The command, carried out where nothing but this is to be seen."""
        index = command.broker
        own = thaw_broker(self.names[index], sight.own, 0)
        strangers = {
            place: stranger(self.names[place], flags)
            for place, flags in enumerate(sight.faces)
            if place != index
        }
        unread = [MESSAGES.values[number] for number in sight.unread]
        log = unread.copy() if isinstance(command, READING) else Unread()
        world = World(
            self.storage,
            {
                name: own if place == index else cast(Broker, strangers[place])
                for place, name in enumerate(self.names)
            },
            None if sight.leader == NOTHING else self.names[sight.leader],
            sight.now,
            sight.divided,
            log,
            list(sight.kept) if sight.kept else [True] * len(sight.unread),
            records_of(sight.nodes),
            dict(sight.removed),
        )
        perform(world, cast(ChannelCommand, command), self.edition)
        return Effect(
            freeze_broker(own),
            own.position,
            NOTHING if world.leader is None else self.names.index(world.leader),
            world.divided,
            tuple(MESSAGES.number(message) for message in log[len(unread) :]),
            numbers_of(world.nodes),
            versions_of(world.removed),
            tuple(
                (place, News(tuple(other.told), tuple(other.notices)))
                for place, other in strangers.items()
                if other.told or other.notices
            ),
            tuple(world.written),
        )

    def applied(self, world: WorldKey, index: int, effect: Effect) -> WorldKey:
        """The world after this effect of a command at a broker."""
        brokers, positions = list(world.brokers), list(world.positions)
        brokers[index] = effect.own
        positions[index] = 0 if effect.own == NOTHING else positions[index] + effect.read
        for place, news in effect.news:
            brokers[place] = told(brokers[place], news)
        published = effect.published
        after = WorldKey(
            effect.leader,
            world.now,
            effect.divided,
            world.log + published,
            world.kept + (True,) * len(published) if world.kept else (),
            effect.nodes,
            effect.removed,
            tuple(positions),
            tuple(brokers),
        )
        forgets = effect.read or effect.own == NOTHING
        return without_read(after) if forgets and not self.whole_topic else after


def sight_of(world: WorldKey, chosen: Choice, index: int) -> Sight:
    """What a command at a broker depends on. Who reads one message does not see those behind."""
    unread: tuple[int, ...] = ()
    kept: tuple[bool, ...] = ()
    if isinstance(chosen.command, READING):
        position = world.positions[index]
        single = isinstance(chosen.command, Read) and not world.kept
        unread = world.log[position : position + 1] if single else world.log[position:]
        kept = world.kept[position:]
    return Sight(
        chosen.label,
        world.brokers[index],
        tuple(map(face, world.brokers)),
        world.leader,
        world.now,
        world.divided,
        unread,
        kept,
        world.nodes,
        world.removed,
    )


@cache
def face(number: int) -> int:
    """What the others see of a broker."""
    return 0 if number == NOTHING else BROKERS.values[number].flags


def stranger(name: BrokerId, flags: int) -> Stranger:
    """Another broker with these flags."""
    return Stranger(
        name,
        bool(flags & ALIVE),
        bool(flags & REGISTERED),
        bool(flags & CONNECTED),
        bool(flags & DISABLED),
    )


@cache
def told(number: int, news: News) -> int:
    """The broker's state when it is left the news. What it was told and has not read, once."""
    key = BROKERS.values[number]
    fresh = tuple(bundle for bundle in news.told if bundle not in key.told)
    return BROKERS.number(key._replace(told=key.told + fresh, notices=key.notices + news.notices))
