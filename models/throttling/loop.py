"""Graph: a dispatcher that finds no quota gets on (THR-28), and what keeps it from that.

A state is (backlog, taken, waiting, looked): messages still to deliver, what the counter has,
whether a new look is pending, and whether it was taken in this period already. Every move delivers,
looks, or ends a period in which something was taken: progress, so there is no cycle, and the only
final states are those without backlog.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from evenkeel.models.throttling.overdelivery.graphs import carry_excess
from evenkeel_engine.proofs.graph import Broken, Graph, Move, Size

State = tuple[int, int, bool, bool]


def moves(quota: int, entries: int, looks_again: bool, state: State) -> Iterator[Move[State]]:
    """Read and deliver, find nothing, look again, or see a period end."""
    backlog, taken, waiting, looked = state
    left = max(0, quota - taken)
    if backlog and not waiting and not looked:
        yield from reads(backlog, taken, left, entries, looks_again)
    if waiting and not looked:
        yield "looks again", (backlog, taken, False, left == 0)
    if taken:
        yield "the period ends", (backlog, carry_excess(taken, quota), waiting or looked, False)


def reads(
    backlog: int, taken: int, left: int, entries: int, looks_again: bool
) -> Iterator[Move[State]]:
    """A read of everything that the quota allows, in entries of one or two messages."""
    if not left:
        yield "finds no quota", (backlog, taken, looks_again, not looks_again)
        return
    most = min(entries, left, backlog)
    for units in {most, min(2 * most, backlog)}:
        yield f"delivers {units}", (backlog - units, taken + units, False, False)


def initial(backlog: int, quota: int) -> Iterator[State]:
    """A backlog, and anything taken before."""
    for taken in range(3 * quota):
        yield backlog, taken, False, False


def stuck_moves(quota: int, entries: int, state: State) -> Iterator[Move[State]]:
    """The broken rule: a dispatcher that finds no quota does not look again."""
    backlog, taken, _, gave_up = state
    if backlog and not gave_up:
        yield from reads(backlog, taken, max(0, quota - taken), entries, False)
    if taken:
        yield "the period ends", (backlog, carry_excess(taken, quota), False, gave_up)


def resuming(backlog: int, quota: int, entries: int, size: Size) -> Graph[State]:
    """The graph of one small scope."""
    scope = f"a backlog of {backlog}, R = {quota}, E = {entries}, entries of 1 or 2"
    return Graph(
        name=f"delivery goes on, {scope}",
        chapter="throttling",
        clauses=("THR-10", "THR-28"),
        statement="Whatever was taken before, the whole backlog is delivered.",
        bound=scope,
        initial=partial(initial, backlog, quota),
        moves=partial(moves, quota, entries, True),
        wrong=lambda state: None,
        final=lambda state: f"{state[0]} are never delivered" if state[0] else None,
        broken=Broken(
            "no new look",
            "Who finds no quota does not look again.",
            partial(stuck_moves, quota, entries),
        ),
        size=size,
    )


GRAPHS: Final = (resuming(12, 3, 2, Size(164, 293)), resuming(40, 5, 9, Size(476, 820)))
