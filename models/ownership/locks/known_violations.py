"""How Pulsar 4.0 breaks the promises of the lock protocol: shortest schedules, found by exploring.

The moves are those of the graph (`locks_graphs`), of the edition PULSAR_4_0, but that notifications
stay on their way; what is looked for is a state. Exploring goes breadth first, so that no schedule
of these moves is shorter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from evenkeel.models.ownership.locks.graphs import Left, Race, Racing, seen_world, start
from evenkeel.properties.ownership.locks.trials import (
    Answer,
    Closed,
    Closing,
    Expire,
    Fail,
    LocksCommand,
    LocksTrial,
    Lookup,
    NamedBundle,
    Reconnect,
    Retry,
    Unload,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.ownership.locks.state import Broker, BundleState, Sort, World
from evenkeel_engine.proofs.graph import Broken, Graph, Move

ROADS: Final[tuple[tuple[str, Callable[[int], LocksCommand]], ...]] = (
    (r"(\d) is asked", lambda broker: Lookup(broker, 0, True, False, broker)),
    (r"(\d) is answered", lambda broker: Answer(broker, 0)),
    (r"the answer to (\d) is lost", lambda broker: Fail(broker, 0, True)),
    (r"(\d) has closed", lambda broker: Closed(broker, 0, Closing.CLOSED)),
    (r"(\d) unloads", lambda broker: Unload(broker, 0)),
    (r"the session of (\d) ends", Expire),
    (r"(\d) is connected", Reconnect),
    (r"(\d) tries again", Retry),
)
"""The moves' names, and the commands that they are."""


@dataclass(frozen=True, slots=True)
class Known:
    """A known violation: the clause, what is to come, and the state to be looked for."""

    name: str
    clause: str
    left: Left
    found: Callable[[World], bool]

    def schedule(self) -> tuple[str, ...]:
        """The fewest moves to such a state. Raises `LookupError` if none lead there."""
        graph = Graph(
            name=self.name,
            chapter="ownership",
            clauses=(self.clause,),
            statement="",
            bound="",
            initial=partial(start, 2, self.left),
            moves=untold,
            wrong=self.wrong,
            final=lambda race: None,
            broken=Broken("", "", untold),
        )
        _, violations = graph.reach(graph.moves, most_violations=1)
        if not violations:
            raise LookupError(self.name)
        return violations[0].schedule

    def wrong(self, race: Race) -> str | None:
        """The state is the one that is looked for."""
        return self.name if self.found(seen_world(race.brokers, race.store)) else None


RACING: Final = Racing(PULSAR_4_0)


def untold(race: Race) -> Iterator[Move[Race]]:
    """Every move but the delivery of a notification."""
    return (move for move in RACING.moves(race) if not move[0].endswith("is notified"))


def serving(world: World) -> list[Broker]:
    """The brokers that serve the bundle."""
    return [broker for broker in world.brokers if broker.standing(0) is BundleState.SERVING]


def both_serve(world: World) -> bool:
    """Two brokers serve."""
    return len(serving(world)) > 1


def robbed(world: World) -> bool:
    """A broker serves by its first session, which has not ended, and its node is gone."""
    return 0 not in world.nodes and any(
        broker.session == broker.number and not broker.expired for broker in serving(world)
    )


def stuck(world: World) -> bool:
    """A bundle is being unloaded, and nothing is under way any more."""
    return any(
        broker.standing(0) is BundleState.UNLOADING
        and not broker.operations.get(0)
        and not broker.closing.get(0)
        for broker in world.brokers
    )


def both_serve_for_good(world: World) -> bool:
    """Two brokers serve, both have a session, and nothing is under way any more."""
    return both_serve(world) and all(
        not broker.expired and not broker.operations.get(0) and not broker.retries
        for broker in world.brokers
    )


KNOWN: Final = (
    Known("served-beyond-the-session", "OWN-21", Left((0, 1), 1, 0), both_serve),
    Known("release-deletes-anothers-node", "OWN-28", Left((0, 1), 1, 1), robbed),
    Known("release-tried-once", "OWN-25", Left((0,), 0, 1, 1), stuck),
    Known("adopted-lock-is-blind", "OWN-21", Left((0, 0, 1), 1, 0, 1), both_serve_for_good),
)


def trial_of(schedule: tuple[str, ...]) -> LocksTrial:
    """The schedule as a trial."""
    commands = tuple(command_of(move) for move in schedule)
    return LocksTrial(2, (NamedBundle(Sort.PLAIN, 0),), 0, commands)


def command_of(move: str) -> LocksCommand:
    """The command that a move is."""
    for pattern, command in ROADS:
        matched = re.fullmatch(pattern, move)
        if matched:
            return command(int(matched[1]))
    raise LookupError(move)
