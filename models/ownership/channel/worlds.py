"""A channel's world as a plain value, and back: what a state graph stores of it.

Records, messages, works and brokers' states are numbered as they are met, so that a state is a
tuple of numbers. What all brokers have read of the topic is left out unless a broker may still
begin again. Lookups that wait are left out too: no record depends on them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from itertools import combinations
from typing import Final, Generic, NamedTuple, TypeVar, cast

from evenkeel.properties.ownership.channel import trials as do
from evenkeel.properties.ownership.channel.trials import (
    NAMES,
    AtBroker,
    Bundle,
    ChannelCommand,
    ChannelTrial,
    run,
)
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.ownership.channel import commands as channel
from evenkeel.reference.ownership.channel.world import (
    BUNDLES,
    HALVES,
    PARENT,
    Broker,
    Half,
    Message,
    Ticket,
    Work,
    World,
    Written,
)
from evenkeel.reference.ownership.conflict import accepts
from evenkeel.reference.ownership.records import (
    ACTIVE,
    IN_FLIGHT,
    BrokerId,
    BundleName,
    Record,
    State,
    Storage,
    owner_named_by,
    state_of,
)
from evenkeel_engine.frame.errors import Breakage, Refusal
from evenkeel_engine.proofs.graph import Move

T = TypeVar("T")

NOTHING: Final = -1
"""The number of no record and no broker."""

ALIVE, REGISTERED, CONNECTED, DISABLED = 1, 2, 4, 8
HASHES: Final = (Half("left"), Half("right"), Half("other"))


@dataclass(slots=True)
class Numbered(Generic[T]):
    """Values and their numbers; a value keeps its number.

    `known` finds the number of an object that was met before without comparing it; the objects in
    it are stored, so that no other can come to have the same identity.
    """

    values: list[T] = field(default_factory=list)
    numbers: dict[T, int] = field(default_factory=dict)
    known: dict[int, int] = field(default_factory=dict)

    def number(self, value: T) -> int:
        """The value's number."""
        if (found := self.known.get(id(value))) is not None:
            return found
        if (number := self.numbers.get(value)) is None:
            number = self.numbers[value] = len(self.values)
            self.values.append(value)
            self.known[id(value)] = number
        return number


RECORDS: Final[Numbered[Record]] = Numbered()
MESSAGES: Final[Numbered[Message]] = Numbered()
WORKS: Final[Numbered[Work]] = Numbered()

Records = tuple[int, ...]
"""The record of each bundle, by number."""

Versions = tuple[tuple[BundleName, int], ...]
"""The version that was removed last, of each bundle of which that is known."""


class BrokerKey(NamedTuple):
    """A broker that runs, but for how much of the topic it has read."""

    flags: int
    stable_from: int
    view: Records
    notified: tuple[BundleName, ...]
    serves: int
    works: tuple[int, ...]
    notices: tuple[tuple[BrokerId, bool], ...]
    cleanups: tuple[tuple[BrokerId, int], ...]
    removed: Versions


BROKERS: Final[Numbered[BrokerKey]] = Numbered()


class WorldKey(NamedTuple):
    """A world. `retained` is empty where all is kept; `positions`: how much each broker has read.

    A broker that does not run has the number `NOTHING` and the position 0.
    """

    leader: int
    now: int
    divided: bool
    log: tuple[int, ...]
    retained: tuple[bool, ...]
    nodes: Records
    removed: Versions
    positions: tuple[int, ...]
    brokers: tuple[int, ...]


def numbers_of(records: dict[BundleName, Record]) -> Records:
    """The records of all bundles."""
    return tuple(
        RECORDS.number(records[bundle]) if bundle in records else NOTHING for bundle in BUNDLES
    )


def records_of(numbers: Records) -> dict[BundleName, Record]:
    """The records with these numbers."""
    return {
        bundle: RECORDS.values[number]
        for bundle, number in zip(BUNDLES, numbers, strict=True)
        if number != NOTHING
    }


def versions_of(removed: dict[BundleName, int]) -> Versions:
    """The removed versions, in the order of the bundles' names."""
    return tuple(sorted(removed.items()))


def freeze(world: World, whole_topic: bool) -> WorldKey:
    """The world as a value."""
    names = list(world.brokers)
    key = WorldKey(
        NOTHING if world.leader is None else names.index(world.leader),
        world.now,
        world.divided,
        tuple(MESSAGES.number(message) for message in world.log),
        () if all(world.retained) else tuple(world.retained),
        numbers_of(world.nodes),
        versions_of(world.removed),
        tuple(broker.position if broker.alive else 0 for broker in world.brokers.values()),
        tuple(map(freeze_broker, world.brokers.values())),
    )
    return key if whole_topic else without_read(key)


def without_read(key: WorldKey) -> WorldKey:
    """The world without those messages that every broker has read."""
    live = [at for at, broker in zip(key.positions, key.brokers, strict=True) if broker != NOTHING]
    if not (floor := min(live, default=len(key.log))):
        return key
    kept = key.retained[floor:]
    return WorldKey(
        key.leader,
        key.now,
        key.divided,
        key.log[floor:],
        () if all(kept) else kept,
        key.nodes,
        key.removed,
        tuple([at and at - floor for at in key.positions]),
        key.brokers,
    )


def freeze_broker(broker: Broker) -> int:
    """The number of a broker's state."""
    if not broker.alive:
        return NOTHING
    key = BrokerKey(
        ALIVE * broker.alive
        + REGISTERED * broker.registered
        + CONNECTED * broker.connected
        + DISABLED * broker.disabled,
        broker.stable_from,
        numbers_of(broker.view),
        tuple(broker.notified),
        sum(1 << place for place, half in enumerate(HASHES) if half in broker.serves),
        tuple(WORKS.number(work) for work in broker.works),
        tuple(broker.notices),
        tuple(broker.cleanups.items()),
        versions_of(broker.removed),
    )
    return BROKERS.number(key)


def thaw(key: WorldKey, storage: Storage, names: tuple[BrokerId, ...]) -> World:
    """The world of a value."""
    return World(
        storage,
        {
            name: thaw_broker(name, number, position)
            for name, number, position in zip(names, key.brokers, key.positions, strict=True)
        },
        None if key.leader == NOTHING else names[key.leader],
        key.now,
        key.divided,
        [MESSAGES.values[number] for number in key.log],
        list(key.retained) if key.retained else [True] * len(key.log),
        records_of(key.nodes),
        dict(key.removed),
    )


def thaw_broker(name: BrokerId, number: int, position: int) -> Broker:
    """The broker with the state of this number."""
    if number == NOTHING:
        return Broker(name, alive=False, registered=False)
    key = BROKERS.values[number]
    flags = key.flags
    return Broker(
        name,
        True,
        bool(flags & REGISTERED),
        bool(flags & CONNECTED),
        bool(flags & DISABLED),
        key.stable_from,
        records_of(key.view),
        position,
        deque(key.notified),
        {half for place, half in enumerate(HASHES) if key.serves >> place & 1},
        {},
        [WORKS.values[number] for number in key.works],
        deque(key.notices),
        dict(key.cleanups),
        dict(key.removed),
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """The record of each bundle, and, where there is none any more, which version was removed."""

    records: dict[BundleName, Record] = field(default_factory=dict)
    removed: dict[BundleName, int] = field(default_factory=dict)


class Leading(NamedTuple):
    """The leader when a command is given, and the leaders until then."""

    now: BrokerId | None
    ever: frozenset[BrokerId]


def flaws_of_writes(
    world: World, command: ChannelCommand, leading: Leading, standing: Standing, edition: Edition
) -> list[str]:
    """What is wrong with the records that a command wrote; `standing` follows them."""
    found = []
    for written in world.written:
        if flaw := flaw_of_write(world, written, command, leading, standing, edition):
            found.append(flaw)
        follow(world.storage, standing, written, edition)
    return found


def follow(storage: Storage, standing: Standing, written: Written, edition: Edition) -> None:
    """The records after one was written; a topic's are those of a reader that reads everything."""
    bundle, record = written.bundle, written.record
    before, removed = standing.records.get(bundle), standing.removed.get(bundle)
    if storage is Storage.NODES:
        stands = written.stands
    elif record is None:
        stands = state_of(before) not in ACTIVE
    else:
        stands = accepts(storage, before, record, edition, removed)
    if not stands:
        return
    if record is not None:
        standing.records[bundle] = record
        standing.removed.pop(bundle, None)
    elif before is not None:
        del standing.records[bundle]
        if not edition.versions_restart:
            standing.removed[bundle] = before.version


def flaw_of_write(
    world: World,
    written: Written,
    command: ChannelCommand,
    leading: Leading,
    standing: Standing,
    edition: Edition,
) -> str:
    """What is wrong with a record that was published."""
    writer, bundle, record = written.writer, written.bundle, written.record
    before = standing.records.get(bundle)
    if record is None:
        erases = world.storage is Storage.NODES and written.stands
        if erases and state_of(before) in ACTIVE:
            return f"OWN-6: {writer} removes the {state_of(before).value} record of {bundle}"
        return ""
    if not record.force:
        speaker = speaker_of(record)
        other = speaker is not None and speaker != writer
        return f"OWN-10: {writer} writes {record.state.value} for {speaker}" if other else ""
    leaves = isinstance(command, do.ShutDown) and world.brokers[writer].disabled
    begun = isinstance(command, do.Clean) and writer in leading.ever
    accepted = accepts(world.storage, before, record, edition)
    if not begun and leading.now != writer:
        own = before is None or not accepted or writer in (before.destination, before.source)
        if not (leaves and own):
            return f"OWN-10: {writer} overrides {bundle} and does not lead"
    if before is not None and before.state is State.OWNED and accepted:
        owner = before.destination
        if world.is_registered(owner) and owner is not None and not world.brokers[owner].disabled:
            return f"OWN-17: {writer} takes {bundle} from {owner}, which is healthy"
    given = record.source if record.state is State.SPLITTING else record.destination
    if given is not None and not world.is_registered(given):
        return f"OWN-18: {writer} gives {bundle} to {given}, which is not registered"
    return ""


def speaker_of(record: Record) -> BrokerId | None:
    """The only broker that may write such a record; None: any broker."""
    match record.state:
        case State.OWNED:
            return record.destination
        case State.FREE | State.DELETED | State.ASSIGNING:
            return record.source
    return None


def flaws_of_serving(world: World) -> Iterator[str]:
    """What is wrong with the bundles that brokers serve."""
    serving = [broker for broker in world.brokers.values() if broker.serves]
    for one, other in combinations(serving, 2):
        if both := one.serves & other.serves:
            yield f"OWN-7: {one.name} and {other.name} serve {min(both)}"
    for broker in serving:
        if not broker.registered:
            yield f"OWN-8: {broker.name} serves and is not registered"


# -------------------------------------------------------------------------------------- rest


def flaws_when_quiescent(world: World, edition: Edition) -> Iterator[str]:
    """Settles the world. What is wrong then; nothing if no broker could lead."""
    if not channel.can_lead(world):
        return
    owned = owned_in_calm(world)
    channel.settle(world, edition)
    staying = channel.can_lead(world)
    agreed = staying[0].view
    for broker in staying:
        if broker.view != agreed:
            yield f"OWN-12: {broker.name} and {staying[0].name} see different records"
    for bundle, record in agreed.items():
        if record.state in IN_FLIGHT:
            yield f"OWN-11: {bundle} is still {record.state.value}"
    if world.divided and state_of(agreed.get(PARENT)) in ACTIVE:
        yield "OWN-14: the parent was divided and is back"
    yield from flaws_of_serving(world)
    yield from flaws_of_owning(world, staying[0])
    able = {broker.name for broker in staying}
    for bundle in sorted(owned):
        owner = owner_named_by(agreed.get(bundle))
        if owner not in able or not world.brokers[owner].serves.issuperset(HALVES[bundle]):
            yield f"OWN-47: {bundle} was owned, and no broker serves it"


def owned_in_calm(world: World) -> set[BundleName]:
    """The bundles that are owned while nothing is under way, whether their owners live or not."""
    first, *others = channel.can_lead(world)
    agreed = all(broker.view == first.view for broker in others)
    busy = any(
        broker.works
        or broker.notified
        or (world.storage is Storage.TOPIC and unread(world, broker))
        for broker in world.live()
    )
    if busy or not agreed:
        return set()
    return {bundle for bundle, record in first.view.items() if record.state is State.OWNED}


def unread(world: World, broker: Broker) -> bool:
    """Whether the broker has messages to read."""
    return any(world.retained[broker.position :])


def flaws_of_owning(world: World, witness: Broker) -> Iterator[str]:
    """The owner of a bundle serves it, and no broker serves what it does not own."""
    owned = {
        (owner, half)
        for bundle in BUNDLES
        for half in HALVES[bundle]
        if (owner := owner_named_by(witness.view.get(bundle))) is not None
    }
    serves = {(broker.name, half) for broker in world.brokers.values() for half in broker.serves}
    for owner, half in sorted(owned - serves):
        yield f"OWN-13: {owner} owns {half} and does not serve it"
    for server, half in sorted(serves - owned):
        yield f"OWN-13: {server} serves {half} and does not own it"


READING: Final = (do.Read, do.Clean, do.Monitor, do.ShutDown, do.RegainSession)
"""The commands that make their broker read the topic."""

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


# ---------------------------------------------------------------- what happens without commands


class Busy(NamedTuple):
    """What a broker is about to do without a command, and when its next clean-up is due."""

    choices: tuple[Choice, ...]
    due: int


@cache
def busy(index: int, number: int) -> Busy:
    """The broker with this index, in the state of this number."""
    if number == NOTHING:
        return Busy((), NEVER)
    key = BROKERS.values[number]
    commands: list[ChannelCommand] = []
    if key.notified and key.flags & CONNECTED:
        commands.append(do.Read(index))
    bundles = dict.fromkeys(WORKS.values[work].bundle for work in key.works)
    commands.extend(do.Finish(index, Bundle(bundle), False) for bundle in bundles)
    if key.notices:
        commands.append(do.Notice(index))
    due = min((due for _, due in key.cleanups), default=NEVER)
    return Busy(tuple(map(choice, commands)), due)


def going_on(world: WorldKey) -> list[Choice]:
    """What can happen next without a command."""
    found: list[Choice] = []
    end, now = len(world.log), world.now
    for index, (number, position) in enumerate(zip(world.brokers, world.positions, strict=True)):
        if number != NOTHING:
            if position < end:
                found.append(choice(do.Read(index)))
            choices, due = busy(index, number)
            found.extend(choices)
            if due <= now:
                found.append(choice(do.Clean(index)))
    return found


def quiet(world: WorldKey) -> bool:
    """Nothing can happen without a command."""
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
    notified: deque[BundleName] = field(default_factory=deque)
    notices: deque[tuple[BrokerId, bool]] = field(default_factory=deque)


class Unread(list[Message]):
    """The topic of a command that does not read: messages are added to it, and that is all."""

    def __len__(self) -> int:
        """There is none."""
        raise TypeError("a command reads the topic that is not known to")


class News(NamedTuple):
    """What is left at another broker: nodes that it may be notified of again, and notices."""

    notified: tuple[BundleName, ...]
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

    `faces`: the flags of all brokers; `unread` and `retained`: the messages that it has not read.
    """

    label: str
    own: int
    faces: tuple[int, ...]
    leader: int
    now: int
    divided: bool
    unread: tuple[int, ...]
    retained: tuple[bool, ...]
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
        if not isinstance(command, AtBroker) or isinstance(command, do.RestartBroker):
            return self.among_all(world, command)
        index = command.broker
        if world.brokers[index] == NOTHING:
            return After(world, (), None)
        sight = sight_of(world, chosen, index)
        if (effect := self.known.get(sight)) is None:
            effect = self.known[sight] = self.among_strangers(sight, command)
        return After(self.apply_effect(world, index, effect), effect.written, effect)

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
            list(sight.retained) if sight.retained else [True] * len(sight.unread),
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
                (place, News(tuple(other.notified), tuple(other.notices)))
                for place, other in strangers.items()
                if other.notified or other.notices
            ),
            tuple(world.written),
        )

    def apply_effect(self, world: WorldKey, index: int, effect: Effect) -> WorldKey:
        """The world after this effect of a command at a broker."""
        brokers, positions = list(world.brokers), list(world.positions)
        brokers[index] = effect.own
        positions[index] = 0 if effect.own == NOTHING else positions[index] + effect.read
        for place, news in effect.news:
            brokers[place] = with_news(brokers[place], news)
        published = effect.published
        after = WorldKey(
            effect.leader,
            world.now,
            effect.divided,
            world.log + published,
            world.retained + (True,) * len(published) if world.retained else (),
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
        single = isinstance(chosen.command, do.Read) and not world.retained
        unread = world.log[position : position + 1] if single else world.log[position:]
        kept = world.retained[position:]
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
def with_news(number: int, news: News) -> int:
    """The broker's state with this news; notifications that it has not read are not repeated."""
    key = BROKERS.values[number]
    fresh = tuple(bundle for bundle in news.notified if bundle not in key.notified)
    return BROKERS.number(
        key._replace(notified=key.notified + fresh, notices=key.notices + news.notices)
    )


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that happens from outside: one of these commands, at most this number of times."""

    commands: tuple[ChannelCommand, ...]
    times: int = 1


class Stood(NamedTuple):
    """The record of each bundle, and the versions that were removed."""

    records: Records
    removed: Versions


class Situation(NamedTuple):
    """A state: the world, the topic's current records, what is still offered, and a flaw if any.

    `standing`: the current records by the messages so far, read in their order. `led`: all leaders.
    """

    world: WorldKey
    standing: Stood
    led: frozenset[BrokerId]
    left: tuple[int, ...]
    flaw: str


Judged = tuple[tuple[str, ...], Stood]
"""What is wrong with records that were written, and the current records after them."""


@dataclass(slots=True)
class Memory:
    """What a scope has found out and need not find out again.

    The commands of its moves by their words; what commands do, by edition; what is still offered;
    what is wrong with written records; and what is wrong with quiescent worlds.
    """

    commands: dict[str, ChannelCommand] = field(default_factory=dict)
    steps: dict[str, Steps] = field(default_factory=dict)
    offered: dict[tuple[int, ...], tuple[tuple[Choice, tuple[int, ...]], ...]] = field(
        default_factory=dict
    )
    judged: dict[tuple[Effect, Stood, frozenset[BrokerId]], Judged] = field(default_factory=dict)
    rested: dict[tuple[WorldKey, str], tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Scope:
    """A storage, n brokers, how it begins, and what is offered.

    Whenever nothing happens without a command, a fair schedule without further faults must lead to
    rest.
    """

    name: str
    storage: Storage
    brokers: int
    begins: tuple[ChannelCommand, ...]
    offers: tuple[Offer, ...]
    memory: Memory = field(default_factory=Memory, compare=False)

    @cached_property
    def names(self) -> tuple[BrokerId, ...]:
        """The brokers' names."""
        return NAMES[: self.brokers]

    @cached_property
    def restarts(self) -> bool:
        """Can a broker begin again?"""
        return any(isinstance(c, do.RestartBroker) for offer in self.offers for c in offer.commands)

    def initial(self, edition: Edition = DOCUMENTED) -> Iterator[Situation]:
        """The world after the commands with which the scope begins."""
        world = channel.new(self.storage, self.names)
        standing = Standing()
        leading = Leading(world.leader, frozenset(self.names[:1]))
        for command in self.begins:
            perform(world, command, edition)
            flaws_of_writes(world, command, leading, standing, edition)
        left = tuple(offer.times for offer in self.offers)
        yield Situation(freeze(world, self.restarts), stood(standing), leading.ever, left, "")

    def moves(self, situation: Situation, edition: Edition = DOCUMENTED) -> list[Move[Situation]]:
        """Everything that can happen next."""
        found: list[Move[Situation]] = []
        steps = self.steps(edition)
        for chosen in going_on(situation.world):
            self.add(found, situation, chosen, situation.left, steps)
        for chosen, left in self.list_offered(situation.left):
            self.add(found, situation, chosen, left, steps)
        return found

    def steps(self, edition: Edition) -> Steps:
        """What commands do by this edition."""
        if (found := self.memory.steps.get(edition.name)) is None:
            found = Steps(self.storage, self.names, self.restarts, edition)
            self.memory.steps[edition.name] = found
        return found

    def list_offered(self, left: tuple[int, ...]) -> tuple[tuple[Choice, tuple[int, ...]], ...]:
        """What is still offered, and what is left afterwards."""
        if (found := self.memory.offered.get(left)) is None:
            found = self.memory.offered[left] = tuple(
                (choice(command), tuple(n - (at == place) for at, n in enumerate(left)))
                for place, offer in enumerate(self.offers)
                if left[place]
                for command in offer.commands
            )
        return found

    def add(
        self,
        found: list[Move[Situation]],
        situation: Situation,
        chosen: Choice,
        left: tuple[int, ...],
        steps: Steps,
    ) -> None:
        """One move, if the command is possible and changes something."""
        after = steps.after(situation.world, chosen)
        if after.world == situation.world:
            return
        self.memory.commands[chosen.label] = chosen.command
        flaws, standing = self.judge_cached(situation, chosen.command, after, steps)
        flaws += self.serving(after.world) + self.resting(after.world, steps)
        flaw = flaws[0] if flaws else ""
        led, leader = situation.led, after.world.leader
        if leader != NOTHING and self.names[leader] not in led:
            led = led | {self.names[leader]}
        found.append((chosen.label, Situation(after.world, standing, led, left, flaw)))

    def judge_cached(
        self, situation: Situation, command: ChannelCommand, after: After, steps: Steps
    ) -> Judged:
        """What is wrong with the records that a command wrote, and the current records then."""
        if not after.written:
            return (), situation.standing
        if after.effect is None:
            return self.judge(situation, command, after, steps)
        seen = after.effect, situation.standing, situation.led
        if (found := self.memory.judged.get(seen)) is None:
            found = self.memory.judged[seen] = self.judge(situation, command, after, steps)
        return found

    def judge(
        self, situation: Situation, command: ChannelCommand, after: After, steps: Steps
    ) -> Judged:
        """The same, found out."""
        world = thaw(after.world, self.storage, self.names)
        world.written = list(after.written)
        leader = situation.world.leader
        leading = Leading(None if leader == NOTHING else self.names[leader], situation.led)
        nodes = self.storage is Storage.NODES
        before = situation.world if nodes else situation.standing
        records = situation.world.nodes if nodes else situation.standing.records
        standing = Standing(records_of(records), dict(before.removed))
        flaws = flaws_of_writes(world, command, leading, standing, steps.edition)
        return tuple(flaws), situation.standing if nodes else stood(standing)

    def serving(self, key: WorldKey) -> tuple[str, ...]:
        """What is wrong with the bundles that brokers serve; mostly nothing."""
        served = 0
        for number in key.brokers:
            if number != NOTHING:
                broker = BROKERS.values[number]
                unregistered = broker.serves and not broker.flags & REGISTERED
                if broker.serves & served or unregistered:
                    return tuple(flaws_of_serving(thaw(key, self.storage, self.names)))
                served |= broker.serves
        return ()

    def resting(self, key: WorldKey, steps: Steps) -> tuple[str, ...]:
        """What is wrong once a world has come to rest, where that is asked."""
        if not quiet(key):
            return ()
        seen = key, steps.edition.name
        if (found := self.memory.rested.get(seen)) is None:
            world = thaw(key, self.storage, self.names)
            quiescent = (
                f"{flaw} (quiescent)" for flaw in flaws_when_quiescent(world, steps.edition)
            )
            found = self.memory.rested[seen] = tuple(quiescent)
        return found

    def trial(self, schedule: tuple[str, ...], *ends: ChannelCommand) -> ChannelTrial:
        """The trial that a schedule makes."""
        commands = (*self.begins, *(self.memory.commands[label] for label in schedule), *ends)
        return ChannelTrial(self.storage, self.brokers, commands)


def stood(standing: Standing) -> Stood:
    """The current record, as a value."""
    return Stood(numbers_of(standing.records), versions_of(standing.removed))


def wrong(situation: Situation) -> str | None:
    """What is wrong with a situation."""
    return situation.flaw or None
