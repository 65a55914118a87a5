"""A matching in any graph, made as large as it can be (Edmonds' algorithm).

Where two sides face each other chains of changes suffice (`seat_one`). Here anybody may be matched
with anybody, and a chain can run round an odd ring, a blossom: it is shrunk to its base, from which
each of the ring can be reached both ways round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

NOBODY: Final = -1


def grow(ways: Sequence[Sequence[int]], mates: list[int]) -> None:
    """Match as many as can be; whoever has a mate keeps one, perhaps another.

    `ways`: with whom each can be matched, both ways; `mates`: who is matched with whom, changed.
    """
    for one in range(len(ways)):
        if mates[one] == NOBODY:
            end, parents = Search(ways, mates).path(one)
            while end != NOBODY:
                before = parents[end]
                end_of_rest = mates[before]
                mates[end], mates[before] = before, end
                end = end_of_rest


class Search:
    """The search for a chain from one that has no mate to another: a tree of every second step."""

    def __init__(self, ways: Sequence[Sequence[int]], mates: Sequence[int]) -> None:
        self.ways, self.mates = ways, mates
        self.parents = [NOBODY] * len(ways)
        self.bases = list(range(len(ways)))

    def path(self, root: int) -> tuple[int, list[int]]:
        """The other end, or nobody; and by whom each was reached."""
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
                elif self.parents[other] == NOBODY:
                    self.parents[other] = one
                    if self.mates[other] == NOBODY:
                        return other, self.parents
                    reached.add(self.mates[other])
                    asking.append(self.mates[other])
        return NOBODY, self.parents

    def is_inner(self, mate: int) -> bool:
        """Whether this is somebody who was reached."""
        return mate != NOBODY and self.parents[mate] != NOBODY

    def shrunk(self, one: int, other: int) -> list[int]:
        """Those in the ring that closes between two, all of which have one base from now on."""
        base = self.common_base(one, other)
        ring: set[int] = set()
        self.mark(one, base, other, ring)
        self.mark(other, base, one, ring)
        inside = [number for number, own in enumerate(self.bases) if own in ring]
        for number in inside:
            self.bases[number] = base
        return inside

    def common_base(self, one: int, other: int) -> int:
        """The first base that lies on the way back from both."""
        passed = set()
        while True:
            one = self.bases[one]
            passed.add(one)
            if self.mates[one] == NOBODY:
                break
            one = self.parents[self.mates[one]]
        while self.bases[other] not in passed:
            other = self.parents[self.mates[self.bases[other]]]
        return self.bases[other]

    def mark(self, one: int, base: int, child: int, ring: set[int]) -> None:
        """One side of a ring, back to its base."""
        while self.bases[one] != base:
            mate = self.mates[one]
            ring |= {self.bases[one], self.bases[mate]}
            self.parents[one] = child
            child, one = mate, self.parents[mate]
