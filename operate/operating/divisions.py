"""How many bundles a namespace should have: counted with the topics' own hashes."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.operate.operating.snapshot import Snapshot
from evenkeel.operate.recording.metrics import OWN
from evenkeel.reference.bundles.boundaries import initial_boundaries
from evenkeel.reference.bundles.topics import topic_hash

MOST: Final = 4096
"""Bundles of a namespace that are tried."""
EVEN: Final = 1.25
"""The most topics of the fullest broker, as a multiple of the mean."""


@dataclass(frozen=True, slots=True)
class Division:
    """A number of bundles: how many topics the fullest has, and the fullest broker, over the mean
    of the brokers, if bundles are dealt out in turn, the largest first.
    """

    bundles: int
    largest: int
    worst: float


def judge_division(hashes: Sequence[int], bundles: int, brokers: int) -> Division:
    """What a division into equal bundles does with these topics (BUN-4, BUN-10)."""
    boundaries = initial_boundaries(bundles)
    counts = Counter(min(bisect_right(boundaries, one) - 1, bundles - 1) for one in hashes)
    loads = [0] * brokers
    for count in sorted(counts.values(), reverse=True):
        loads[loads.index(min(loads))] += count
    mean = len(hashes) / brokers
    return Division(bundles, max(counts.values(), default=0), max(loads) / mean if mean else 1.0)


def choose_division(hashes: Sequence[int], brokers: int) -> Division:
    """The smallest power of two that spreads these topics evenly, or else the most even one."""
    tried = []
    bundles = 1
    while bundles <= MOST:
        found = judge_division(hashes, bundles, brokers)
        if bundles >= brokers and found.worst <= EVEN:
            return found
        tried.append(found)
        bundles *= 2
    return min(tried, key=lambda one: (one.worst, one.bundles))


def by_namespace(snapshot: Snapshot) -> dict[str, tuple[int, int, Division]]:
    """By namespace: its topics, its bundles that have some, and what would be even. Those that
    brokers keep for themselves are not divided.
    """
    topics: dict[str, list[int]] = {}
    bundles: Counter[str] = Counter()
    for one in snapshot.bundles:
        namespace = one.name.rpartition("/")[0]
        if namespace.startswith(OWN):
            continue
        bundles[namespace] += 1
        topics.setdefault(namespace, []).extend(map(topic_hash, one.topics))
    return {
        name: (len(hashes), bundles[name], choose_division(hashes, len(snapshot.brokers)))
        for name, hashes in sorted(topics.items())
        if hashes
    }


def for_topics(topics: int, brokers: int, pattern: str, bundles: int | None = None) -> Division:
    """The same for a namespace that is planned, or what this number of bundles does; {n} is
    a topic's number in the pattern.
    """
    hashes = [topic_hash(pattern.replace("{n}", str(n))) for n in range(topics)]
    if bundles is not None:
        return judge_division(hashes, bundles, brokers)
    return choose_division(hashes, brokers)
