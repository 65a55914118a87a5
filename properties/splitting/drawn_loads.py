"""What the generators of due bundles share.

The same few bundles are reported round after round, mostly with the same load, so that hit counts
and averages build up; loads lie at their limits and just beside them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.splitting.due import BundleLoad, NamespaceCount, bundle_name
from evenkeel.reference.bundles.ranges import TOP_HASH, range_name
from evenkeel.reference.splitting.settings import MEBIBYTE, SplitRules

NAMESPACES: Final = ("t/ns", "t/ns1", "t/n")
RANGES: Final = (
    (0x40000000, 0x80000000),
    (0x80000000, 0xC0000000),
    (1, 0x40000000),
    (0xC0000000, 0xFFFFFFFD),
    (0, 1),
    (0xFFFFFFFD, TOP_HASH),
)
PARENTS: Final = ((0x40000000, 0xC0000000), (0, 0x40000000), (0xC0000000, TOP_HASH), (0, TOP_HASH))
BROKERS: Final = ("broker-1", "broker-2", "broker-3")
_BUNDLES: Final = tuple(
    f"{namespace}/{range_name(lower, upper)}" for lower, upper in RANGES for namespace in NAMESPACES
)
PARENT_BUNDLES: Final = tuple(
    f"{namespace}/{range_name(lower, upper)}"
    for lower, upper in PARENTS
    for namespace in NAMESPACES
)


def draw_config(draw: Draw) -> SplitRules:
    """FlowLimits large and small; the namespace's maximum within reach."""
    return SplitRules(
        max_topics=draw.pick((1000, 10, 2, 0, 1000, 10, 2, -1)),
        max_sessions=draw.pick((1000, 10, 0, -1)),
        max_msg_rate=draw.pick((30000, 1000, 10, 0, 30000, 1000, 10, -1)),
        max_bandwidth_mbytes=draw.pick((100, 1, 2047, 2048, 3072, 4096, 5000, 0)),
        max_bundles=draw.pick((128, 4, 5, 6, 3)),
        split_enabled=not draw.chance(0.05),
        hit_count_threshold=draw.pick((0, 1, 2, 3, -1)),
        max_splits_per_cycle=draw.pick((10, 1, 2, 0, -1)),
    )


def draw_load(draw: Draw, bundle: str, broker: str, config: SplitRules) -> BundleLoad:
    """A quiet bundle, or one with one or two of its loads about at the limit."""
    topics, sessions, rate, throughput = 2, 0, 0.0, 0.0
    if draw.chance(0.1):
        topics = draw.pick((1, 0))
    for _ in draw.items(2, 0.85):
        sort = draw.integer(0, 3)
        step = draw.pick((1, 0, 100, -1))
        if sort == 0:
            rate = max(config.max_msg_rate + step * 0.25, 0.0)
        elif sort == 1:
            throughput = max(config.max_bandwidth_mbytes * MEBIBYTE + step * 0.25, 0.0)
        elif sort == 2:
            topics = max(config.max_topics + step, topics)
        else:
            sessions = max(config.max_sessions + step, 0)
    even = draw.chance(0.3)
    producers = sessions // 2
    rate_in = rate / 2 if even else rate
    throughput_in = throughput / 2 if even else 0.0
    return BundleLoad(
        bundle,
        broker,
        topics,
        producers,
        sessions - producers,
        rate_in,
        rate - rate_in,
        throughput_in,
        throughput - throughput_in,
    )


def draw_bundles(draw: Draw, most: int) -> list[str]:
    """A few different bundles; those of one namespace do not overlap."""
    return list(dict.fromkeys(draw.pick(_BUNDLES) for _ in draw.items(most, 0.7, least=1)))


def draw_many(draw: Draw) -> list[str]:
    """Many different bundles; those of one namespace do not overlap."""
    return list(_BUNDLES[: draw.integer(15, len(_BUNDLES))])


def with_many_due(draw: Draw, config: SplitRules) -> SplitRules:
    """The settings such that mostly only the number of splits in a cycle keeps bundles back."""
    return replace(
        config,
        max_topics=10,
        max_bundles=128,
        split_enabled=True,
        hit_count_threshold=draw.pick((0, 1)),
        max_splits_per_cycle=draw.pick((10, 10, 11, 5)),
    )


def draw_counts(
    draw: Draw, bundles: list[str], config: SplitRules, before: dict[str, int]
) -> tuple[NamespaceCount, ...]:
    """How many bundles each namespace has: mostly as before, often close to the maximum."""
    for bundle in bundles:
        namespace = bundle_name(bundle).namespace
        if namespace not in before or draw.chance(0.1):
            before[namespace] = max(config.max_bundles - draw.pick((5, 1, 2, 3, 0, -1)), 1)
    return tuple(NamespaceCount(namespace, count) for namespace, count in before.items())
