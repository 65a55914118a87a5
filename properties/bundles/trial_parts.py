"""Divisions of the hash space in trials and answers, independent of the reference."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from functools import cache, reduce
from itertools import pairwise
from operator import xor
from typing import Final

from evenkeel.reference.bundles.ranges import HASH_COUNT, TOP_HASH, HashRange
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.observations import Span
from evenkeel_engine.kit.trial import require


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
    """Legal boundaries of 11 to 100 bundles, or of more digits than those."""
    if draw.chance(0.5):
        few = draw.chance(0.6)
        return equal_cuts(draw.integer(11, 100) if few else draw.pick((128, 257, 1_000)))
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


LETTERS: Final = 12
FLIPS: Final = (0x02, 0x04, 0x08)
VARIANTS: Final = 16


def topic_with_hash(hash_: int, namespace: str = "public/default", variant: int = 0) -> str:
    """The complete name of a persistent topic of `namespace` whose hash is `hash_`.

    The 16 variants of one hash are different names.
    """
    base, (lowest, low, high, highest), variants = _tables(namespace)
    change = hash_ ^ base
    flips = (
        lowest[change & 0xFF]
        ^ low[change >> 8 & 0xFF]
        ^ high[change >> 16 & 0xFF]
        ^ highest[change >> 24]
        ^ variants[variant]
    )
    letters = _letters()
    first, second, third = (
        letters[flips & 0xFFF],
        letters[flips >> 12 & 0xFFF],
        letters[flips >> 24],
    )
    return f"persistent://{namespace}/{first}{second}{third}"


@cache
def _tables(namespace: str) -> tuple[int, list[list[int]], list[int]]:
    """The hash of the name of all `a`; for each byte of a requested change of the hash, the flips
    that cause it; and for each variant, the flips that keep the hash.
    """
    base, pivots, idle = _system(namespace)

    def solve(change: int) -> int:
        flips = 0
        for bit, (effect, mask) in pivots:
            if change >> bit & 1:
                change ^= effect
                flips ^= mask
        return flips

    changes = [[solve(byte << 8 * place) for byte in range(256)] for place in range(4)]
    variants = [
        reduce(xor, (mask for index, (_, mask) in enumerate(idle) if variant >> index & 1), 0)
        for variant in range(VARIANTS)
    ]
    return base, changes, variants


@cache
def _letters() -> list[str]:
    """The four letters for each set of twelve flips."""
    return ["".join(_letter(flips >> 3 * place & 7) for place in range(4)) for flips in range(4096)]


def _letter(flips: int) -> str:
    """The letter `a` with some of three bits flipped."""
    bits = sum(flip for number, flip in enumerate(FLIPS) if flips >> number & 1)
    return chr(ord("a") ^ bits)


Flip = tuple[int, int]
"""The effect of a set of flips on the hash, and the flips, as bit masks."""


@cache
def _system(namespace: str) -> tuple[int, tuple[tuple[int, Flip], ...], tuple[Flip, ...]]:
    """The hash of the name of all `a`, one flip set per bit of the hash, and the idle flips.

    Gaussian elimination; idle are sets of flips that change the name but not the hash, up to what
    the pivots can undo.
    """
    prefix = f"persistent://{namespace}/".encode()
    plain = zlib.crc32(prefix + b"a" * LETTERS)
    pivots: dict[int, Flip] = {}
    idle: list[Flip] = []
    for position in range(LETTERS * len(FLIPS)):
        letters = bytearray(b"a" * LETTERS)
        letters[position // len(FLIPS)] ^= FLIPS[position % len(FLIPS)]
        effect, mask = zlib.crc32(prefix + bytes(letters)) ^ plain, 1 << position
        for bit in sorted(pivots, reverse=True):
            if effect >> bit & 1:
                effect, mask = effect ^ pivots[bit][0], mask ^ pivots[bit][1]
        if effect:
            pivots[effect.bit_length() - 1] = (effect, mask)
        else:
            idle.append((0, mask))
    return plain, tuple(sorted(pivots.items(), reverse=True)), tuple(idle)
