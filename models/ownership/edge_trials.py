"""Edges as trials: the graphs of the reference's ownership, each covered by lists of commands.

A trial is a walk's commands after those with which the scope begins, and then everything settles,
so that what must hold at rest is asked too. The graph is explored with the edition by which the
answers will be judged, and continues where the edition lets something go wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from evenkeel.models.edge_cover import Edge, cover, explored
from evenkeel.models.graph import Graph
from evenkeel.models.ownership.channel import graphs as schedule_graphs
from evenkeel.models.ownership.channel.graphs import scope_of
from evenkeel.models.ownership.channel.worlds import Scope
from evenkeel.models.ownership.locks import graphs as locks_graphs
from evenkeel.models.ownership.locks.graphs import Race, Racing
from evenkeel.properties.kit.question import Question
from evenkeel.properties.ownership.channel import CHANNEL
from evenkeel.properties.ownership.channel.trials import Settle
from evenkeel.properties.ownership.locks import LOCKS
from evenkeel.properties.ownership.locks import trials as do
from evenkeel.properties.ownership.locks.trials import LocksCommand, LocksTrial, NamedBundle
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.locks.state import Sort


@dataclass(frozen=True, slots=True)
class EdgeTrial:
    """A trial, and the edges that its commands take: the first after `begins` commands."""

    trial: Any
    begins: int
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Covered:
    """The trials that together take the edges of a graph; `edges`: how many it has."""

    graph: str
    question: Question[Any, Any]
    states: int
    edges: int
    trials: tuple[EdgeTrial, ...]


Coverer = Callable[[Edition, int, int], Covered | None]
"""With an edition, the most states, and the most moves of a walk; None: too many states."""


def of_channel(
    name: str, scope: Scope, edition: Edition, most: int, longest: int
) -> Covered | None:
    """The trials of a scope of `ownership.channel`."""
    graph = explored(scope.initial(edition), partial(scope.moves, edition=edition), most)
    if graph is None:
        return None
    trials = tuple(
        EdgeTrial(scope.trial(walk.words, Settle()), len(scope.begins), walk.edges)
        for walk in cover(graph, longest)
    )
    return Covered(name, CHANNEL, len(graph.moves), graph.edges, trials)


def of_locks(graph: Graph[Race], edition: Edition, most: int, longest: int) -> Covered | None:
    """The trials of a race of `ownership.locks`."""
    initial = list(graph.initial())
    found = explored(initial, Racing(edition).moves, most)
    if found is None:
        return None
    brokers = len(initial[0].brokers)
    trials = tuple(
        EdgeTrial(locks_trial(brokers, walk.words), 0, walk.edges) for walk in cover(found, longest)
    )
    return Covered(graph.name, LOCKS, len(found.moves), found.edges, trials)


COMMANDS: Final[dict[str, Callable[[int], LocksCommand]]] = {
    "{} is asked": lambda number: do.Lookup(number, 0, True, False, number),
    "the session of {} ends": do.Expire,
    "{} is connected": do.Reconnect,
    "{} unloads": lambda number: do.Unload(number, 0),
    "{} is answered": lambda number: do.Answer(number, 0),
    "the answer to {} is lost": lambda number: do.Fail(number, 0, True),
    "{} is notified": lambda number: do.Notify(number, 0),
    "{} has closed": lambda number: do.Closed(number, 0, do.Closing.CLOSED),
    "{} tries again": do.Retry,
    "{} crashes": do.Crash,
    "{} restarts": do.Restart,
}
"""The command for each of the race's deeds."""


def locks_command(words: str) -> LocksCommand:
    """The command that does a deed of the race."""
    [number] = re.findall(r"\d+", words)
    return COMMANDS[words.replace(number, "{}")](int(number))


def locks_trial(brokers: int, words: tuple[str, ...]) -> LocksTrial:
    """The trial that a walk makes."""
    commands = (*map(locks_command, words), do.Settle())
    return LocksTrial(brokers, (NamedBundle(Sort.PLAIN, 0),), 0, commands)


def coverers() -> dict[str, Coverer]:
    """Every graph that can be driven, by name; each remembers nothing of earlier calls."""
    channel: dict[str, Coverer] = {
        graph.name: partial(of_channel, graph.name, scope_of(*place))
        for graph, place in zip(schedule_graphs.QUICK_GRAPHS, schedule_graphs.QUICK, strict=True)
    }
    return channel | {graph.name: partial(of_locks, graph) for graph in locks_graphs.GRAPHS}
