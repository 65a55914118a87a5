"""Histories of a topic's segments: commands, and what a judge knows of a layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.trial import LONG, Tagged, Within, require

HASHES: Final = 2**16
Number = Annotated[int, Within(0, LONG - 1)]
MOST_BUCKETS: Final = 65536
Bucketed = Annotated[int, Within(1, MOST_BUCKETS)]


@dataclass(frozen=True, slots=True)
class Split(Tagged):
    """The segment is split."""

    segment: Number


@dataclass(frozen=True, slots=True)
class Merge(Tagged):
    """The two segments are merged."""

    first: Number
    second: Number


@dataclass(frozen=True, slots=True)
class Prune(Tagged):
    """The segment, all of whose messages were read, is removed."""

    segment: Number


@dataclass(frozen=True, slots=True)
class Rebucket(Tagged):
    """The segment is replaced by one of the same range with this many entry buckets."""

    segment: Number
    buckets: Bucketed


Command = Split | Merge | Prune
Change = Command | Rebucket


@dataclass(slots=True)
class Known:
    """A segment: its hashes, both ends included, its neighbours in the graph, its buckets."""

    start: int
    end: int
    sealed: bool = False
    parents: list[int] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    buckets: int = 1


@dataclass(slots=True)
class History:
    """A layout, changed step by step. Segments are numbered in the order in which they came, or as
    a balancer numbers them; it began with `first` of them. They have at most `most` entry buckets;
    0: there are none. `rooms` says where a segment may have more than are known of it, the larger
    half of an odd number (SCA-50), if each merge adds, or gives a share of `budget` (SCA-55).

    `_live` and `_depths` are what was computed since the last change.
    """

    segments: dict[int, Known]
    made: int
    first: int
    most: int = 0
    budget: int = 1
    rooms: dict[int, tuple[int, int]] = field(default_factory=dict)
    _live: list[int] = field(default_factory=list)
    _depths: dict[bool, dict[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, count: int, budget: int = 1, most: int = 0) -> History:
        """A new topic's: equal ranges, the last one up to the last hash; equal buckets."""
        width = HASHES // count
        starts = [width * place for place in range(count)]
        ends = [start - 1 for start in starts[1:]] + [HASHES - 1]
        both = zip(starts, ends, strict=True)
        segments = {number: Known(*ends) for number, ends in enumerate(both)}
        for one in segments.values():
            one.buckets = max(1, min(budget // count, most))
        return cls(segments, count, count, most, budget)

    def live(self) -> list[int]:
        """The numbers of those that are not sealed, by hash."""
        if not self._live:
            found = [number for number, one in self.segments.items() if not one.sealed]
            self._live = sorted(found, key=lambda number: self.segments[number].start)
        return self._live

    def why_not(self, command: Change) -> str:
        """Why the command is to be refused; empty if it is not."""
        if isinstance(command, Prune):
            one = self.segments.get(command.segment)
            sealed = one is not None and one.sealed
            return "" if sealed else f"segment {command.segment} is not sealed"
        if isinstance(command, Merge):
            numbers = [command.first, command.second]
        else:
            numbers = [command.segment]
        for number in numbers:
            if number not in self.segments or self.segments[number].sealed:
                return f"segment {number} is not live"
        if isinstance(command, Rebucket):
            same = not self.most or self.segments[command.segment].buckets == command.buckets
            return f"{numbers[0]} can have no others, or has as many" if same else ""
        ends = sorted(
            (self.segments[number].start, self.segments[number].end) for number in numbers
        )
        if len(ends) == 1:
            return "" if ends[0][0] < ends[0][1] else f"{numbers[0]} has one hash"
        return "" if ends[0][1] + 1 == ends[1][0] else f"segments {numbers} are not neighbours"

    def apply(self, command: Change) -> None:
        """Carry out a command that is not to be refused."""
        self._live, self._depths = [], {}
        if isinstance(command, Prune):
            del self.segments[command.segment]
            for one in self.segments.values():
                one.parents = [number for number in one.parents if number != command.segment]
                one.children = [number for number in one.children if number != command.segment]
        elif isinstance(command, Split):
            one = self.segments[command.segment]
            half, each = (one.end - one.start + 2) // 2, max(1, one.buckets // 2)
            added, shared = ((room + 1) // 2 for room in self.room(command.segment))
            self.rooms[self.made] = self.rooms[self.made + 1] = (added, shared)
            self.add([command.segment], one.start, one.start + half - 1, each)
            self.add([command.segment], one.start + half, one.end, each)
        elif isinstance(command, Rebucket):
            one = self.segments[command.segment]
            self.add([command.segment], one.start, one.end, command.buckets)
        else:
            first, second = self.segments[command.first], self.segments[command.second]
            low, high = sorted((first, second), key=lambda one: one.start)
            both = max(1, min(low.buckets + high.buckets, self.most))
            rooms = self.room(command.first)[0] + self.room(command.second)[0]
            share = self.budget // (sum(not one.sealed for one in self.segments.values()) - 1)
            self.rooms[self.made] = max(1, min(rooms, self.most)), max(1, min(share, self.most))
            self.add([command.first, command.second], low.start, high.end, both)

    def room(self, number: int) -> tuple[int, int]:
        """The most buckets that a segment may have: by sums after merges, and by shares."""
        buckets = self.segments[number].buckets
        return self.rooms.get(number, (buckets, buckets))

    def add(self, parents: list[int], start: int, end: int, buckets: int) -> None:
        """One more segment; its parents are sealed."""
        self.segments[self.made] = Known(start, end, parents=parents, buckets=buckets)
        for parent in parents:
            self.segments[parent].sealed = True
            self.segments[parent].children.append(self.made)
        self.made += 1

    def rename(self, numbers: Mapping[int, int]) -> None:
        """Give new segments, which have no children yet, other numbers."""
        self._live, self._depths = [], {}
        new = {other: self.segments.pop(number) for number, other in numbers.items()}
        self.segments.update(new)
        for one in self.segments.values():
            one.children = [numbers.get(child, child) for child in one.children]
        self.made = max(self.segments) + 1

    def depths(self, every: bool) -> dict[int, int]:
        """The merges behind each segment: on the longest line, or all of them (`every`)."""
        if every not in self._depths:
            self._depths[every] = self.all_merges() if every else self.longest_lines()
        return self._depths[every]

    def longest_lines(self) -> dict[int, int]:
        """The most merges on a line of ancestors. Parents have lower numbers than children."""
        found: dict[int, int] = {}
        for number in sorted(self.segments):
            parents = self.segments[number].parents
            found[number] = max([found[one] for one in parents], default=0) + (len(parents) == 2)
        return found

    def all_merges(self) -> dict[int, int]:
        """The merges among all ancestors, itself included."""
        found: dict[int, frozenset[int]] = {}
        for number in sorted(self.segments):
            parents = self.segments[number].parents
            own = frozenset((number,)) if len(parents) == 2 else frozenset[int]()
            found[number] = own.union(*(found[one] for one in parents))
        return {number: len(merges) for number, merges in found.items()}


def history_of(place: str, count: int, commands: Iterable[Command]) -> History:
    """The layout after these commands. Raises `BadTrial` where one would be refused."""
    history = History.of(count)
    for at, command in enumerate(commands):
        why = history.why_not(command)
        require(not why, f"{place}[{at}]", why)
        history.apply(command)
    return history


def require_count(place: str, count: int, most: int = HASHES) -> None:
    """A number of segments that a topic can begin with."""
    require(1 <= count <= most, place, f"must be 1 to {most}")


def require_buckets(place: str, counts: Iterable[int]) -> None:
    """Numbers of entry buckets that a segment can have."""
    for count in counts:
        require(1 <= count <= MOST_BUCKETS, place, f"must be 1 to {MOST_BUCKETS}")


def draw_count(draw: Draw) -> int:
    """How many segments a topic begins with."""
    return draw.integer(5, 12) if draw.chance(0.1) else draw.pick((1, 2, 4, 3))


def draw_change(draw: Draw, history: History) -> Command:
    """A change that is possible, if one of this sort is; else perhaps one that is refused."""
    sort, live = draw.integer(0, 9), history.live()
    place = draw.integer(0, len(live) - 1)
    if sort >= 4 and len(live) > 1:
        place = min(place, len(live) - 2)
        pair = live[place : place + 2]
        return Merge(*pair) if draw.chance(0.5) else Merge(*reversed(pair))
    sealed = [number for number, one in history.segments.items() if one.sealed]
    if sort == 3 and sealed:
        return Prune(draw.pick(sealed))
    return Split(live[place])


def draw_history(draw: Draw, count: int, most: int) -> tuple[Command, ...]:
    """Changes that are carried out in order; seldom down to a single hash."""
    history, commands = History.of(count), list[Command]()
    deep = 16 if draw.chance(0.04) else 0
    while len(commands) < deep and not history.why_not(lowest := Split(history.live()[0])):
        history.apply(lowest)
        commands.append(lowest)
    for _ in draw.items(most, 0.7):
        command = draw_change(draw, history)
        if not history.why_not(command):
            history.apply(command)
            commands.append(command)
    return tuple(commands)
