"""Graphs: every interleaving of reads, deliveries, charges and period ends in small scopes.

A state is (taken, reads, ends, delivered): what the counter has, the reads under way as a sorted
tuple of (entries, delivered; -1 before delivery), the period ends since the window began, and the
units delivered since then. The window may begin in any state that can be reached, so the graph
starts in all of them. Every move delivers, charges, issues or ends a period, and a window has
finitely many: there is no cycle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Final

from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling.counter import Counter
from evenkeel.reference.throttling.overdelivery import Setting, most_in_periods
from evenkeel_engine.proofs.graph import Broken, Graph, Move, Size

Reads = tuple[tuple[int, int], ...]

Loop = tuple[int, Reads]
"""What is taken, and the reads under way."""

Window = tuple[int, Reads, int, int]

End = Callable[[int, int], int]
"""What is taken after a period's end, from what was taken and the quota."""


def carry_excess(taken: int, quota: int) -> int:
    """The reference's end of a period."""
    return counters.period_ends(Counter(quota, 1, True, taken), 1).taken


def forget_count(taken: int, quota: int) -> int:
    """The broken rule: the count is set to 0."""
    return 0


def loop_moves(setting: Setting, taken: int, reads: Reads) -> Iterator[tuple[str, Loop, int]]:
    """Issues, deliveries and charges: what happens, the loop afterwards, the units delivered."""
    left = max(0, setting.quota - taken)
    if len(reads) < setting.reads:
        for entries in range(1, min(setting.entries, left) + 1):
            after = tuple(sorted((*reads, (entries, -1))))
            yield f"a read of {entries} is issued", (taken, after), 0
    for index, (entries, delivered) in enumerate(reads):
        others = reads[:index] + reads[index + 1 :]
        if delivered >= 0:
            yield f"{delivered} are charged", (taken + delivered, others), 0
            continue
        for units in range(entries, entries * setting.batch + 1):
            after = tuple(sorted((*others, (entries, units))))
            yield f"{units} are delivered", (taken, after), units


@cache
def reachable(setting: Setting, end: End) -> tuple[Loop, ...]:
    """Every state of the loop, with any number of periods before."""
    found: set[Loop] = {(0, ())}
    waiting = deque(found)
    while waiting:
        taken, reads = waiting.popleft()
        following = [after for _, after, _ in loop_moves(setting, taken, reads)]
        following.append((end(taken, setting.quota), reads))
        for after in following:
            if after not in found:
                found.add(after)
                waiting.append(after)
    return tuple(found)


def initial(setting: Setting) -> Iterator[Window]:
    """A window begins in any state, right after a period's end."""
    for taken, reads in sorted(reachable(setting, carry_excess)):
        yield carry_excess(taken, setting.quota), reads, 0, 0


def moves(setting: Setting, periods: int, end: End, state: Window) -> Iterator[Move[Window]]:
    """What can happen next in a window of n periods."""
    taken, reads, ends, delivered = state
    for label, (then, under_way), units in loop_moves(setting, taken, reads):
        yield label, (then, under_way, ends, delivered + units)
    if ends < periods - 1:
        yield "the period ends", (end(taken, setting.quota), reads, ends + 1, delivered)


def wrong(setting: Setting, periods: int, state: Window) -> str | None:
    """No more is delivered than the bound of n periods."""
    bound = most_in_periods(setting, periods)
    return f"{state[3]} delivered, more than {bound}" if state[3] > bound else None


def interleavings(setting: Setting, periods: int, size: Size) -> Graph[Window]:
    """The graph of one small scope."""
    scope = (
        f"R = {setting.quota}, E = {setting.entries}, B = {setting.batch}, k = {setting.reads}, "
        f"n = {periods}"
    )
    return Graph(
        name=f"over-delivery, {scope}",
        chapter="throttling",
        clauses=("THR-49",),
        statement="No interleaving delivers more than n R + M (k B - 1) in n periods, wherever the "
        "window begins.",
        bound=scope,
        initial=partial(initial, setting),
        moves=partial(moves, setting, periods, carry_excess),
        wrong=partial(wrong, setting, periods),
        final=lambda state: None,
        broken=Broken(
            "forgetting",
            "The counter forgets the excess at the end of a period.",
            partial(moves, setting, periods, forget_count),
        ),
        size=size,
    )


GRAPHS: Final = (
    interleavings(Setting(3, 2, 2, 2), 2, Size(1511, 3836)),
    interleavings(Setting(2, 2, 1, 3), 3, Size(1729, 4936)),
    interleavings(Setting(4, 5, 3, 1), 3, Size(1407, 2638)),
)
