"""Graphs: every schedule of small scopes of the ownership channel (OWN-6 to OWN-18, OWN-47).

In each state one broker at most serves a hash, brokers that serve are registered, and records are
written by brokers that may; and where nothing happens without a command, a fair schedule leads to
rest.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import starmap
from typing import Any, Final

from evenkeel.models.ownership.channel.worlds import Offer, Scope, Situation, wrong
from evenkeel.properties.ownership.channel import trials as do
from evenkeel.properties.ownership.channel.trials import Bundle, ChannelCommand, PlainCommand
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.ownership.records import Storage
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.patches import patches_of
from evenkeel_engine.proofs.graph import Broken, Graph, Move, Size

PARENT: Final = Bundle.PARENT

LATE: Final = do.Elapse(31_000)
"""Longer than anything may be in flight."""

LONG: Final = do.Elapse(3_601_000)
"""Longer than free and deleted records are stored."""


def once(*commands: ChannelCommand) -> Offer:
    """One of these, at most once."""
    return Offer(commands)


def at_each(kind: type[PlainCommand], brokers: int = 2) -> Offer:
    """The command at any broker, at most once."""
    return Offer(tuple(kind(broker) for broker in range(brokers)))


def assign_parent(brokers: int) -> tuple[ChannelCommand, ...]:
    """Broker 1 owns the parent, and every broker knows."""
    reads = tuple(do.Read(broker) for broker in range(brokers))
    return (do.Assign(0, PARENT, 1), *reads, *reads, *reads)


def alone() -> tuple[ChannelCommand, ...]:
    """Broker 1, which leads, has begun to split its parent; the other broker is away."""
    reads = tuple(do.Read(broker) for broker in range(2))
    return (*assign_parent(2), do.Elect(1), do.Split(1), *reads, *reads, *reads, do.LoseSession(0))


def mutant(name: str) -> Mutant:
    """The mutant of this name."""
    return next(change for change in patches_of("ownership") if change.name == name)


def changed_moves(scope: Scope, change: Mutant, situation: Situation) -> list[Move[Situation]]:
    """The moves with one function of the reference changed."""
    edition = replace(DOCUMENTED, name=f"{DOCUMENTED.name} but {change.name}")
    with change.apply():
        return scope.moves(situation, edition)


def by_change(scope: Scope, name: str) -> Broken[Situation]:
    """The scope with a mutant."""
    change = mutant(name)
    return Broken(name, change.description, partial(changed_moves, scope, change))


def by_switch(scope: Scope, name: str) -> Broken[Situation]:
    """The scope with one of the switches of 4.0."""
    switch: dict[str, Any] = {name: True}
    edition = replace(DOCUMENTED, name=name, **switch)
    sentence = f"As 4.0: {name.replace('_', ' ')}."
    return Broken(name.replace("_", "-"), sentence, partial(scope.moves, edition=edition))


RACE: Final = (
    once(do.Assign(0, PARENT, 0)),
    once(do.Assign(1, PARENT, 1)),
    once(do.Unload(0, PARENT, 1), do.Unload(1, PARENT, 0), do.Unload(0, PARENT, None)),
)

STUCK: Final = (once(do.Unload(0, PARENT, 0)), once(LATE), Offer((do.Monitor(0),), 2))

SESSIONS: Final = (
    at_each(do.LoseSession),
    at_each(do.RegainSession),
    at_each(do.Elect),
    once(do.Unload(0, PARENT, 0)),
    once(do.Monitor(0)),
)

LEAVING: Final = (
    at_each(do.ShutDown),
    at_each(do.Elect),
    once(do.Unload(0, PARENT, 0)),
    once(do.Assign(0, PARENT, 0)),
)

BACK: Final = (
    once(do.Crash(1)),
    once(do.RestartBroker(1)),
    once(do.Compact()),
    once(do.Unload(0, PARENT, 0)),
)

REMOVAL: Final = (
    once(do.Unload(0, PARENT, None)),
    once(LONG),
    once(do.Monitor(0)),
    once(do.Assign(0, PARENT, 0), do.Assign(0, PARENT, 1), do.Assign(1, PARENT, 0)),
)

DIVISION: Final = (
    once(do.Split(0)),
    once(do.Crash(1)),
    once(do.Assign(0, PARENT, 0)),
    once(do.Unload(0, PARENT, 0)),
)

ALONE: Final = (once(do.ShutDown(1)), once(do.RegainSession(0)), once(do.Assign(0, PARENT, 0)))

OVERTAKING: Final = (
    once(do.Assign(0, PARENT, 1), do.Assign(0, PARENT, 0)),
    once(do.Assign(1, PARENT, 0)),
    once(LATE),
    once(do.Monitor(0)),
)

THREE_RACE: Final = (
    once(do.Assign(0, PARENT, 1)),
    once(do.Assign(1, PARENT, 2)),
    once(do.Assign(2, PARENT, 2)),
)

THREE_DIVIDE: Final = (once(do.Split(0)), once(do.Unload(2, Bundle.LEFT, 2)))
THREE_CRASH: Final = (once(do.Crash(1)), once(do.Elect(2)), once(do.Unload(0, PARENT, 2)))

SCOPES: Final = {
    "race": (2, (), RACE, "serves-early"),
    "stuck": (2, assign_parent(2), STUCK, "living_sources_overtaken"),
    "sessions": (2, assign_parent(2), SESSIONS, "no-health-check"),
    "leaving": (2, assign_parent(2), LEAVING, "closing-closes-nothing"),
    "back": (2, assign_parent(2), BACK, "overrides-to-the-lost"),
    "removal": (2, assign_parent(2), REMOVAL, "brokers-unchecked"),
    "division": (2, assign_parent(2), DIVISION, "any_key_in_channel"),
    "alone": (2, alone(), ALONE, "divisions_freed"),
    "overtaking": (2, (), OVERTAKING, "equal-version-overrides"),
    "race-of-3": (3, (), THREE_RACE, "anybody-says-owned"),
    "division-among-3": (3, assign_parent(3), THREE_DIVIDE, "released-before-closed"),
    "crash-among-3": (3, assign_parent(3), THREE_CRASH, "everybody-cleans"),
}
"""Brokers, how it begins, what is offered, and the rule that is broken for comparison."""

BROKEN_OVER_NODES: Final = {"removal": "tombstones_unconditional"}
"""Other rules to break with nodes, where they can be detected at once."""


def scope_of(name: str, storage: Storage) -> Scope:
    """One of the scopes."""
    brokers, begins, offers, _ = SCOPES[name]
    return Scope(f"{name}, {storage.value}", storage, brokers, begins, offers)


def graph_of(name: str, storage: Storage, states: int, transitions: int) -> Graph[Situation]:
    """The graph of one of the scopes, and its size."""
    broken = SCOPES[name][3]
    if storage is Storage.NODES:
        broken = BROKEN_OVER_NODES.get(name, broken)
    return graph_from(name, scope_of(name, storage), broken, Size(states, transitions))


ALWAYS: Final = (7, 10, 11, 12, 13, 47)

UNREGISTERS: Final = (do.LoseSession, do.ShutDown)
"""What ends a registration while the process continues, so that it could continue to serve."""

OVERRIDES: Final = (do.LoseSession, do.ShutDown, do.Crash, do.Monitor)
"""What leads to forced records: clean-ups, the monitor, a broker that leaves."""


def clauses_in(scope: Scope) -> tuple[str, ...]:
    """The clauses that some command of the scope could break.

    A record is removed after a division, or by a monitor once a bundle was given up; in a topic
    the current record cannot be removed, because readers take no removal of one in use.
    """
    commands = (*scope.begins, *(command for offer in scope.offers for command in offer.commands))
    divides = any(isinstance(command, do.Split) for command in commands)
    given_up = any(isinstance(c, do.Unload) and c.to is None for c in commands)
    monitored = any(isinstance(command, do.Monitor) for command in commands)
    numbers = list(ALWAYS)
    if scope.storage is Storage.NODES and (divides or (given_up and monitored)):
        numbers.append(6)
    if any(isinstance(command, UNREGISTERS) for command in commands):
        numbers.append(8)
    if divides:
        numbers.append(14)
    if any(isinstance(command, OVERRIDES) for command in commands):
        numbers += [17, 18]
    return tuple(f"OWN-{number}" for number in sorted(numbers))


def graph_from(name: str, scope: Scope, broken: str, size: Size | None = None) -> Graph[Situation]:
    """The graph of a scope, and of the scope with a rule broken."""
    others = sum(offer.times for offer in scope.offers)
    return Graph(
        name=f"channel-{name}-{scope.storage.name.lower()}",
        chapter="ownership",
        clauses=clauses_in(scope),
        statement="No schedule leads to two brokers that serve a hash, to one that serves without "
        "being registered or to a record that a broker writes or removes that may not; all come to "
        "rest, where some broker serves what was owned while nothing was under way.",
        bound=f"{scope.brokers} brokers, the parent and its halves, {others} things from outside",
        initial=scope.initial,
        moves=scope.moves,
        wrong=wrong,
        final=lambda situation: None,
        broken=by_switch(scope, broken) if "_" in broken else by_change(scope, broken),
        size=size,
    )


QUICK: Final = (
    ("race", Storage.TOPIC, 1_075, 2_021),
    ("race", Storage.NODES, 75, 127),
    ("stuck", Storage.TOPIC, 210, 402),
    ("stuck", Storage.NODES, 126, 238),
    ("sessions", Storage.TOPIC, 1_594, 4_569),
    ("sessions", Storage.NODES, 925, 2_428),
    ("leaving", Storage.TOPIC, 6_374, 17_681),
    ("leaving", Storage.NODES, 345, 798),
    ("back", Storage.TOPIC, 386, 942),
    ("back", Storage.NODES, 92, 199),
    ("removal", Storage.TOPIC, 1_692, 3_830),
    ("removal", Storage.NODES, 192, 403),
    ("division", Storage.TOPIC, 3_167, 8_853),
    ("division", Storage.NODES, 297, 799),
    ("alone", Storage.NODES, 11_567, 45_734),
    ("overtaking", Storage.TOPIC, 1_123, 2_441),
    ("overtaking", Storage.NODES, 86, 149),
    ("race-of-3", Storage.TOPIC, 4_770, 12_185),
    ("division-among-3", Storage.NODES, 2_137, 6_187),
    ("crash-among-3", Storage.TOPIC, 585, 1_637),
    ("crash-among-3", Storage.NODES, 437, 1_205),
)

LEFT: Final = Bundle.LEFT

WIDE_SESSIONS: Final = (
    once(do.Split(0)),
    once(do.Unload(0, PARENT, 0), do.Unload(0, LEFT, 0)),
    at_each(do.LoseSession),
    at_each(do.RegainSession),
    at_each(do.Elect),
    once(do.Assign(0, PARENT, 0)),
)

CRASH: Final = (
    once(do.Split(0)),
    once(do.Unload(0, PARENT, 0)),
    once(do.Unload(0, LEFT, 2)),
    at_each(do.Crash, 3),
    once(do.Elect(1)),
)

ELECTION: Final = (
    once(do.Split(0)),
    once(do.Unload(0, PARENT, 0), do.Unload(0, LEFT, 2)),
    at_each(do.Crash, 3),
    at_each(do.Elect, 3),
    once(do.Assign(0, PARENT, 0)),
)

CRASH_OVER_NODES: Final = (
    once(do.Split(0)),
    once(do.Unload(0, PARENT, 0)),
    once(do.Unload(0, LEFT, 2)),
    at_each(do.Crash, 3),
    at_each(do.Elect, 3),
    once(do.Assign(0, PARENT, 0)),
)

SESSIONS_OF_THREE: Final = (
    once(do.Split(0)),
    once(do.Unload(0, PARENT, 0)),
    at_each(do.LoseSession, 3),
    at_each(do.RegainSession, 3),
    at_each(do.Elect, 3),
)


Wide = tuple[str, Scope, str, Size]
"""A name, a scope, the rule that is broken for comparison, and the size."""


def wide(
    name: str,
    storage: Storage,
    brokers: int,
    offers: tuple[Offer, ...],
    broken: str,
    states: int,
    transitions: int,
) -> Wide:
    """A scope in which broker 1 owns the parent at first, and every broker knows."""
    scope = Scope(f"{name}, {storage.value}", storage, brokers, assign_parent(brokers), offers)
    return name, scope, broken, Size(states, transitions)


WIDE: Final[tuple[Wide, ...]] = (
    wide("sessions-of-2", Storage.TOPIC, 2, WIDE_SESSIONS, "no-health-check", 199_791, 729_129),
    wide("crash-of-3", Storage.TOPIC, 3, CRASH, "everybody-cleans", 166_029, 671_204),
    wide("crash-of-3", Storage.NODES, 3, CRASH_OVER_NODES, "everybody-cleans", 189_588, 965_020),
    wide("election-of-3", Storage.TOPIC, 3, ELECTION, "everybody-cleans", 443_061, 1_787_784),
    wide(
        "sessions-of-3", Storage.NODES, 3, SESSIONS_OF_THREE, "no-health-check", 304_673, 1_568_156
    ),
    ("alone", scope_of("alone", Storage.TOPIC), "divisions_freed", Size(284_606, 1_055_408)),
)

QUICK_GRAPHS: Final = tuple(starmap(graph_of, QUICK))
GRAPHS: Final[tuple[Graph[Situation], ...]] = (
    *QUICK_GRAPHS,
    *(graph_from(name, scope, broken, size) for name, scope, broken, size in WIDE),
)
