"""A world of the lock protocol as a plain value, and back: what a state graph stores of it.

Brokers' states are numbered as they are met. Locks, lookups and unloads have identities: two of
them that are alike are two. So a broker's state is distinguished by its *form*, in which each of
them is described where it is met first and referred to from then on. An empty queue is none.

Brokers that begin alike may be renamed, with the sessions that they began with. Whom they take for
the leader stays: it is the same for all, and a broker asked with authority does not ask it.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache, partial
from itertools import permutations
from typing import Any, Final, NamedTuple, TypeAlias, cast

from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.ownership.locks import lookup, owning
from evenkeel.reference.ownership.locks import protocol as locks
from evenkeel.reference.ownership.locks.state import (
    Broker,
    Bundle,
    BundleState,
    Cached,
    Change,
    Node,
    Request,
    Search,
    Sort,
    Stage,
    World,
    new_world,
    session_lives,
)
from evenkeel_engine.proofs.graph import Broken, Graph, Move, Size

BUNDLES: Final = (Bundle(Sort.PLAIN, 0),)
"""The only one."""


def form_of(value: Any, met: dict[int, int]) -> Hashable:
    """The form of a value; `met`: the things that were described already, and in which order."""
    if isinstance(value, dict):
        parts = ((key, form_of(part, met)) for key, part in value.items())
        return tuple((key, part) for key, part in parts if part != ())
    if isinstance(value, deque | list):
        return tuple(form_of(part, met) for part in value)
    if not is_dataclass(value) or type(value).__eq__ is not object.__eq__:
        same: Hashable = value
        return same
    if id(value) in met:
        return ("again", met[id(value)])
    met[id(value)] = len(met)
    return tuple(form_of(getattr(value, place.name), met) for place in fields(value))


class Brokers:
    """The states of brokers that were met, by number.

    `seen`: a broker in each state, to be looked at; `packed`: the same, to be unpacked and changed.
    """

    def __init__(self) -> None:
        self.numbers: dict[Hashable, int] = {}
        self.seen: list[Broker] = []
        self.packed: list[bytes] = []

    def number(self, broker: Broker) -> int:
        """The number of a broker's state."""
        form = form_of(broker, {})
        if (found := self.numbers.get(form)) is None:
            found = self.numbers[form] = len(self.seen)
            self.packed.append(pickle.dumps(broker))
            self.seen.append(self.copy_broker(found))
        return found

    def copy_broker(self, number: int) -> Broker:
        """A broker in this state, to be changed."""
        broker: Broker = pickle.loads(self.packed[number])
        return broker


BROKERS: Final = Brokers()


class NodeKey(NamedTuple):
    """A lock's node."""

    holder: int
    session: int
    version: int


class Store(NamedTuple):
    """What the store knows: nodes, counts, and whose sessions have outlived their processes."""

    nodes: tuple[tuple[int, NodeKey], ...]
    sessions: int
    versions: int
    lingering: tuple[tuple[int, int], ...]


def store_of(world: World) -> Store:
    """The store of a world."""
    nodes = (
        (bundle, NodeKey(node.holder, node.session, node.version))
        for bundle, node in sorted(world.nodes.items())
    )
    return Store(tuple(nodes), world.sessions, world.versions, tuple(world.lingering))


def world_of(brokers: list[Broker], store: Store) -> World:
    """A world with these brokers and this store; what has ended is left out."""
    nodes, sessions, versions, lingering = store
    held = {bundle: Node(*node) for bundle, node in nodes}
    return World(BUNDLES, brokers, held, sessions, list(lingering), versions)


def notify_broker(number: int, bundle: int, changes: tuple[Change, ...]) -> int:
    """The state of a broker that will be notified of these changes too."""
    broker = BROKERS.copy_broker(number)
    broker.notifications.setdefault(bundle, deque()).extend(changes)
    return BROKERS.number(broker)


# -------------------------------------------------------------------------------- new names

Names: TypeAlias = tuple[int, ...]
"""The new name of each broker, and of the session that it began with."""


def new_name(names: Names, old: int) -> int:
    """A broker's or a session's new name. Sessions opened later keep theirs."""
    return names[old] if old < len(names) else old


@cache
def renamed_broker(number: int, names: Names) -> int:
    """The state of a broker under the new names."""
    broker = BROKERS.copy_broker(number)
    for thing in things_of(broker, set()):
        if isinstance(thing, Broker):
            thing.number = new_name(names, thing.number)
            thing.session = new_name(names, thing.session)
        elif isinstance(thing, Cached) and thing.holder is not None:
            thing.holder = new_name(names, thing.holder)
        elif isinstance(thing, Search):
            preferred = new_name(names, thing.request.preferred)
            thing.request = replace(thing.request, preferred=preferred)
    return BROKERS.number(broker)


def things_of(value: Any, met: set[int]) -> Iterator[Any]:
    """The dataclasses in a value, itself included, each once."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, deque | list):
        for part in value:
            yield from things_of(part, met)
    elif is_dataclass(value) and id(value) not in met:
        met.add(id(value))
        yield value
        for place in fields(value):
            yield from things_of(getattr(value, place.name), met)


@cache
def renamed_store(store: Store, names: Names) -> Store:
    """The store under the new names."""
    nodes = (
        (bundle, NodeKey(new_name(names, node.holder), new_name(names, node.session), node.version))
        for bundle, node in store.nodes
    )
    lingering = ((new_name(names, of), session) for of, session in store.lingering)
    return store._replace(nodes=tuple(nodes), lingering=tuple(lingering))


OUTLIVED: Final = replace(DOCUMENTED, locks_outlive_session=True)


class Left(NamedTuple):
    """What is still to come: asked brokers, ends of sessions, unloads, lost answers, crashes."""

    asks: tuple[int, ...]
    ends: int
    unloads: int
    losses: int = 0
    crashes: int = 0


class Race(NamedTuple):
    """The brokers' states, by number, the store, and what is still to come."""

    brokers: tuple[int, ...]
    store: Store
    left: Left


def start(brokers: int, left: Left) -> Iterator[Race]:
    """No broker has been asked."""
    world = new_world(brokers, BUNDLES, 0)
    yield Race(tuple(map(BROKERS.number, world.brokers)), store_of(world), left)


# ------------------------------------------------------------------------------- what can happen

Act: TypeAlias = Callable[[World, Broker, Edition], object]


class Deed(NamedTuple):
    """What happens at which broker, in words."""

    words: str
    number: int
    act: Act


def ask(world: World, broker: Broker, edition: Edition) -> None:
    """A client asks this broker to take the bundle."""
    lookup.look_up(world, broker, 0, Request(0, True, False, broker.number), edition)


def unload(world: World, broker: Broker, edition: Edition) -> None:
    """An operator asks for an unload."""
    owning.unload(world, broker, 0, None)


ACTS: Final[dict[str, Act]] = {
    "{} is asked": ask,
    "the session of {} ends": locks.expire,
    "{} is connected": lambda world, broker, edition: locks.reconnect(world, broker),
    "{} unloads": unload,
    "{} is answered": lambda world, broker, edition: locks.answer(world, broker, 0, edition),
    "the answer to {} is lost": lambda world, broker, edition: locks.fail(
        world, broker, 0, True, edition
    ),
    "{} is notified": lambda world, broker, edition: locks.notify(broker, 0),
    "{} has closed": lambda world, broker, edition: owning.topics_closed(world, broker, 0, edition),
    "{} tries again": lambda world, broker, edition: locks.retry(broker),
    "{} crashes": lambda world, broker, edition: locks.crash(world, broker),
    "{} restarts": lambda world, broker, edition: locks.restart(world, broker),
}


@cache
def make_deed(words: str, number: int) -> Deed:
    """One of these at a broker."""
    return Deed(words.format(number), number, ACTS[words])


def outside(seen: World, left: Left) -> Iterator[tuple[Deed, Left]]:
    """What clients, operators, sessions and processes do."""
    for place, number in enumerate(left.asks):
        if seen.brokers[number].running:
            fewer = left._replace(asks=left.asks[:place] + left.asks[place + 1 :])
            yield make_deed("{} is asked", number), fewer
    for broker in seen.brokers:
        number = broker.number
        lingers = any(of == number for of, _ in seen.lingering)
        if left.ends and (lingers or not broker.expired):
            yield make_deed("the session of {} ends", number), left._replace(ends=left.ends - 1)
        if broker.running and not session_lives(seen, broker):
            yield make_deed("{} is connected", number), left
        if left.unloads and broker.standing(0) is BundleState.SERVING:
            yield make_deed("{} unloads", number), left._replace(unloads=left.unloads - 1)
        if left.crashes and broker.running:
            yield make_deed("{} crashes", number), left._replace(crashes=left.crashes - 1)
        if not broker.running:
            yield make_deed("{} restarts", number), left


def queues(seen: World, left: Left) -> Iterator[tuple[Deed, Left]]:
    """What waits is carried out; a release, which is tried until it succeeds, with a session."""
    for broker in seen.brokers:
        number, waiting = broker.number, broker.operations.get(0)
        if waiting and (session_lives(seen, broker) or waiting[0].stage is not Stage.RELEASE):
            yield make_deed("{} is answered", number), left
            if left.losses:
                yield (
                    make_deed("the answer to {} is lost", number),
                    left._replace(losses=left.losses - 1),
                )
        if broker.notifications.get(0):
            yield make_deed("{} is notified", number), left
        if broker.closing.get(0):
            yield make_deed("{} has closed", number), left
        if broker.retries and session_lives(seen, broker):
            yield make_deed("{} tries again", number), left


# ------------------------------------------------------------------------------------ one deed


@dataclass(frozen=True, slots=True)
class Stranger:
    """What a broker sees of another, and the notifications that it brings about there."""

    number: int
    running: bool
    stopping: bool
    connected: bool
    expired: bool
    notifications: dict[int, deque[Change]] = field(default_factory=dict)


class Effect(NamedTuple):
    """The broker's state after a deed, the store, and what the others will be notified of."""

    own: int
    store: Store
    news: tuple[tuple[int, tuple[Change, ...]], ...]


Faces: TypeAlias = tuple[tuple[bool, bool, bool, bool], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Racing:
    """The moves of an edition, and what its deeds do as far as it is known."""

    edition: Edition
    known: dict[tuple[str, int, Faces, Store], Effect] = field(default_factory=dict)

    def moves(self, race: Race) -> Iterator[Move[Race]]:
        """Everything that can happen next."""
        seen = world_of([BROKERS.seen[number] for number in race.brokers], race.store)
        for choices in (outside(seen, race.left), queues(seen, race.left)):
            for done, left in choices:
                yield done.words, self.after(race, done, left)

    def after(self, race: Race, done: Deed, left: Left) -> Race:
        """The race after a deed."""
        sight = done.words, race.brokers[done.number], tuple(map(face, race.brokers)), race.store
        if (effect := self.known.get(sight)) is None:
            effect = self.known[sight] = self.carried_out(race, done)
        brokers = list(race.brokers)
        brokers[done.number] = effect.own
        for number, changes in effect.news:
            brokers[number] = with_notifications(brokers[number], changes)
        return Race(tuple(brokers), effect.store, left)

    def carried_out(self, race: Race, done: Deed) -> Effect:
        """The deed, carried out where nothing but this is to be seen."""
        own = BROKERS.copy_broker(race.brokers[done.number])
        strangers = {
            number: Stranger(number, *face(state))
            for number, state in enumerate(race.brokers)
            if number != done.number
        }
        brokers = [
            own if number == done.number else cast(Broker, strangers[number])
            for number in range(len(race.brokers))
        ]
        world = world_of(brokers, race.store)
        done.act(world, own, self.edition)
        news = (
            (number, tuple(other.notifications[0]))
            for number, other in strangers.items()
            if other.notifications
        )
        return Effect(BROKERS.number(world.brokers[done.number]), store_of(world), tuple(news))


@cache
def face(state: int) -> tuple[bool, bool, bool, bool]:
    """What the others see of a broker."""
    broker = BROKERS.seen[state]
    return broker.running, broker.stopping, broker.connected, broker.expired


@cache
def with_notifications(state: int, changes: tuple[Change, ...]) -> int:
    """The state of a broker that will be notified of these changes too."""
    return notify_broker(state, 0, changes)


# ------------------------------------------------------------------------------- what is wrong


def wrong(race: Race) -> str | None:
    """Who serves holds the node; so at most one does."""
    if len(serving := [number for number, state in enumerate(race.brokers) if serves(state)]) > 1:
        return f"{serving} serve the bundle"
    node = dict(race.store.nodes).get(0)
    if serving and (node is None or node.holder != serving[0]):
        return f"{serving[0]} serves the bundle without its node"
    return None


@cache
def serves(state: int) -> bool:
    """A broker in this state serves the bundle."""
    return BROKERS.seen[state].standing(0) is BundleState.SERVING


def wrong_end(race: Race) -> str | None:
    """In the end no lookup is open and nothing is being unloaded."""
    for broker in (BROKERS.seen[state] for state in race.brokers):
        if broker.finding or broker.standing(0) is BundleState.UNLOADING:
            return f"{broker.number} never ends"
    return None


def renamings(race: Race) -> Iterator[Race]:
    """The race with its brokers named in every order."""
    for names, places in orders(len(race.brokers)):
        brokers = tuple([renamed_broker(race.brokers[old], names) for old in places])
        yield Race(brokers, renamed_store(race.store, names), renamed_left(race.left, names))


@cache
def orders(brokers: int) -> tuple[tuple[Names, Names], ...]:
    """Every choice of new names, each with the old name of each new one."""
    return tuple(
        (names, tuple(sorted(range(brokers), key=names.__getitem__)))
        for names in permutations(range(brokers))
    )


@cache
def renamed_left(left: Left, names: Names) -> Left:
    """What is still to come, under the new names."""
    return left._replace(asks=tuple(sorted(names[old] for old in left.asks)))


def race_of(left: Left, brokers: int = 2, size: Size | None = None) -> Graph[Race]:
    """The race of n brokers with all this to come.

    Brokers are alike where each is asked as often as the others and none restarts, which would
    look for a leader.
    """
    asks, *others = left
    alike = len({asks.count(number) for number in range(brokers)}) == 1 and not left.crashes
    return Graph(
        name="-".join(map(str, ("locks", brokers, len(asks), *others))),
        chapter="ownership",
        clauses=("OWN-21", "OWN-22", "OWN-25", "OWN-26"),
        statement="However answers, notifications, an unload and the end of a session interleave, "
        "a broker that serves the bundle holds its node, and every lookup and unload ends.",
        bound=f"{brokers} brokers, 1 bundle, lookups at {', '.join(map(str, asks))}, {left.ends} "
        f"ends of a session, {left.unloads} unloads, {left.losses} lost answers, {left.crashes} "
        "crashes",
        initial=partial(start, brokers, left),
        moves=Racing(DOCUMENTED).moves,
        wrong=wrong,
        final=wrong_end,
        broken=Broken(
            "served-without-a-session",
            "A broker continues serving after its session has ended.",
            Racing(OUTLIVED).moves,
        ),
        size=size,
        images=renamings if alike else None,
    )


GRAPHS: Final = (
    race_of(Left((0, 1), 1, 1)),
    race_of(Left((0, 0, 1), 1, 1, crashes=1), size=Size(34_298, 123_651)),
    race_of(Left((0, 1, 2), 1, 1, losses=1), brokers=3, size=Size(53_911, 251_052)),
)
