"""A world of the lock protocol as a plain value, and back: what a state graph stores of it.

Brokers' states are numbered as they are met. Locks, lookups and unloads are things, not values: two
of them that are alike are two. So a broker's state is told apart by its *form*, in which each thing
is described where it is met first and pointed at from then on. An empty queue is none.

Brokers that begin alike may be renamed, with the sessions that they began with. Whom they take for
the leader stays: it is the same for all, and who is asked with authority does not ask it.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

from evenkeel.reference.ownership.locks_state import (
    Broker,
    Bundle,
    Cached,
    Change,
    Node,
    Search,
    Sort,
    World,
)

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
        found = self.numbers.get(form)
        if found is None:
            found = self.numbers[form] = len(self.seen)
            self.packed.append(pickle.dumps(broker))
            self.seen.append(self.own(found))
        return found

    def own(self, number: int) -> Broker:
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
    """What the store knows: nodes, how many sessions and versions there were, and whose sessions
    have outlived their processes.
    """

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
    """A world with these brokers and this store; what has ended is not kept."""
    nodes, sessions, versions, lingering = store
    held = {bundle: Node(*node) for bundle, node in nodes}
    return World(BUNDLES, brokers, held, sessions, list(lingering), versions)


def seen_world(brokers: tuple[int, ...], store: Store) -> World:
    """A world to be looked at and not to be changed."""
    return world_of([BROKERS.seen[number] for number in brokers], store)


def notified(number: int, bundle: int, changes: tuple[Change, ...]) -> int:
    """The state of a broker that will be told of these changes too."""
    broker = BROKERS.own(number)
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
    broker = BROKERS.own(number)
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
