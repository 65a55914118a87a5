"""The pairs of brokers where equally full brokers have more orders than can be tried.

Brokers with equal scores differ only in what they shed. So no order is tried: an assignment of
emptier to fuller brokers is searched in which each pair alone could have done what is observed.
Groups of equals face each other in intervals, so the number of brokers of one group that are paired
with brokers of another follows from the sizes of the groups: any perfect matching of possible pairs
is a ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from evenkeel.properties.shedding.avg import blossom_parts as blossom
from evenkeel.properties.shedding.avg.blossom_parts import UNMATCHED
from evenkeel.properties.shedding.avg.rounds import Pair, Places
from evenkeel_engine.kit.approx import Approx

Seat: TypeAlias = str | None
"""A broker; or None, an empty place opposite its equals."""

Fine: TypeAlias = Callable[[Pair], bool]
"""Whether a pair alone could have done what is observed."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The two sides that are matched, and which groups face each other.

    `middle`: the brokers of the group that faces itself.
    """

    fuller: tuple[Seat, ...]
    emptier: tuple[Seat, ...]
    opposite: frozenset[tuple[int, int]]
    middle: tuple[str, ...]
    group: dict[str, int]


def sides_of(places: Places) -> Sides:
    """The sides of a ranking. Which brokers of the middle group face another group is open: all of
    it is on that side, and empty seats face the others of it.
    """
    ranked, numbers = places.ranked, places.group
    group = dict(zip(ranked, numbers, strict=True))
    across = list(zip(reversed(numbers), numbers, strict=True))[: (len(ranked) + 1) // 2]
    opposite = frozenset((above, below) for above, below in across if above != below)
    own = next((above for above, below in across if above == below), None)
    middle = tuple(broker for broker in ranked if group[broker] == own)
    above = [b for b in ranked if any(group[b] == one for one, _ in opposite)]
    below = [b for b in ranked if any(group[b] == one for _, one in opposite)]
    gap = len(above) - len(below)
    return Sides((*above, *[None] * -gap), (*below, *[None] * gap), opposite, middle, group)


class Matching:
    """The matchings of one round."""

    def __init__(self, places: Places) -> None:
        self.places, self.sides = places, sides_of(places)
        self._pairs: dict[tuple[str, str], Pair] = {}

    def pair(self, fuller: str, emptier: str) -> Pair:
        ends = fuller, emptier
        if ends not in self._pairs:
            scores, near = self.places.scores, self.places.near
            self._pairs[ends] = Pair(*ends, Approx(scores[fuller] - scores[emptier], near))
        return self._pairs[ends]

    def possible(self) -> Iterator[Pair]:
        """Every pair of different groups that some ranking has."""
        for fuller in self.sides.fuller:
            for emptier in self.sides.emptier:
                if fuller and emptier and self.allows(fuller, emptier):
                    yield self.pair(fuller, emptier)

    def among_equals(self) -> Iterator[Pair]:
        """Every pair within the group that faces itself."""
        for fuller in self.sides.middle:
            for emptier in self.sides.middle:
                if fuller != emptier:
                    yield self.pair(fuller, emptier)

    def is_only_one(self, pair: Pair) -> bool:
        """Whether every ranking has this pair."""
        group = self.sides.group
        ends = {group[pair.fuller], group[pair.emptier]}
        return len(ends) == 2 and all(self.places.group.count(one) == 1 for one in ends)

    def allows(self, fuller: Seat, emptier: Seat) -> bool:
        """Whether some ranking has these two facing each other."""
        group, middle = self.sides.group, self.sides.middle
        if fuller is None or emptier is None:
            return (fuller or emptier) in middle
        return (group[fuller], group[emptier]) in self.sides.opposite

    def found(
        self, fine: Fine, at_ease: Callable[[str], bool], partners: Mapping[str, str | None]
    ) -> list[Pair]:
        """The pairs of different groups of a ranking in which all pairs satisfy `fine`, if one
        exists; else of one with many such pairs, the others following `partners` if possible.

        `at_ease`: whether a broker of the middle group could have done what is observed facing
        another one of it.
        """
        sides = self.sides

        def right(fuller: Seat, emptier: Seat) -> bool:
            if fuller is None or emptier is None:
                return at_ease(fuller or emptier or "")
            return fine(self.pair(fuller, emptier))

        allowed = [
            [n for n, emptier in enumerate(sides.emptier) if self.allows(fuller, emptier)]
            for fuller in sides.fuller
        ]
        good = [
            [n for n in ways if right(fuller, sides.emptier[n])]
            for fuller, ways in zip(sides.fuller, allowed, strict=True)
        ]
        named = [
            [n for n in ways if fuller and partners.get(fuller, "") == sides.emptier[n]]
            for fuller, ways in zip(sides.fuller, allowed, strict=True)
        ]
        seats: dict[int, int] = {}
        grow(good, seats)
        grow([[*one, *other] for one, other in zip(good, named, strict=True)], seats)
        grow(allowed, seats)
        return [
            self.pair(fuller, emptier)
            for place, number in sorted(seats.items(), key=lambda item: (-item[1], item[0]))
            if (fuller := sides.fuller[number]) and (emptier := sides.emptier[place])
        ]


class Ring:
    """The matchings of one round in which equals are paired with each other, too, and the middle
    broker of an odd number with itself: pairs no longer have two sides.
    """

    def __init__(self, matching: Matching) -> None:
        self.matching, places = matching, matching.places
        self.ranked = places.ranked
        self.middle = frozenset(matching.sides.middle)
        self.alone = len(self.ranked) % 2 == 1

    def possible(self) -> Iterator[Pair]:
        """Every pair that some ranking has."""
        yield from self.matching.possible()
        yield from self.matching.among_equals()
        if self.alone:
            yield from (self.matching.pair(broker, broker) for broker in self.matching.sides.middle)

    def found(self, fine: Fine, partners: Mapping[str, str | None]) -> list[Pair]:
        """The pairs of a ranking in which all satisfy `fine`, if one exists; else of one with many
        such pairs, the others following `partners` if possible.
        """
        numbers = {broker: number for number, broker in enumerate(self.ranked)}
        size = len(numbers) + self.alone  # a broker in the middle faces none
        edges: dict[tuple[int, int], list[Pair]] = {}
        for pair in self.possible():
            fuller, emptier = numbers[pair.fuller], numbers[pair.emptier]
            if fuller == emptier:
                emptier = size - 1
            ends = min(fuller, emptier), max(fuller, emptier)
            edges.setdefault(ends, []).append(pair)
        good = {ends: [pair for pair in ways if fine(pair)] for ends, ways in edges.items()}
        named = {
            ends: [pair for pair in ways if partners.get(pair.fuller, "") == pair.emptier]
            for ends, ways in edges.items()
        }
        mates = [UNMATCHED] * size
        for rounds in ((good,), (good, named), (edges,)):
            blossom.grow(neighbours(size, rounds), mates)
        matched = [(one, other) for one, other in enumerate(mates) if one < other]
        return [[*good[ends], *named[ends], *edges[ends]][0] for ends in matched]


def neighbours(
    size: int, edges: Sequence[Mapping[tuple[int, int], Sequence[Pair]]]
) -> list[list[int]]:
    """The possible partners of each."""
    ways: list[list[int]] = [[] for _ in range(size)]
    for some in edges:
        for (one, other), pairs in some.items():
            if pairs:
                ways[one].append(other)
                ways[other].append(one)
    return ways


def grow(ways: Sequence[Sequence[int]], seats: dict[int, int]) -> None:
    """Extend a matching (the occupant of each seat) to maximum size. Occupants stay seated."""
    seated = set(seats.values())
    for number in range(len(ways)):
        if number not in seated:
            seat_one(number, ways, seats)


def seat_one(number: int, ways: Sequence[Sequence[int]], seats: dict[int, int]) -> None:
    """Seat one more, by the shortest chain of changes."""
    asker: dict[int, int] = {}
    asking = [number]
    for one in asking:
        for seat in ways[one]:
            if seat in asker:
                continue
            asker[seat] = one
            if seat not in seats:
                give(seat, asker, seats)
                return
            asking.append(seats[seat])


def give(seat: int, asker: dict[int, int], seats: dict[int, int]) -> None:
    """Move each on the path to a free seat to the seat requested."""
    before = {who: place for place, who in seats.items()}
    while True:
        who = asker[seat]
        seats[seat] = who
        if who not in before:
            return
        seat = before[who]
