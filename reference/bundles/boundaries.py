"""The boundaries that divide a namespace's hash space into bundles (BUN-10 to BUN-14, BUN-20)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from evenkeel.reference.bundles import ranges
from evenkeel.reference.bundles.ranges import HASH_COUNT, TOP_HASH, HashRange
from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Refusal


class BadBoundaries(Refusal):
    """A list of boundaries that does not divide the hash space (BUN-10)."""


class BadBundleCount(Refusal):
    """A namespace cannot have zero or fewer bundles (BUN-12)."""


@states("BUN-10", "BUN-11", "BUN-22")
def check_boundaries(boundaries: Sequence[int], edition: Edition) -> None:
    """Boundaries strictly increase from 0 to 0xffffffff.

    Where the first boundary is unchecked, the list may also consist of the last hash alone,
    given twice. Raises `BadBoundaries`. Source: Pulsar `NamespaceBundles` constructor 4.0.8.
    """
    if len(boundaries) < 2:
        raise BadBoundaries("at least two boundaries are needed")
    if edition.first_boundary_unchecked:
        if tuple(boundaries) == (TOP_HASH, TOP_HASH):
            return
    elif boundaries[0] != 0:
        raise BadBoundaries("the first boundary is not 0")
    if boundaries[-1] != TOP_HASH:
        raise BadBoundaries("the last boundary is not 0xffffffff")
    if any(left >= right for left, right in pairwise(boundaries)):
        raise BadBoundaries("the boundaries do not strictly increase")


@states("BUN-10")
def bundles_of(boundaries: Sequence[int]) -> tuple[HashRange, ...]:
    """The bundles between legal boundaries, in ascending order."""
    return tuple(HashRange(a, b) for a, b in pairwise(boundaries))


@states("BUN-10")
def bundle_at(boundaries: Sequence[int], index: int) -> HashRange:
    """Bundle number `index` between legal boundaries, counted from 0."""
    return HashRange(boundaries[index], boundaries[index + 1])


@states("BUN-20")
def is_bundle(boundaries: Sequence[int], range_: HashRange) -> bool:
    """Whether the ends of a range are neighbouring boundaries."""
    last = len(boundaries) - 1
    index = bisect_left(boundaries, range_.lower, 0, last)
    ends = (range_.lower, range_.upper)
    return index < last and (boundaries[index], boundaries[index + 1]) == ends


@states("BUN-12", "BUN-23")
def initial_boundaries(count: int) -> tuple[int, ...]:
    """2^32 hashes in `count` bundles of equal size; the last one takes the remainder.

    Raises `BadBundleCount`. Source: Pulsar `PoliciesUtil.getBundles` 4.0.8.
    """
    if count <= 0:
        raise BadBundleCount(f"{count} bundles were asked for")
    size = HASH_COUNT // count
    return (*range(0, size * count, size), TOP_HASH)


@states("BUN-12", "BUN-13", "BUN-14")
def creation_boundaries(
    count: int, texts: Sequence[str] | None, default_count: int, edition: Edition
) -> tuple[int, ...]:
    """The boundaries of a new namespace.

    Explicit boundary texts win over `count`, `count` over the broker's default; a count of 0 or
    less counts as not given. Raises `BadBoundaries`, `BadRangeText`.
    Source: Pulsar `NamespacesBase.validatePoliciesAsync`, `validateBundlesData` 4.0.8.
    """
    if count <= 0 and (edition.boundaries_need_count or not texts):
        return initial_boundaries(default_count)
    if texts:
        return explicit_boundaries(texts, edition)
    return initial_boundaries(count)


@states("BUN-13", "BUN-14")
def explicit_boundaries(texts: Sequence[str], edition: Edition) -> tuple[int, ...]:
    """The boundaries that an operator lists, in any order, repetitions dropped."""
    values = {ranges.parse_integer(text) for text in texts}
    if edition.boundary_texts_sorted_as_text:
        boundaries = tuple(sorted(values, key=lambda value: f"0x{value % 2**64:08x}"))
        if (boundaries[0], boundaries[-1]) != (0, TOP_HASH):
            raise BadBoundaries("the boundaries do not cover the whole hash range")
        return boundaries
    boundaries = tuple(sorted(values))
    check_boundaries(boundaries, edition)
    return boundaries
