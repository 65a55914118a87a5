"""Hashes and divisions, for the generators: ordinary ones, and many at the edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evenkeel.properties.bundles.division import equal_cuts
from evenkeel.properties.draw import Draw
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange

NAMESPACES: Final = ("public/default", "pulsar/ns1", "pulsar/ns", "t/n", "tenant-1/a.b=c:d_e")
EDGES: Final = (0, TOP_HASH, 1, TOP_HASH - 1, 2, TOP_HASH - 2, 0x7FFFFFFF, 0x80000000, 0x40000000)

_ASCII: Final = ("", "ffffffff", "010", "08", "#ff", "-1", "+1", "0X1F", "0x", "x", " 1", "1L")
INTEGERS: Final = (*_ASCII, "0x\u0661", "\uff11")


def draw_hash(draw: Draw, near: Sequence[int] = ()) -> int:
    """Any hash; often an edge of the hash space, often one of `near` or close to it."""
    sort = draw.integer(0, 3)
    if sort == 0:
        return draw.pick(EDGES)
    if sort == 1 and near:
        return min(max(draw.pick(near) + draw.pick((0, -1, 1, -2, 2)), 0), TOP_HASH)
    return draw.integer(0, TOP_HASH)


def draw_many_boundaries(draw: Draw) -> tuple[int, ...]:
    """Legal boundaries of 11 to 100 bundles."""
    if draw.chance(0.5):
        return equal_cuts(draw.integer(11, 100))
    cuts = {draw.integer(1, TOP_HASH - 1) for _ in draw.items(99, 0.93, least=15)}
    return (0, *sorted(cuts), TOP_HASH)


def draw_boundaries(draw: Draw, most: int = 7) -> tuple[int, ...]:
    """Legal boundaries of up to `most` + 1 bundles: equal ones, or cuts anywhere, often close."""
    if draw.chance(0.3):
        return equal_cuts(draw.integer(1, most + 1))
    boundaries = {0, TOP_HASH}
    for _ in draw.items(most):
        boundaries.add(draw_hash(draw, sorted(boundaries)))
    return tuple(sorted(boundaries))


def pick_bundle(draw: Draw, boundaries: Sequence[int]) -> HashRange:
    """One of the bundles between legal boundaries."""
    index = draw.integer(0, len(boundaries) - 2)
    return HashRange(boundaries[index], boundaries[index + 1])
