"""A channel's world as a plain value, and back: what a state graph stores of it.

Records, messages and works are numbered as they are met, so that a state is nested tuples of
numbers. What all brokers have read of the topic is left out unless a broker may still begin anew.
Lookups that wait are left out too: no record depends on them.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final, Generic, NamedTuple, TypeVar

from evenkeel.reference.ownership.channel_world import (
    BUNDLES,
    Broker,
    Half,
    Message,
    Work,
    World,
)
from evenkeel.reference.ownership.records import BrokerId, BundleName, Record, Storage

T = TypeVar("T")

NOTHING: Final = -1
"""The number that stands for no record, no broker."""

ALIVE, REGISTERED, CONNECTED, DISABLED = 1, 2, 4, 8
HASHES: Final = (Half("left"), Half("right"), Half("other"))


@dataclass(slots=True)
class Numbered(Generic[T]):
    """Values and their numbers; a value keeps its number.

    `known` finds the number of an object that was met before without comparing it; the objects in
    it are kept, so that no other can come to have the same identity.
    """

    values: list[T] = field(default_factory=list)
    numbers: dict[T, int] = field(default_factory=dict)
    known: dict[int, int] = field(default_factory=dict)

    def number(self, value: T) -> int:
        """The value's number."""
        found = self.known.get(id(value))
        if found is not None:
            return found
        number = self.numbers.get(value)
        if number is None:
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
    """A broker that runs."""

    flags: int
    stable_from: int
    view: Records
    position: int
    told: tuple[BundleName, ...]
    serves: int
    works: tuple[int, ...]
    notices: tuple[tuple[BrokerId, bool], ...]
    cleanups: tuple[tuple[BrokerId, int], ...]
    removed: Versions


class WorldKey(NamedTuple):
    """A world; a broker that does not run is None. `kept` is empty where all is kept."""

    leader: int
    now: int
    divided: bool
    log: tuple[int, ...]
    kept: tuple[bool, ...]
    nodes: Records
    removed: Versions
    brokers: tuple[BrokerKey | None, ...]


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
    live = [broker.position for broker in world.brokers.values() if broker.alive]
    floor = 0 if whole_topic else min(live, default=len(world.log))
    names = list(world.brokers)
    return WorldKey(
        NOTHING if world.leader is None else names.index(world.leader),
        world.now,
        world.divided,
        tuple(MESSAGES.number(message) for message in world.log[floor:]),
        () if all(world.kept[floor:]) else tuple(world.kept[floor:]),
        numbers_of(world.nodes),
        versions_of(world.removed),
        tuple(
            freeze_broker(broker, floor) if broker.alive else None
            for broker in world.brokers.values()
        ),
    )


def freeze_broker(broker: Broker, floor: int) -> BrokerKey:
    """A broker that runs, as a value."""
    return BrokerKey(
        ALIVE * broker.alive
        + REGISTERED * broker.registered
        + CONNECTED * broker.connected
        + DISABLED * broker.disabled,
        broker.stable_from,
        numbers_of(broker.view),
        broker.position - floor,
        tuple(broker.told),
        sum(1 << place for place, half in enumerate(HASHES) if half in broker.serves),
        tuple(WORKS.number(work) for work in broker.works),
        tuple(broker.notices),
        tuple(broker.cleanups.items()),
        versions_of(broker.removed),
    )


def thaw(key: WorldKey, storage: Storage, names: tuple[BrokerId, ...]) -> World:
    """The world that a value stands for."""
    return World(
        storage,
        {
            name: Broker(name, alive=False, registered=False)
            if broker is None
            else thaw_broker(name, broker)
            for name, broker in zip(names, key.brokers, strict=True)
        },
        None if key.leader == NOTHING else names[key.leader],
        key.now,
        key.divided,
        [MESSAGES.values[number] for number in key.log],
        list(key.kept) if key.kept else [True] * len(key.log),
        records_of(key.nodes),
        dict(key.removed),
    )


def thaw_broker(name: BrokerId, key: BrokerKey) -> Broker:
    """The broker that a value stands for."""
    flags = key.flags
    return Broker(
        name,
        True,
        bool(flags & REGISTERED),
        bool(flags & CONNECTED),
        bool(flags & DISABLED),
        key.stable_from,
        records_of(key.view),
        key.position,
        deque(key.told),
        {half for place, half in enumerate(HASHES) if key.serves >> place & 1},
        {},
        [WORKS.values[number] for number in key.works],
        deque(key.notices),
        dict(key.cleanups),
        dict(key.removed),
    )
