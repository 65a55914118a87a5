"""RoundRobinBrokerSelector: each candidate in turn.

Source: #19321; RoundRobinBrokerSelector 4.0.8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states

LAST = 2**31 - 1
"""After this the counter of 4.0 starts again at 0."""


@dataclass(frozen=True, slots=True)
class Turn:
    """`counter`: asks so far. `order`: the candidates known, the next one first; in 4.0 the list
    in which the counter's remainder is a place.
    """

    counter: int = 0
    order: tuple[str, ...] = ()


@states("PLC-1", "PLC-18", "PLC-19", "PLC-56")
def ask(turn: Turn, candidates: Sequence[str], edition: Edition) -> tuple[Turn, str | None]:
    """The broker whose turn it is; none if there are no candidates.

    In 4.0 the candidates' order matters: it is that of iteration over their set.
    """
    if not candidates:
        return turn, None
    if edition.round_robin_by_counter:
        return ask_by_counter(turn, candidates)
    same = frozenset(turn.order) == frozenset(candidates)
    chosen, *later = turn.order if same else candidates
    return Turn(turn.counter + 1, (*later, chosen)), chosen


@states("PLC-19")
def ask_by_counter(turn: Turn, candidates: Sequence[str]) -> tuple[Turn, str]:
    """4.0: the place is the counter's remainder; the list is renewed when it does not fit."""
    place = turn.counter % len(candidates)
    order = turn.order if len(turn.order) == len(candidates) else tuple(candidates)
    if order[place] not in candidates:
        order = tuple(candidates)
    return Turn(next_count(turn.counter), order), order[place]


@states("PLC-19")
def next_count(counter: int) -> int:
    """The counter of 4.0 has 31 bits."""
    return 0 if counter == LAST else counter + 1
