"""Hash ranges in the form of observations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel_engine.kit.observations import Span


def span(range_: HashRange) -> Span:
    """A range of the reference in the form of observations."""
    return Span(range_.lower, range_.upper, range_.upper_included)


def spans(ranges_: Iterable[HashRange]) -> tuple[Span, ...]:
    """Ranges of the reference in the form of observations."""
    return tuple(span(range_) for range_ in ranges_)


def spans_between(points: Sequence[int]) -> tuple[Span, ...]:
    """The bundles between any list of boundaries."""
    return tuple(Span(lower, upper, upper == TOP_HASH) for lower, upper in pairwise(points))


def has_room(bundle: HashRange) -> bool:
    """SPL-1: whether a hash lies strictly inside."""
    return bundle.upper - bundle.lower > 1


def inside(bundle: HashRange, positions: Iterable[int]) -> list[int]:
    """The positions strictly inside a bundle, in ascending order, each once."""
    return sorted({p for p in positions if bundle.lower < p < bundle.upper})


def ascend(positions: Sequence[int]) -> bool:
    """Whether each position lies above the one before, or is the same."""
    return all(left <= right for left, right in pairwise(positions))


def all_legal(bundle: HashRange, positions: Sequence[int]) -> bool:
    """Whether every position lies strictly inside the bundle, and none is given twice."""
    return len(inside(bundle, positions)) == len(positions)


def is_bundle(boundaries: Sequence[int], range_: HashRange) -> bool:
    """BUN-20: whether the range lies between two neighbouring boundaries."""
    return (range_.lower, range_.upper) in pairwise(boundaries)
