"""scaling.layout: a topic's segments, and what splits, merges and removals make of them.

Followed: chapter scaling, by its quotations of PIP-460, "Range Segments and the Segment Directed
Acyclic Graph (DAG)"; PIP-468, "SegmentLayout", "SegmentInfo"; PIP-483; PIP-486, "The per-topic
entry-bucket budget".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.wire import Json, Refusal, Skip, refuse

HASHES = 1 << 16


@dataclass
class Segment:
    """A range of hashes, both ends included; the epochs in which it was created and sealed."""

    number: int
    start: int
    end: int
    buckets: int
    created: int = 0
    sealed_in: int = 0
    sealed: bool = False
    parents: list[int] = field(default_factory=list)
    children: list[int] = field(default_factory=list)


class Topic:
    """The segments of one topic by number."""

    def __init__(self, interpretations: Interpretations, trial: Json) -> None:
        self.interpretations = interpretations
        self.segments: dict[int, Segment] = {}
        self.made = 0
        self.epoch = 0
        self.most = int(trial["max_buckets"])
        count = int(trial["count"])
        buckets = min(max(1, int(trial["budget"]) // count), self.most)
        for start, end in self.shares(count):
            self.make(start, end, buckets, [])

    def shares(self, count: int) -> Iterator[tuple[int, int]]:
        """The first ranges; who has the hashes that are left over is open."""
        if self.interpretations.spreads_left_over_hashes:
            ends = [HASHES * index // count for index in range(count + 1)]
        else:
            ends = [HASHES // count * index for index in range(count)] + [HASHES]
        for index in range(count):
            yield ends[index], ends[index + 1] - 1

    def make(self, start: int, end: int, buckets: int, parents: list[Segment]) -> Segment:
        """A new segment of this epoch in place of its parents, which are sealed."""
        made = Segment(self.made, start, end, buckets, self.epoch)
        self.made += 1
        self.segments[made.number] = made
        for parent in parents:
            parent.sealed, parent.sealed_in = True, self.epoch
            parent.children.append(made.number)
            made.parents.append(parent.number)
        return made

    def depths(self) -> dict[int, int]:
        """By segment the most merges on a line of known ancestors. Parents are made first."""
        found: dict[int, int] = {}
        for number, segment in self.segments.items():
            behind = max((found[parent] for parent in segment.parents), default=0)
            found[number] = behind + (len(segment.parents) == 2)
        return found

    def live(self, number: int) -> Segment:
        """A live segment. Raises Refusal."""
        segment = self.segments.get(number)
        if segment is None or segment.sealed:
            raise Refusal("NotLive", str(number))
        return segment

    def split(self, number: int) -> None:
        """Two halves; of an odd number of hashes either may have one more."""
        parent = self.live(number)
        size = parent.end - parent.start + 1
        if size < 2:
            raise Refusal("OneHash", str(number))
        larger_first = not self.interpretations.second_half_is_larger
        self.epoch += 1
        middle = parent.start + (size + larger_first) // 2
        buckets = max(1, parent.buckets // 2)
        self.make(parent.start, middle - 1, buckets, [parent])
        self.make(middle, parent.end, buckets, [parent])

    def merge(self, first: int, second: int) -> None:
        """One segment of two neighbours; how many buckets it has, PIP-486 does not say."""
        one, other = self.live(first), self.live(second)
        if one.end + 1 != other.start and other.end + 1 != one.start:
            raise Refusal("NoNeighbours")
        self.epoch += 1
        both = [one.buckets, other.buckets]
        buckets = max(both) if self.interpretations.merge_keeps_more_buckets else sum(both)
        parents = [one, other]
        if self.interpretations.lower_parent_first:
            parents.sort(key=lambda parent: parent.start)
        ends = min(one.start, other.start), max(one.end, other.end)
        self.make(*ends, min(buckets, self.most), parents)

    def prune(self, number: int) -> None:
        """A sealed segment is forgotten."""
        segment = self.segments.get(number)
        if segment is None or not segment.sealed:
            raise Refusal("NotSealed", str(number))
        self.epoch += 1
        del self.segments[number]
        for other in self.segments.values():
            other.parents = [parent for parent in other.parents if parent != number]
            other.children = [child for child in other.children if child != number]

    def rebucket(self, number: int, buckets: int) -> None:
        """The same range with other buckets; as many are no change."""
        parent = self.live(number)
        if buckets < 1 or buckets > self.most:
            raise Refusal("TooManyBuckets", str(buckets))
        if buckets == parent.buckets:
            raise Refusal("AsManyBuckets", str(buckets))
        self.epoch += 1
        self.make(parent.start, parent.end, buckets, [parent])

    def do(self, command: Json) -> None:
        """One command that is about segments. Raises Refusal."""
        if command["do"] == "split":
            self.split(command["segment"])
        elif command["do"] == "merge":
            self.merge(command["first"], command["second"])
        elif command["do"] == "prune":
            self.prune(command["segment"])
        elif command["do"] == "rebucket":
            self.rebucket(command["segment"], command["buckets"])

    def must_do(self, command: Json) -> None:
        """One that can be carried out; where halves are other ones, perhaps not. Raises Skip."""
        try:
            self.do(command)
        except Refusal as refusal:
            raise Skip(f"its segments have other hashes: {refusal}") from refusal


def describe_segment(segment: Segment) -> Json:
    """A segment as it is now, in the form of answers."""
    names = ("number", "start", "end", "sealed", "buckets", "created", "sealed_in")
    edges = {"parents": list(segment.parents), "children": list(segment.children)}
    return {**{name: getattr(segment, name) for name in names}, **edges}


def show_layout(topic: Topic) -> Json:
    """The layout in the form of answers."""
    return {
        "do": "layout",
        "segments": [describe_segment(segment) for segment in topic.segments.values()],
        "depths": [*topic.depths().values()],
        "epoch": topic.epoch,
    }


def layout(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to scaling.layout."""
    topic = Topic(interpretations, trial)
    results = []
    for command in trial["commands"]:
        try:
            topic.do(command)
        except Refusal as refusal:
            results.append(refuse(refusal.reason))
        else:
            results.append(show_layout(topic))
    return {"results": results}
