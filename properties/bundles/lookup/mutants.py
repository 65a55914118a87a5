from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from evenkeel.properties.mutant_maker import Function, defect
from evenkeel.reference.bundles import boundaries, lookup
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.bundles.topics import TopicName
from evenkeel.reference.edition import Edition


def boundary_below(original: Function) -> Function:
    def index(points: Sequence[int], hash_: int, edition: Edition) -> int:
        return max(bisect_left(points, hash_) - 1, 0)

    return index


def no_namespace_check(original: Function) -> Function:
    def find(
        namespace: str, points: Sequence[int], topic: TopicName, edition: Edition
    ) -> HashRange:
        found: HashRange = original(topic.namespace, points, topic, edition)
        return found

    return find


def lower_end_only(original: Function) -> Function:
    def found(points: Sequence[int], range_: HashRange, edition: Edition) -> HashRange:
        for bundle in boundaries.bundles_of(points):
            if bundle.lower == range_.lower:
                return bundle
        raise lookup.NoSuchBundle("no bundle starts there")

    return found


MUTANTS: Final = (
    defect(
        "lookup-below",
        lookup,
        "bundle_index",
        boundary_below,
        "A topic whose hash is a boundary is served by the bundle below.",
    ),
    defect(
        "any-namespace",
        lookup,
        "bundle_of_topic",
        no_namespace_check,
        "A topic is served by a bundle of somebody else's namespace.",
    ),
    defect(
        "lower-end-decides",
        lookup,
        "member",
        lower_end_only,
        "A range that was split away is still taken for a bundle.",
        "SP6",
    ),
)
