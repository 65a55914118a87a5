"""Divisions of the hash space in trials and answers: stated here, apart from the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from evenkeel.properties.observations import Span
from evenkeel.properties.trial import require
from evenkeel.reference.bundles.ranges import HASH_COUNT, TOP_HASH


def require_boundaries(boundaries: Sequence[int]) -> None:
    """A namespace's boundaries in a trial must be legal (clause BUN-10)."""
    place = "boundaries"
    require(len(boundaries) > 1, place, "at least two boundaries are needed")
    require(boundaries[0] == 0, place, "the first boundary is not 0")
    require(boundaries[-1] == TOP_HASH, place, "the last boundary is not 0xffffffff")
    require(is_division(boundaries), place, "the boundaries do not strictly increase")


def is_division(boundaries: Sequence[int]) -> bool:
    """Whether every hash has one bundle: sorting and dropping repetitions changes nothing."""
    ends = {*boundaries[:1], *boundaries[-1:]}
    return ends == {0, TOP_HASH} and list(boundaries) == sorted({*boundaries, 0, TOP_HASH})


def equal_cuts(count: int) -> tuple[int, ...]:
    """The division into `count` bundles of equal size, the rest in the last one (BUN-12)."""
    size = HASH_COUNT // count
    return (*range(0, count * size, size), TOP_HASH)


def spans(points: Sequence[int]) -> tuple[Span, ...]:
    """The bundles between any list of boundaries, legal or not."""
    return tuple(Span(a, b, b == TOP_HASH) for a, b in pairwise(points))


def hash_labels(hash_: int, points: Sequence[int]) -> Iterator[str]:
    """Where a hash lies among boundaries."""
    if hash_ == TOP_HASH:
        yield "last hash"
    elif hash_ in points:
        yield "on a boundary"
    elif hash_ + 1 in points:
        yield "just below a boundary"
    if len(points) == 2:
        yield "one bundle"
