"""Graph: two brokers, one bundle, every interleaving of what the store answers and tells (OWN-21).

Each broker is asked for the bundle once, with authority; one session ends, once, and is opened
again; an unload is asked for where the bundle is served. All else are the steps of the reference:
answers, notifications, the end of closing. A state is the reference's world, packed into bytes, and
what is still to come; so every move uses something up.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from evenkeel.models.graph import Broken, Graph, Move
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.ownership import locks
from evenkeel.reference.ownership import locks_lookup as lookup
from evenkeel.reference.ownership import locks_owning as owning
from evenkeel.reference.ownership.locks_state import (
    Broker,
    Bundle,
    Request,
    Sort,
    Stage,
    Standing,
    World,
    new_world,
    session_lives,
)

OUTLIVED: Final = replace(DOCUMENTED, locks_outlive_session=True)


class Left(NamedTuple):
    """What is still to come: who is to be asked, ends of sessions, unloads, answers to be lost."""

    asks: tuple[int, ...]
    ends: int
    unloads: int
    losses: int = 0


class Race(NamedTuple):
    """The world, packed, and what is still to come."""

    world: bytes
    left: Left


def packed(world: World) -> bytes:
    """A world as bytes; what has ended is not kept."""
    world.ended = []
    return pickle.dumps(world)


def unpacked(race: Race) -> World:
    """A world of its own, to be changed."""
    world: World = pickle.loads(race.world)
    return world


def start(left: Left) -> Iterator[Race]:
    """Nobody has been asked."""
    yield Race(packed(new_world(2, [Bundle(Sort.PLAIN, 0)], 0)), left)


def moves(edition: Edition, race: Race) -> Iterator[Move[Race]]:
    """Everything that can happen next."""
    seen = unpacked(race)
    for name, left, act in (*outside(seen, race.left, edition), *queues(seen, race.left, edition)):
        world = unpacked(race)
        act(world)
        yield name, Race(packed(world), left)


Act = Callable[[World], object]


def outside(seen: World, left: Left, edition: Edition) -> Iterator[tuple[str, Left, Act]]:
    """What clients, operators and sessions do."""
    for place, number in enumerate(left.asks):
        fewer = left._replace(asks=left.asks[:place] + left.asks[place + 1 :])
        yield f"{number} is asked", fewer, partial(ask, number, edition)
    for broker in seen.brokers:
        if left.ends and not broker.expired:
            yield (
                f"the session of {broker.number} ends",
                left._replace(ends=left.ends - 1),
                partial(end, broker.number, edition),
            )
        if not session_lives(seen, broker):
            yield f"{broker.number} is connected", left, partial(connect, broker.number)
        if left.unloads and broker.standing(0) is Standing.SERVING:
            fewer = left._replace(unloads=left.unloads - 1)
            yield f"{broker.number} unloads", fewer, partial(unload, broker.number)


def queues(seen: World, left: Left, edition: Edition) -> Iterator[tuple[str, Left, Act]]:
    """What waits is carried out; a release, which is tried until it succeeds, with a session."""
    for broker in seen.brokers:
        waiting = broker.operations.get(0)
        if waiting and (session_lives(seen, broker) or waiting[0].stage is not Stage.RELEASE):
            yield f"{broker.number} is answered", left, partial(answer, broker.number, edition)
            if left.losses:
                fewer = left._replace(losses=left.losses - 1)
                lost = partial(lose_answer, broker.number, edition)
                yield f"the answer to {broker.number} is lost", fewer, lost
        if broker.notifications.get(0):
            yield f"{broker.number} is told", left, partial(tell, broker.number)
        if broker.closing.get(0):
            yield f"{broker.number} has closed", left, partial(close, broker.number, edition)


def ask(number: int, edition: Edition, world: World) -> None:
    """A client asks this broker to take the bundle."""
    lookup.look_up(world, world.brokers[number], 0, Request(0, True, False, number), edition)


def end(number: int, edition: Edition, world: World) -> None:
    """A session ends."""
    locks.expire(world, world.brokers[number], edition)


def connect(number: int, world: World) -> None:
    """A broker gets a new session."""
    locks.reconnect(world, world.brokers[number])


def unload(number: int, world: World) -> None:
    """An operator asks for an unload."""
    owning.unload(world, world.brokers[number], 0, None)


def answer(number: int, edition: Edition, world: World) -> None:
    """The store answers."""
    locks.answer(world, world.brokers[number], 0, edition)


def lose_answer(number: int, edition: Edition, world: World) -> None:
    """The store carries out what the broker asks, and the answer is lost."""
    locks.fail(world, world.brokers[number], 0, True, edition)


def tell(number: int, world: World) -> None:
    """A notification arrives."""
    locks.notify(world.brokers[number], 0)


def close(number: int, edition: Edition, world: World) -> None:
    """Topics are closed."""
    owning.topics_closed(world, world.brokers[number], 0, edition)


def wrong(race: Race) -> str | None:
    """Who serves holds the node; so at most one does."""
    world = unpacked(race)
    node = world.nodes.get(0)
    serving = [b.number for b in world.brokers if b.standing(0) is Standing.SERVING]
    if len(serving) > 1:
        return f"{serving} serve the bundle"
    if serving and (node is None or node.holder != serving[0]):
        return f"{serving[0]} serves the bundle without its node"
    return None


def wrong_end(race: Race) -> str | None:
    """In the end no lookup is open and nothing is being unloaded."""
    world = unpacked(race)
    stuck = [broker for broker in world.brokers if unfinished(broker)]
    return f"{stuck[0].number} never ends" if stuck else None


def unfinished(broker: Broker) -> bool:
    """Something waits for what will not come."""
    return bool(broker.finding) or broker.standing(0) is Standing.UNLOADING


def race_of(asks: tuple[int, ...], ends: int, unloads: int) -> Graph[Race]:
    """The race with so many lookups, ends of sessions and unloads."""
    return Graph(
        name=f"locks-{len(asks)}-{ends}-{unloads}",
        chapter="ownership",
        clauses=("OWN-21", "OWN-22", "OWN-25", "OWN-26"),
        statement="However answers, notifications, an unload and the end of a session interleave, "
        "who serves the bundle holds its node, and every lookup and unload ends.",
        bound=f"2 brokers, 1 bundle, lookups at {', '.join(map(str, asks))}, {ends} ends of a "
        f"session, {unloads} unloads",
        initial=partial(start, Left(asks, ends, unloads)),
        moves=partial(moves, DOCUMENTED),
        wrong=wrong,
        final=wrong_end,
        broken=Broken(
            "served-without-a-session",
            "A broker goes on serving after its session has ended.",
            partial(moves, OUTLIVED),
        ),
    )


GRAPHS: Final = (race_of((0, 1), 1, 1),)
