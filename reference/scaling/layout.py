"""A topic's segments: hash ranges, what became of them, and the merges behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.frame.replacing import replace

HASHES: Final = 2**16
LAST: Final = HASHES - 1


class NoSuchSegment(Refusal):
    """The layout has no segment of this number (SCA-8)."""


class NotLive(Refusal):
    """The segment is sealed (SCA-8)."""


class OneHash(Refusal):
    """A segment of one hash cannot be divided (SCA-4)."""


class NotAdjacent(Refusal):
    """The two segments are not neighbours (SCA-6)."""


class StillLive(Refusal):
    """A live segment is not removed (SCA-10)."""


class SameBuckets(Refusal):
    """The segment has as many entry buckets, or can have no others (SCA-53)."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The hashes from `start` to `end`, both included; `parents` and `children` by number; into how
    many entry buckets its messages are divided; the epochs of the layout in which it was created,
    0 for those of a new topic, and sealed, 0 while it is live.
    """

    number: int
    start: int
    end: int
    sealed: bool = False
    parents: tuple[int, ...] = ()
    children: tuple[int, ...] = ()
    buckets: int = 1
    created: int = 0
    sealed_in: int = 0

    @property
    def size(self) -> int:
        """How many hashes it has."""
        return self.end - self.start + 1


@dataclass(frozen=True, slots=True)
class Layout:
    """All segments by number, the number of the next one, and how often the layout was changed."""

    segments: Mapping[int, Segment]
    next_number: int
    epoch: int = 0

    @property
    @states("SCA-1")
    def live(self) -> tuple[Segment, ...]:
        """The segments that take messages, in the order of their hashes."""
        found = (one for one in self.segments.values() if not one.sealed)
        return tuple(sorted(found, key=lambda one: one.start))


@dataclass(frozen=True, slots=True)
class Budget:
    """The entry buckets of a new topic, and how many a segment can have at most."""

    total: int = 1
    most: int = 1


NO_BUCKETS: Final = Budget()
"""As if there were no entry buckets."""


@states("SCA-49", "SCA-53")
def budget_in(budget: Budget, edition: Edition) -> Budget:
    """The budget, where segments have entry buckets."""
    return NO_BUCKETS if edition.segments_without_buckets else budget


@states("SCA-1", "SCA-2", "SCA-49", "SCA-66")
def initial(count: int, budget: Budget = NO_BUCKETS) -> Layout:
    """The layout of a new topic: ranges of equal size; what is left over goes to the last one.

    Source: Pulsar `ScalableTopicController.createInitialMetadata` 5.0.0-M1, of entry buckets 5.0.1.
    """
    each = min(max(1, budget.total // count), budget.most)
    size = HASHES // count
    ends = [(place + 1) * size - 1 for place in range(count - 1)] + [LAST]
    segments = {at: Segment(at, at * size, end, buckets=each) for at, end in enumerate(ends)}
    return Layout(segments, count)


def live_segment(layout: Layout, number: int) -> Segment:
    """The live segment of this number. Raises `NoSuchSegment`, `NotLive`."""
    if number not in layout.segments:
        raise NoSuchSegment(f"there is no segment {number}")
    if layout.segments[number].sealed:
        raise NotLive(f"segment {number} is sealed")
    return layout.segments[number]


@states("SCA-3", "SCA-4", "SCA-5", "SCA-8", "SCA-9", "SCA-50")
def split(layout: Layout, number: int) -> Layout:
    """Seal a segment; two children take its halves. Raises `OneHash` and as `live_segment` does.

    Source: Pulsar `SegmentLayout.splitSegment`, `HashRange.split` 5.0.0-M1.
    """
    parent = live_segment(layout, number)
    if parent.size < 2:
        raise OneHash(f"segment {number} has one hash")
    middle = parent.start + (parent.end - parent.start) // 2
    each = max(1, parent.buckets // 2)
    lower, upper = layout.next_number, layout.next_number + 1
    children = (
        Segment(lower, parent.start, middle, parents=(number,), buckets=each),
        Segment(upper, middle + 1, parent.end, parents=(number,), buckets=each),
    )
    return advance(layout, (parent,), children)


@states("SCA-6", "SCA-8", "SCA-9", "SCA-51")
def merge(layout: Layout, first: int, second: int, budget: Budget = NO_BUCKETS) -> Layout:
    """Seal two neighbours; one child takes both ranges. Raises `NotAdjacent` and as
    `live_segment` does.

    Source: Pulsar `SegmentLayout.mergeSegments` 5.0.0-M1.
    """
    one, two = live_segment(layout, first), live_segment(layout, second)
    if not are_adjacent(one, two):
        raise NotAdjacent(f"segments {first} and {second} are not neighbours")
    number = layout.next_number
    start, end = min(one.start, two.start), max(one.end, two.end)
    both = min(one.buckets + two.buckets, budget.most)
    child = Segment(number, start, end, parents=(first, second), buckets=both)
    return advance(layout, (one, two), (child,))


@states("SCA-9", "SCA-52", "SCA-53")
def rebucket(layout: Layout, number: int, buckets: int, edition: Edition) -> Layout:
    """Seal a segment; a successor of the same range has this many entry buckets. Raises
    `SameBuckets` and as `live_segment` does.

    Source: Pulsar `SegmentLayout.rebucketSegment` 5.0.1.
    """
    parent, after = live_segment(layout, number), layout.next_number
    if edition.segments_without_buckets or parent.buckets == buckets:
        raise SameBuckets(f"segment {number} has {parent.buckets} entry buckets")
    successor = Segment(after, parent.start, parent.end, parents=(number,), buckets=buckets)
    return advance(layout, (parent,), (successor,))


@states("SCA-7", "SCA-9", "SCA-67", "SCA-68", "SCA-69", "SCA-70")
def advance(layout: Layout, parents: Sequence[Segment], children: Sequence[Segment]) -> Layout:
    """The layout of the next epoch, in which the children, whose numbers are the next ones, were
    created, and their parents sealed.
    """
    epoch, numbers = layout.epoch + 1, tuple(one.number for one in children)
    sealed = {
        one.number: replace(one, sealed=True, children=numbers, sealed_in=epoch) for one in parents
    }
    created = {one.number: replace(one, created=epoch) for one in children}
    return Layout({**layout.segments, **sealed, **created}, max(numbers) + 1, epoch)


@states("SCA-6")
def are_adjacent(one: Segment, two: Segment) -> bool:
    """Whether one begins where the other ends."""
    return one.end + 1 == two.start or two.end + 1 == one.start


@states("SCA-71", "SCA-72")
def shown_as(segment: Segment, edition: Edition) -> Segment:
    """A segment as others see it: what stands for no epoch differs."""
    if edition.no_seal_is_minus_one and not segment.sealed:
        return replace(segment, sealed_in=-1)
    return segment


@states("SCA-10", "SCA-68", "SCA-70")
def prune(layout: Layout, number: int) -> Layout:
    """Remove a sealed segment, and its edges. Raises `NoSuchSegment`, `StillLive`.

    Source: Pulsar `SegmentLayout.pruneSegment` 5.0.0-M1.
    """
    if number not in layout.segments:
        raise NoSuchSegment(f"there is no segment {number}")
    if not layout.segments[number].sealed:
        raise StillLive(f"segment {number} is live")
    return Layout(dict(without(layout, number)), layout.next_number, layout.epoch + 1)


def without(layout: Layout, number: int) -> Iterator[tuple[int, Segment]]:
    """The other segments, without edges to this one."""
    for other, segment in layout.segments.items():
        if other != number:
            parents = tuple(one for one in segment.parents if one != number)
            children = tuple(one for one in segment.children if one != number)
            yield other, replace(segment, parents=parents, children=children)


@states("SCA-11", "SCA-12")
def merge_depth(
    layout: Layout, number: int, edition: Edition, known: dict[int, int] | None = None
) -> int:
    """How many merges are behind a segment, itself included: on its longest line of ancestors,
    or, where the edition counts so, among all of them. `known`: the former of other segments.
    """
    if edition.all_merges_counted:
        return sum(len(one.parents) > 1 for one in lineage(layout, number))
    return longest_line(layout, number, {} if known is None else known)


@states("SCA-11")
def longest_line(layout: Layout, number: int, known: dict[int, int]) -> int:
    """How many merges are on a segment's longest line of ancestors, itself included. What is known
    of ancestors is kept, for there can be very many ways to one.
    """
    if number not in known:
        parents = layout.segments[number].parents
        longest = max((longest_line(layout, parent, known) for parent in parents), default=0)
        known[number] = longest + (len(parents) > 1)
    return known[number]


@states("SCA-12")
def lineage(layout: Layout, number: int) -> tuple[Segment, ...]:
    """A segment and all its ancestors, each once."""
    found: dict[int, Segment] = {}
    waiting = [number]
    while waiting:
        next_one = waiting.pop()
        if next_one not in found:
            found[next_one] = layout.segments[next_one]
            waiting.extend(found[next_one].parents)
    return tuple(found.values())
