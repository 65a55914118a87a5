"""Topic names with a wanted hash, constructed rather than searched for.

CRC-32 is affine over GF(2): flipping a bit of a name of fixed length always flips the same bits
of its hash. Twelve letters of which three bits each may be flipped give 36 such flips; they span
all 32 bits of the hash, and the four left over give 16 names for every hash.
"""

from __future__ import annotations

import zlib
from functools import cache
from typing import Final

LETTERS: Final = 12
FLIPS: Final = (0x02, 0x04, 0x08)
VARIANTS: Final = 16


def topic_with_hash(hash_: int, namespace: str = "public/default", variant: int = 0) -> str:
    """The complete name of a persistent topic of `namespace` whose hash is `hash_`.

    The 16 variants of one hash are different names.
    """
    base, pivots, idle = _system(namespace)
    wanted, flips = hash_ ^ base, 0
    for index, flip in enumerate(idle):
        if variant >> index & 1:
            wanted ^= flip[0]
            flips ^= flip[1]
    for bit, (effect, mask) in pivots:
        if wanted >> bit & 1:
            wanted ^= effect
            flips ^= mask
    letters = bytearray(b"a" * LETTERS)
    for index in range(LETTERS):
        for number, flip_bits in enumerate(FLIPS):
            if flips >> (index * len(FLIPS) + number) & 1:
                letters[index] ^= flip_bits
    return f"persistent://{namespace}/{letters.decode()}"


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
