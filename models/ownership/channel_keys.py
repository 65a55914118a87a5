"""A channel's world as a plain value, and back: what a state graph stores of it.

Records, messages, works and brokers' states are numbered as they are met, so that a state is a
tuple of numbers. What all brokers have read of the topic is left out unless a broker may still
begin anew. Lookups that wait are left out too: no record depends on them.
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
    """A broker that runs, but for how much of the topic it has read."""

    flags: int
    stable_from: int
    view: Records
    told: tuple[BundleName, ...]
    serves: int
    works: tuple[int, ...]
    notices: tuple[tuple[BrokerId, bool], ...]
    cleanups: tuple[tuple[BrokerId, int], ...]
    removed: Versions


BROKERS: Final[Numbered[BrokerKey]] = Numbered()


class WorldKey(NamedTuple):
    """A world. `kept` is empty where all is kept; `positions`: how much each broker has read.

    A broker that does not run has the number `NOTHING` and the position 0.
    """

    leader: int
    now: int
    divided: bool
    log: tuple[int, ...]
    kept: tuple[bool, ...]
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
        () if all(world.kept) else tuple(world.kept),
        numbers_of(world.nodes),
        versions_of(world.removed),
        tuple(broker.position if broker.alive else 0 for broker in world.brokers.values()),
        tuple(map(freeze_broker, world.brokers.values())),
    )
    return key if whole_topic else without_read(key)


def without_read(key: WorldKey) -> WorldKey:
    """The world without those messages that every broker has read."""
    live = [at for at, broker in zip(key.positions, key.brokers, strict=True) if broker != NOTHING]
    floor = min(live, default=len(key.log))
    if not floor:
        return key
    kept = key.kept[floor:]
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
        tuple(broker.told),
        sum(1 << place for place, half in enumerate(HASHES) if half in broker.serves),
        tuple(WORKS.number(work) for work in broker.works),
        tuple(broker.notices),
        tuple(broker.cleanups.items()),
        versions_of(broker.removed),
    )
    return BROKERS.number(key)


def thaw(key: WorldKey, storage: Storage, names: tuple[BrokerId, ...]) -> World:
    """The world that a value stands for."""
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
        list(key.kept) if key.kept else [True] * len(key.log),
        records_of(key.nodes),
        dict(key.removed),
    )


def thaw_broker(name: BrokerId, number: int, position: int) -> Broker:
    """The broker whose state has this number."""
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
        deque(key.told),
        {half for place, half in enumerate(HASHES) if key.serves >> place & 1},
        {},
        [WORKS.values[number] for number in key.works],
        deque(key.notices),
        dict(key.cleanups),
        dict(key.removed),
    )
