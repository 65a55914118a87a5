"""Topic names with a wanted hash, constructed rather than searched for.

CRC-32 is affine over GF(2): flipping a bit of a name of fixed length always flips the same bits
of its hash. Twelve letters of which three bits each may be flipped give 36 such flips; they span
all 32 bits of the hash, and the four left over give 16 names for every hash.
"""

from __future__ import annotations

import zlib
from functools import cache, reduce
from operator import xor
from typing import Final

LETTERS: Final = 12
FLIPS: Final = (0x02, 0x04, 0x08)
VARIANTS: Final = 16


def topic_with_hash(hash_: int, namespace: str = "public/default", variant: int = 0) -> str:
    """The complete name of a persistent topic of `namespace` whose hash is `hash_`.

    The 16 variants of one hash are different names.
    """
    base, (lowest, low, high, highest), variants = _tables(namespace)
    wanted = hash_ ^ base
    flips = (
        lowest[wanted & 0xFF]
        ^ low[wanted >> 8 & 0xFF]
        ^ high[wanted >> 16 & 0xFF]
        ^ highest[wanted >> 24]
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
    """The hash of the name of all `a`; for each byte of a wanted change of the hash, the flips
    that bring it about; and for each variant, the flips that leave the hash alone.
    """
    base, pivots, idle = _system(namespace)

    def solve(wanted: int) -> int:
        flips = 0
        for bit, (effect, mask) in pivots:
            if wanted >> bit & 1:
                wanted ^= effect
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
    """The four letters that each set of twelve flips makes."""
    return ["".join(_letter(flips >> 3 * place & 7) for place in range(4)) for flips in range(4096)]


def _letter(flips: int) -> str:
    """The letter `a` with some of three bits flipped."""
    bits = sum(flip for number, flip in enumerate(FLIPS) if flips >> number & 1)
    return chr(ord("a") ^ bits)


Flip = tuple[int, int]
"""What a set of flips does to the hash, and which flips they are, as bit masks."""


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
