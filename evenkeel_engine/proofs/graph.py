"""State graphs: every state of a small scope, and what must hold in each.

A graph is explored breadth first with plain values and a table of parents, so that the schedule
which leads to a state is a shortest one. As with a theorem a mutant must be found: the same
exploration with a deliberately broken rule has to run into a violation.

Where some nodes are alike, states that differ only in which of them is which are one: the graph
says which states are *images* of one another, the least of them represents all, and a schedule is
rewritten with the nodes that it names. What is wrong with a state is wrong with its images. Nor
is a cycle lost or added: a path from a state to an image of it returns to the state by
going on in the same way, since renaming has a finite order.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import networkx as nx

from evenkeel_engine import spec

S = TypeVar("S", bound=Hashable)

Move: TypeAlias = tuple[str, S]
"""What happens, and the state afterwards."""


@dataclass(frozen=True, slots=True)
class BadState:
    """What is wrong in a state, and a shortest schedule that leads there."""

    sentence: str
    schedule: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Broken(Generic[S]):
    """A deliberately broken rule: the moves of the graph with it."""

    name: str
    sentence: str
    moves: Callable[[S], Iterable[Move[S]]]


@dataclass(frozen=True, slots=True)
class Exploration(Generic[S]):
    """What has been reached: every state with its number, in the order in which they were reached.

    `origins`: the state from which each was reached first, by number, and the move; None for
    initial ones. `targets` has the numbers of each state's followers.
    """

    states: dict[S, int]
    origins: list[tuple[int, str] | None]
    targets: list[tuple[int, ...]]

    @property
    def transitions(self) -> int:
        """How many moves there are."""
        return sum(map(len, self.targets))

    def add(self, following: Iterable[Move[S]]) -> list[S]:
        """Note the moves of the next state; which of their targets were not reached before."""
        origin, states = len(self.targets), self.states
        targets: list[int] = []
        fresh: list[S] = []
        for label, target in following:
            number = states.get(target)
            if number is None:
                number = states[target] = len(states)
                self.origins.append((origin, label))
                fresh.append(target)
            targets.append(number)
        self.targets.append(tuple(targets))
        return fresh

    def find_way(self, state: S) -> list[int]:
        """The numbers of the states from an initial one to this one, as few as possible."""
        numbers = [self.states[state]]
        while (origin := self.origins[numbers[-1]]) is not None:
            numbers.append(origin[0])
        return numbers[::-1]

    def list_moves(self, state: S) -> tuple[str, ...]:
        """The moves of that way; only `Graph.schedule_to` names the same node throughout."""
        origins = (self.origins[number] for number in self.find_way(state))
        return tuple(origin[1] for origin in origins if origin is not None)


class Size(NamedTuple):
    """How many states a graph has, and how many moves."""

    states: int
    transitions: int


@dataclass(frozen=True, slots=True)
class GraphResult:
    """What came of exploring a graph.

    `stands_for`: how many states those explored represent; more, if nodes are alike.
    `size` is the pinned one, if there is one. `violations` are the right rule's, at most a few;
    `broken` is the first one with the broken rule, or None if it was not detected; `cycle` is a
    cycle of states where there must be none.
    """

    graph: str
    states: int
    transitions: int
    stands_for: int
    size: Size | None
    violations: tuple[BadState, ...]
    broken: BadState | None
    cycle: tuple[object, ...]
    seconds: float

    @property
    def as_expected(self) -> bool:
        """Nothing is violated, there is no cycle, the broken rule is detected, the size fits."""
        return (
            not self.violations and not self.cycle and self.broken is not None and self.has_its_size
        )

    @property
    def has_its_size(self) -> bool:
        """It is as large as it was when its size was pinned, if it was."""
        return self.size is None or self.size == (self.states, self.transitions)


@dataclass(frozen=True, slots=True)
class Graph(Generic[S]):
    """Initial states, moves, and what is wrong with a state (None: nothing).

    `final` says what is wrong with a state that has no moves. No graph may have a cycle: in all
    of them every move is progress. `size` is pinned where a graph is large. `images`: the states
    that differ from this one only in which of the nodes that are alike is which, itself among
    them; they can be compared. Raises `spec.UnknownClause` if the specification does not have one
    of the clauses.
    """

    name: str
    chapter: str
    clauses: tuple[str, ...]
    statement: str
    bound: str
    initial: Callable[[], Iterable[S]]
    moves: Callable[[S], Iterable[Move[S]]]
    wrong: Callable[[S], str | None]
    final: Callable[[S], str | None]
    broken: Broken[S]
    size: Size | None = None
    images: Callable[[S], Iterable[S]] | None = None

    def __post_init__(self) -> None:
        for id_ in self.clauses:
            spec.find_clause(id_)

    def explore(self) -> GraphResult:
        """Enumerate the scope, with the right rule whole, with the broken one until it fails."""
        start = time.perf_counter()
        reached, violations = self.reach(self.moves, most_violations=3)
        _, failures = self.reach(self.broken.moves, most_violations=1)
        sizes = len(reached.states), reached.transitions, self.count_unfolded(reached.states)
        broken, cycle = failures[0] if failures else None, find_cycle(reached)
        took = time.perf_counter() - start
        return GraphResult(self.name, *sizes, self.size, tuple(violations), broken, cycle, took)

    def reach(
        self, moves: Callable[[S], Iterable[Move[S]]], most_violations: int
    ) -> tuple[Exploration[S], list[BadState]]:
        """Breadth first from the initial states. States in which something is wrong end there."""
        first = dict.fromkeys(map(self.representative, self.initial()))
        states = {state: number for number, state in enumerate(first)}
        exploration = Exploration(states, [None] * len(states), [])
        violations: list[BadState] = []
        waiting = deque(states)
        while waiting and len(violations) < most_violations:
            state = waiting.popleft()
            following = list(moves(state))
            sentence = self.wrong(state) or (None if following else self.final(state))
            if sentence is not None:
                violations.append(BadState(sentence, self.schedule_to(exploration, state, moves)))
                following = []
            if self.images is not None:
                following = [(label, self.representative(target)) for label, target in following]
            waiting.extend(exploration.add(following))
        return exploration, violations

    def representative(self, state: S) -> S:
        """The state that represents this one and its images: the least."""
        if self.images is None:
            return state
        images: Iterable[Any] = self.images(state)
        least: S = min(images)
        return least

    def count_unfolded(self, states: Collection[S]) -> int:
        """How many states these represent."""
        if self.images is None:
            return len(states)
        return sum(len(set(self.images(state))) for state in states)

    def with_all_images(self) -> Graph[S]:
        """The same graph, with nodes that are alike as different ones."""
        if self.images is None:
            return self
        first = list(chain.from_iterable(map(self.images, self.initial())))
        return replace(self, initial=lambda: first, images=None)

    def schedule_to(
        self, reached: Exploration[S], state: S, moves: Callable[[S], Iterable[Move[S]]]
    ) -> tuple[str, ...]:
        """The moves from an initial state to this one or an image of it, as few as possible."""
        if self.images is None:
            return reached.list_moves(state)
        states = list(reached.states)
        first, *others = (states[number] for number in reached.find_way(state))
        schedule: list[str] = []
        at = next(one for one in self.initial() if self.representative(one) == first)
        for image in others:
            steps = ((word, to) for word, to in moves(at) if self.representative(to) == image)
            word, at = next(steps)
            schedule.append(word)
        return tuple(schedule)

    def find_shortest(self, target: S) -> tuple[str, ...] | None:
        """The fewest moves that lead to this state, or None if none do."""
        reached, _ = self.reach(self.moves, most_violations=1)
        image = self.representative(target)
        return self.schedule_to(reached, image, self.moves) if image in reached.states else None


def find_cycle(reached: Exploration[S]) -> tuple[object, ...]:
    """The states of some cycle, empty if there is none.

    States into which no move leads are taken away until none is left, or only cycles and what
    follows them; so no picture of the whole is needed.
    """
    incoming = [0] * len(reached.states)
    for targets in reached.targets:
        for target in targets:
            incoming[target] += 1
    free = [number for number, count in enumerate(incoming) if not count]
    taken = 0
    while free:
        number = free.pop()
        taken += 1
        for target in reached.targets[number] if number < len(reached.targets) else ():
            incoming[target] -= 1
            if not incoming[target]:
                free.append(target)
    if taken == len(incoming):
        return ()
    rest: nx.DiGraph[int] = nx.DiGraph(
        (number, target)
        for number, targets in enumerate(reached.targets)
        for target in targets
        if incoming[number] and incoming[target]
    )
    states = list(reached.states)
    return tuple(states[edge[0]] for edge in nx.find_cycle(rest))
