"""The top bundles that an extensible broker reports (LOA-50 to LOA-57)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import SYSTEM, is_monitoring, namespace_of
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.switches.bundles import LegacyNames
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage
from evenkeel_engine.frame.settings import INT, setting

THROUGHPUT_STEP: Final = 1e5
"""Bytes per second within which throughputs count as equal."""

MSG_RATE_STEP: Final = 100.0
"""Messages per second within which rates count as equal."""

CONNECTION_STEP: Final = 500
"""Topics, producers and consumers within which bundles count as equal."""

CACHE_STEP: Final = 100_000
"""Bytes of cache within which bundles count as equal."""

STEPS: Final = (THROUGHPUT_STEP, THROUGHPUT_STEP, MSG_RATE_STEP, CONNECTION_STEP, CACHE_STEP)


class NoSuchNamespace(Breakage):
    """The policies of a bundle are asked for whose namespace has a cluster in its name, where that
    is no name any more (LOA-50).
    """


class NoListOfNone(Breakage):
    """A limit of 0 bundles or less breaks the report (LOA-57).

    Pulsar sorts two bundles or more up to place K - 1; below the least integer that wraps round to
    the greatest, a place that a single bundle has not either.
    """


@dataclass(frozen=True, slots=True)
class TopRules:
    """How many bundles are reported, and whether those bound by policies may be among them.

    `isolated` and `grouped` are the namespaces with an isolation policy and with an anti-affinity
    group.
    """

    most: int = setting(
        "loadBalancerMaxNumberOfBundlesInBundleLoadReport", 10, "bundles", INT, "most"
    )
    with_policies: bool = setting(
        "loadBalancerSheddingBundlesWithPoliciesEnabled", False, "", None, "with_policies"
    )
    isolated: tuple[str, ...] = ()
    grouped: tuple[str, ...] = ()


Rank = tuple[int, int, int, int, int]


@states("LOA-54")
def round_half_up(value: float) -> int:
    """The nearest whole number, halves upwards, as Java's Math.round."""
    floor = math.floor(value)
    return floor + (1 if value - floor >= 0.5 else 0)


@states("LOA-54")
def rank(statistics: BundleStatistics) -> Rank:
    """What bundles are compared by, the first difference deciding.

    Throughput in, throughput out, message rate, connections with topics, cache; each in steps.
    Source: NamespaceBundleStats.compareTo 4.0.8 (#24772).
    """
    traffic = statistics.traffic
    return (
        round_half_up(traffic.throughput_in / THROUGHPUT_STEP),
        round_half_up(traffic.throughput_out / THROUGHPUT_STEP),
        round_half_up(traffic.msg_rate / MSG_RATE_STEP),
        (statistics.topics + statistics.producers + statistics.consumers) // CONNECTION_STEP,
        statistics.cache // CACHE_STEP,
    )


@states("LOA-54")
def compare(one: BundleStatistics, other: BundleStatistics) -> int:
    """Which of two is heavier: by the first measurement that differs by more than its step.

    This is no order: of three, the first can equal the second, and the second the third.
    Source: NamespaceBundleStats.compareTo 4.0.6, until #24772.
    """
    for mine, its, step in zip(measure(one), measure(other), STEPS, strict=True):
        if abs(mine - its) > step:
            return 1 if mine > its else -1
    return 0


def measure(statistics: BundleStatistics) -> tuple[float, ...]:
    """What bundles are compared by."""
    traffic = statistics.traffic
    clients = statistics.topics + statistics.producers + statistics.consumers
    rates = traffic.throughput_in, traffic.throughput_out, traffic.msg_rate
    return (*rates, clients, statistics.cache)


@states("LOA-54", "LOA-55")
def by_pivots(bundles: Sequence[BundleStatistics], most: int) -> list[BundleStatistics]:
    """The heaviest, the heaviest of them first: parted by the last one until `most` are apart.

    Source: TopKBundles.partitionSort 4.0.6. Only what is heavier than the last pivot is sorted.
    """
    front: list[BundleStatistics] = []
    rest = list(bundles)
    while len(rest) > 1:
        sides: dict[int, list[BundleStatistics]] = {1: [], 0: [], -1: []}
        for bundle in rest:
            sides[compare(bundle, rest[-1])].append(bundle)
        place = most - 1 - len(front)
        if place < len(sides[1]):
            rest = sides[1]
            continue
        front += sides[1]
        if place < len(sides[1]) + len(sides[0]):
            rest = sides[0]
            break
        front += sides[0]
        rest = sides[-1]
    front.sort(key=cmp_to_key(lambda one, other: compare(other, one)))
    return [*front, *rest][:most]


@states("LOA-52")
def is_system(namespace: str, edition: Edition) -> bool:
    """Pulsar's own namespace, and those of heartbeats and SLA monitors."""
    return namespace == SYSTEM or is_monitoring(namespace, edition.clustered_monitors)


@states("LOA-50", "LOA-53")
def is_bound(namespace: str, rules: TopRules, edition: Edition) -> bool:
    """Whether policies bind the namespace's bundles, and may not be moved."""
    if rules.with_policies:
        return False
    if namespace.count("/") > 1 and edition.legacy_topic_names is LegacyNames.REFUSED:
        raise NoSuchNamespace(namespace)
    return namespace in rules.isolated or namespace in rules.grouped


@states("LOA-51", "LOA-52", "LOA-53")
def eligible(statistics: BundleStatistics, rules: TopRules, edition: Edition) -> bool:
    """A bundle with traffic, of an ordinary namespace, not bound."""
    namespace = namespace_of(statistics.bundle)
    return (
        (statistics.traffic.throughput != 0 or edition.idle_bundles_listed)
        and not is_system(namespace, edition)
        and not is_bound(namespace, rules, edition)
    )


@states("LOA-50", "LOA-54", "LOA-55", "LOA-56", "LOA-57", "LOA-65")
def top_bundles(
    bundles: Sequence[BundleStatistics], rules: TopRules, edition: Edition
) -> list[BundleStatistics]:
    """The heaviest bundles, the lightest of them first; ties as they come.

    Source: TopKBundles.update 4.0.8.
    """
    candidates = [bundle for bundle in bundles if eligible(bundle, rules, edition)]
    if rules.most <= 0:
        enough = 1 if rules.most == INT[0] else 2
        if edition.no_top_bundles_breaks and len(candidates) >= enough:
            raise NoListOfNone(f"{rules.most} bundles of {len(candidates)}")
        return []
    if edition.top_bundles_by_difference:
        return by_pivots(candidates, rules.most)[::-1]
    heaviest = sorted(candidates, key=rank, reverse=True)[: rules.most]
    return heaviest[::-1]
