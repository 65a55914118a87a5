"""The common parts of both managers' trials about due bundles: configuration, loads, counts.

JSON names are the field names, except for configuration keys, which have Pulsar's spelling
(`field(metadata={"wire": ...})`). Rates are messages per second, throughput bytes per second,
each divided into in and out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from evenkeel.properties.names import require_bundle, require_namespace
from evenkeel.properties.splitting.positions import require_rates
from evenkeel.properties.splitting.trial_parts import has_room
from evenkeel.reference.bundles import ranges
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange, range_name
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting.algorithms import MIN_TOPICS
from evenkeel.reference.splitting.due import BundleName, Load, Reason, Sample
from evenkeel.reference.splitting.settings import MEBIBYTE, SplitRules
from evenkeel_engine.kit.approx import Ternary, either
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.trial import require, require_different, require_number_of


@dataclass(frozen=True, slots=True)
class BundleLoad:
    """A broker's report about one bundle: clients, msg/s, bytes/s.

    `bundle` is the full name, `t/ns/0x…_0x…`.
    """

    bundle: str
    broker: str
    topics: int
    producers: int
    consumers: int
    msg_rate_in: float
    msg_rate_out: float
    throughput_in: float
    throughput_out: float

    def __post_init__(self) -> None:
        require_bundle("bundle", self.bundle)
        require_rates(self.msg_rate_in, self.msg_rate_out, self.throughput_in, self.throughput_out)
        for count in (self.topics, self.producers, self.consumers):
            require(0 <= count < 2**30, "counts", "must be 0 or more, below 2^30")


@dataclass(frozen=True, slots=True)
class NamespaceCount:
    """How many bundles a namespace has."""

    namespace: str
    bundles: int

    def __post_init__(self) -> None:
        require_namespace("namespace", self.namespace)
        require_number_of("bundles", self.bundles)


def require_counted(
    reports: tuple[tuple[str, str], ...], counts: tuple[NamespaceCount, ...]
) -> None:
    """Require that no (broker, bundle) is reported twice, and every namespace is counted once."""
    require_different("loads", reports)
    known = [count.namespace for count in counts]
    require_different("counts", known)
    for _, bundle in reports:
        namespace = bundle.rpartition("/")[0]
        require(namespace in known, "counts", f"must count the bundles of {namespace}")


@lru_cache(maxsize=4096)
def bundle_name(text: str) -> BundleName:
    """The parts of a bundle's full name, `tenant/namespace/0x…_0x…`."""
    namespace, _, name = text.rpartition("/")
    lower, upper = ranges.parse_range(name, DOCUMENTED)
    return BundleName(namespace, HashRange(lower, upper))


def load_of(load: BundleLoad) -> Load:
    """A report about one bundle."""
    return Load(
        bundle_name(load.bundle),
        load.topics,
        load.producers + load.consumers,
        Sample(load.msg_rate_in, load.msg_rate_out, load.throughput_in, load.throughput_out),
    )


def counts_of(counts: Iterable[NamespaceCount]) -> dict[str, int]:
    """Bundles by namespace."""
    return {count.namespace: count.bundles for count in counts}


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
    """Large and small limits; a maximum that a namespace can reach."""
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
    """The settings, changed so that mostly only the number of splits in a cycle limits them."""
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


def can_be_due(load: BundleLoad) -> bool:
    """SPL-33: whether a bundle has several topics, and room for a cut."""
    return load.topics >= MIN_TOPICS and has_room(bundle_name(load.bundle).range)


def exceeds_counts(load: BundleLoad, config: SplitRules) -> bool:
    """4.0, SPL-37: whether there are too many topics, or sessions if these are limited."""
    sessions = load.producers + load.consumers
    return load.topics > config.max_topics or 0 < config.max_sessions < sessions


def above(value: float, limit: int, least: int = 0) -> Ternary:
    """DOCUMENTED: whether a number exceeds its limit; None: below `least` a limit may mean none."""
    if value <= limit:
        return False
    return True if limit >= least else None


def sessions_above(load: BundleLoad, config: SplitRules) -> Ternary:
    """DOCUMENTED, SPL-34: whether there are too many sessions."""
    return above(load.producers + load.consumers, config.max_sessions, least=1)


def counts_above(load: BundleLoad, config: SplitRules) -> Ternary:
    """DOCUMENTED, SPL-34: whether there are too many topics or sessions."""
    return either(above(load.topics, config.max_topics), sessions_above(load, config))


def bandwidth(config: SplitRules, wraps: bool) -> int:
    """The bandwidth limit in byte/s; SPL-38: computed in 32 bits."""
    plain = config.max_bandwidth_mbytes * MEBIBYTE
    return (plain + 2**31) % 2**32 - 2**31 if wraps else plain


def exceeded_by(load: BundleLoad, config: SplitRules, wraps: bool = False) -> list[Reason]:
    """4.0, SPL-48: every threshold that the current load exceeds."""
    found: list[Reason] = []
    if load.topics > config.max_topics:
        found.append(Reason.TOPICS)
    if 0 < config.max_sessions < load.producers + load.consumers:
        found.append(Reason.SESSIONS)
    if load.msg_rate_in + load.msg_rate_out > config.max_msg_rate:
        found.append(Reason.MSG_RATE)
    if load.throughput_in + load.throughput_out > bandwidth(config, wraps):
        found.append(Reason.BANDWIDTH)
    return found


def above_in_documents(load: BundleLoad, config: SplitRules) -> dict[Reason, Ternary]:
    """DOCUMENTED, SPL-41: for each threshold, whether the current load exceeds it."""
    rate = load.msg_rate_in + load.msg_rate_out
    throughput = load.throughput_in + load.throughput_out
    said = {
        Reason.TOPICS: above(load.topics, config.max_topics),
        Reason.SESSIONS: sessions_above(load, config),
        Reason.MSG_RATE: above(rate, config.max_msg_rate),
        Reason.BANDWIDTH: above(throughput, bandwidth(config, wraps=False)),
    }
    return {reason: exceeds for reason, exceeds in said.items() if exceeds is not False}
