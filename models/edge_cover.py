"""Walks that together take every edge of a state graph, so that its edges can be put to a subject.

A graph with too many states is left alone. The walks are greedy: a shortest way to the first
edge not taken yet, then on over edges not taken yet, as long as there are any and the walk is not
longer than it may be. An edge that no walk of that length can take is left.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

from evenkeel.models.graph import Exploration, Move

S = TypeVar("S", bound=Hashable)

Edge: TypeAlias = tuple[int, int]
"""The number of a state, and which of its moves."""


class Walk(NamedTuple):
    """The words of the moves, and the edges that they take, one for each."""

    words: tuple[str, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Explored:
    """Each state's moves, in words and with their targets, and by which it was reached first."""

    moves: tuple[tuple[tuple[str, int], ...], ...]
    first: tuple[Edge | None, ...]

    @property
    def edges(self) -> int:
        """How many moves there are."""
        return sum(map(len, self.moves))


def explored(
    initial: Iterable[S], moves: Callable[[S], Iterable[Move[S]]], most: int
) -> Explored | None:
    """All states and moves, or None if there are more than `most` states."""
    states = {state: number for number, state in enumerate(dict.fromkeys(initial))}
    reached = Exploration(states, [None] * len(states), [])
    waiting = list(states)
    words: list[tuple[str, ...]] = []
    first: list[Edge | None] = [None] * len(states)
    for number, state in enumerate(waiting):  # which grows meanwhile
        following = list(moves(state))
        words.append(tuple(label for label, _ in following))
        waiting.extend(reached.add(following))
        for place, target in enumerate(reached.targets[number]):
            if target == len(first):
                first.append((number, place))
        if len(states) > most:
            return None
    both = zip(words, reached.targets, strict=True)
    return Explored(tuple(tuple(zip(w, t, strict=True)) for w, t in both), tuple(first))


def cover(graph: Explored, longest: int) -> Iterator[Walk]:
    """Walks of at most `longest` moves that take every edge that such walks can take."""
    open_ = [set(range(len(moves))) for moves in graph.moves]
    for origin in range(len(graph.moves)):
        before = way_to(graph, origin)
        while open_[origin] and len(before) < longest:
            yield walk_of(graph, [*before, *onward(graph, origin, open_, longest - len(before))])


def way_to(graph: Explored, state: int) -> list[Edge]:
    """The edges of a shortest way to a state."""
    edges: list[Edge] = []
    edge = graph.first[state]
    while edge is not None:
        edges.append(edge)
        edge = graph.first[edge[0]]
    return edges[::-1]


def onward(graph: Explored, state: int, open_: list[set[int]], most: int) -> Iterator[Edge]:
    """At most `most` edges onward from a state, none taken before; this marks them as taken."""
    for _ in range(most):
        if not open_[state]:
            return
        moves = graph.moves[state]
        place = next((p for p in sorted(open_[state]) if open_[moves[p][1]]), min(open_[state]))
        open_[state].discard(place)
        yield state, place
        state = moves[place][1]


def walk_of(graph: Explored, edges: list[Edge]) -> Walk:
    """The walk over these edges."""
    return Walk(tuple(graph.moves[state][place][0] for state, place in edges), tuple(edges))
