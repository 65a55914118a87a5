"""A maximum matching in any graph (Edmonds' algorithm).

In a bipartite graph augmenting paths suffice (`seat_one`). In any other a path can run round an odd
cycle, a blossom: it is shrunk to its base, from which every vertex of the cycle can be reached both
ways round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

UNMATCHED: Final = -1


def grow(ways: Sequence[Sequence[int]], mates: list[int]) -> None:
    """Match as many vertices as possible; one that has a mate keeps one, perhaps another.

    `ways`: the neighbours of each vertex; `mates`: the mate of each or `UNMATCHED`, changed in
    place.
    """
    for one in range(len(ways)):
        if mates[one] == UNMATCHED:
            end, parents = PathSearch(ways, mates).path(one)
            while end != UNMATCHED:
                before = parents[end]
                end_of_rest = mates[before]
                mates[end], mates[before] = before, end
                end = end_of_rest


class PathSearch:
    """The search for an augmenting path from one unmatched vertex to another."""

    def __init__(self, ways: Sequence[Sequence[int]], mates: Sequence[int]) -> None:
        self.ways, self.mates = ways, mates
        self.parents = [UNMATCHED] * len(ways)
        self.bases = list(range(len(ways)))

    def path(self, root: int) -> tuple[int, list[int]]:
        """The other end or `UNMATCHED`, and the vertex from which each was reached."""
        reached, asking = {root}, [root]
        for one in asking:
            for other in self.ways[one]:
                if self.bases[one] == self.bases[other] or self.mates[one] == other:
                    continue
                if other == root or self.is_inner(self.mates[other]):
                    for inside in self.shrunk(one, other):
                        if inside not in reached:
                            reached.add(inside)
                            asking.append(inside)
                elif self.parents[other] == UNMATCHED:
                    self.parents[other] = one
                    if self.mates[other] == UNMATCHED:
                        return other, self.parents
                    reached.add(self.mates[other])
                    asking.append(self.mates[other])
        return UNMATCHED, self.parents

    def is_inner(self, mate: int) -> bool:
        """Whether this vertex exists and was reached."""
        return mate != UNMATCHED and self.parents[mate] != UNMATCHED

    def shrunk(self, one: int, other: int) -> list[int]:
        """The vertices of the cycle that closes between two; all have one base from now on."""
        base = self.common_base(one, other)
        ring: set[int] = set()
        self.mark(one, base, other, ring)
        self.mark(other, base, one, ring)
        inside = [number for number, own in enumerate(self.bases) if own in ring]
        for number in inside:
            self.bases[number] = base
        return inside

    def common_base(self, one: int, other: int) -> int:
        """The first base on the way back from both."""
        passed = set()
        while True:
            one = self.bases[one]
            passed.add(one)
            if self.mates[one] == UNMATCHED:
                break
            one = self.parents[self.mates[one]]
        while self.bases[other] not in passed:
            other = self.parents[self.mates[self.bases[other]]]
        return self.bases[other]

    def mark(self, one: int, base: int, child: int, ring: set[int]) -> None:
        """Mark one side of a cycle, back to its base."""
        while self.bases[one] != base:
            mate = self.mates[one]
            ring |= {self.bases[one], self.bases[mate]}
            self.parents[one] = child
            child, one = mate, self.parents[mate]
