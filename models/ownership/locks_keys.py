"""A world of the lock protocol as a plain value, and back: what a state graph stores of it.

Brokers' states are numbered as they are met. Locks, lookups and unloads are things, not values: two
of them that are alike are two. So a broker's state is told apart by its *form*, in which each thing
is described where it is met first and pointed at from then on. An empty queue is none.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Hashable
from dataclasses import fields, is_dataclass
from typing import Any, Final, NamedTuple

from evenkeel.reference.ownership.locks_state import Broker, Bundle, Change, Node, Sort, World

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


class Store(NamedTuple):
    """What the store knows: nodes, how many sessions and versions there were, and whose sessions
    have outlived their processes.
    """

    nodes: tuple[tuple[int, Node], ...]
    sessions: int
    versions: int
    lingering: tuple[tuple[int, int], ...]


def store_of(world: World) -> Store:
    """The store of a world."""
    nodes = tuple(sorted(world.nodes.items()))
    return Store(nodes, world.sessions, world.versions, tuple(world.lingering))


def world_of(brokers: list[Broker], store: Store) -> World:
    """A world with these brokers and this store; what has ended is not kept."""
    nodes, sessions, versions, lingering = store
    return World(BUNDLES, brokers, dict(nodes), sessions, list(lingering), versions)


def seen_world(brokers: tuple[int, ...], store: Store) -> World:
    """A world to be looked at and not to be changed."""
    return world_of([BROKERS.seen[number] for number in brokers], store)


def notified(number: int, bundle: int, changes: tuple[Change, ...]) -> int:
    """The state of a broker that will be told of these changes too."""
    broker = BROKERS.own(number)
    broker.notifications.setdefault(bundle, deque()).extend(changes)
    return BROKERS.number(broker)
