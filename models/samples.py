"""Random values for cross-checks, with a liking for edges."""

from __future__ import annotations

from random import Random
from typing import Final

from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange

_EDGES: Final = (0, 1, 2, 2**31 - 1, 2**31, TOP_HASH - 2, TOP_HASH - 1, TOP_HASH)


def hash_near(random: Random, *points: int) -> int:
    """An edge, one of the points or a neighbour of it, or any hash."""
    sort = random.randrange(3)
    if sort == 0:
        return random.choice(_EDGES)
    if sort == 1 and points:
        return min(max(random.choice(points) + random.randint(-2, 2), 0), TOP_HASH)
    return random.randint(0, TOP_HASH)


def boundaries(random: Random) -> tuple[int, ...]:
    """Legal boundaries of at most 8 bundles."""
    inner: set[int] = set()
    for _ in range(random.randrange(8)):
        inner.add(hash_near(random, *inner))
    return (0, *sorted(inner - {0, TOP_HASH}), TOP_HASH)


def boundaries_and_hash(random: Random) -> tuple[tuple[int, ...], int]:
    """Legal boundaries, and a hash."""
    found = boundaries(random)
    return found, hash_near(random, *found)


def amount_and_weights(random: Random) -> tuple[int, tuple[int, ...]]:
    """An amount, and weights of bundles in falling order."""
    weights = sorted((random.randrange(6) for _ in range(random.randint(1, 5))), reverse=True)
    return random.randrange(12), tuple(weights)


def bundle(random: Random) -> HashRange:
    """A bundle: any range of hashes that ends where it does not start."""
    while True:
        lower = hash_near(random)
        upper = hash_near(random, lower)
        if lower < upper:
            return HashRange(lower, upper)


def hashes(random: Random, bundle: HashRange) -> tuple[int, ...]:
    """At most 7 hashes inside a bundle, many of them colliding or neighbours."""
    found: list[int] = []
    for _ in range(random.randrange(8)):
        sample = hash_near(random, bundle.lower, bundle.upper, *found)
        if sample not in bundle:
            sample = random.randint(bundle.lower, bundle.upper - 1)
        found.append(sample)
    return tuple(found)
