"""By how much a broker's load has changed (LOA-33, LOA-43)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Final

from evenkeel.properties.load.trial_parts import TRAFFIC
from evenkeel.properties.tolerance import DOUBLE, SINGLE
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import SYSTEM, is_monitoring, namespace_of
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import (
    CACHE_STEP,
    CONNECTION_STEP,
    MSG_RATE_STEP,
    THROUGHPUT_STEP,
    TopRules,
)
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources, Weights

EDGE: Final = 100 * SINGLE
"""Changes this close to the threshold may count as above it or not: they are in percent, and usages
have single precision.
"""


def percent_change(before: float, after: float) -> float:
    """The change of a number in percent of the old value; from 0 to anything else, infinite."""
    if before == 0:
        return 0.0 if after == 0 else math.inf
    return 100 * abs((before - after) / before)


def largest_change(
    before: Traffic, after: Traffic, bundles_before: int, bundles_after: int
) -> float:
    """Of message rate, throughput and number of bundles."""
    return max(
        percent_change(
            before.msg_rate_in + before.msg_rate_out, after.msg_rate_in + after.msg_rate_out
        ),
        percent_change(
            before.throughput_in + before.throughput_out, after.throughput_in + after.throughput_out
        ),
        percent_change(bundles_before, bundles_after),
    )


numbers: Final[Callable[[Traffic], tuple[float, ...]]] = attrgetter(*TRAFFIC)
"""The four numbers of a traffic."""


def close(one: float | None, other: float | None, tolerance: float = DOUBLE) -> bool:
    """Whether two numbers are equal up to a tolerance that is relative, or absolute near 0."""
    if one == other:
        return True
    if one is None or other is None:
        return False
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)


def close_traffic(one: Traffic, other: Traffic) -> bool:
    """Whether all four numbers are close."""
    return one == other or all(
        close(mine, its) for mine, its in zip(numbers(one), numbers(other), strict=True)
    )


def between(low: float, value: float, high: float) -> bool:
    """Whether a value is from `low` to `high`, up to rounding."""
    return (low <= value or close(low, value)) and (value <= high or close(value, high))


def traffic_between(values: list[Traffic], traffic: Traffic) -> bool:
    """Whether each number is between the least and the largest of these."""
    of_each = list(zip(*map(numbers, values), strict=True))
    return all(map(between, map(min, of_each), numbers(traffic), map(max, of_each)))


def traffic_within(least: Traffic, traffic: Traffic, most: Traffic) -> bool:
    """Whether each number is between these two."""
    return all(map(between, numbers(least), numbers(traffic), numbers(most)))


def divide_by_limit(resource: Resource) -> float:
    """LOA-1: the share of the limit, a fraction; 0 without a limit."""
    return resource.usage / resource.limit if resource.limit > 0 else 0.0


def usage_in_doubles(resources: Resources, weights: Weights, heap: bool = False) -> float:
    """LOA-3, LOA-4: the largest weighted usage in double precision throughout, 1.0 = 100 %."""
    most = max(
        divide_by_limit(resources.cpu) * weights.cpu,
        divide_by_limit(resources.direct_memory) * weights.direct_memory,
        divide_by_limit(resources.bandwidth_in) * weights.bandwidth_in,
        divide_by_limit(resources.bandwidth_out) * weights.bandwidth_out,
    )
    return max(most, divide_by_limit(resources.memory) * weights.memory) if heap else most


def sums(traffics: Iterable[Traffic]) -> Traffic:
    """The sum, number by number."""
    return Traffic(*map(math.fsum, zip(*map(numbers, traffics), strict=True)))


Rank = tuple[int, ...]


def nearest(value: float) -> int:
    """The nearest whole number, halves upwards."""
    floor = math.floor(value)
    return floor + (value - floor >= 0.5)


def rank(bundle: BundleStatistics) -> Rank:
    """LOA-54: the key by which bundles are compared."""
    traffic = bundle.traffic
    return (
        nearest(traffic.throughput_in / THROUGHPUT_STEP),
        nearest(traffic.throughput_out / THROUGHPUT_STEP),
        nearest((traffic.msg_rate_in + traffic.msg_rate_out) / MSG_RATE_STEP),
        (bundle.topics + bundle.producers + bundle.consumers) // CONNECTION_STEP,
        bundle.cache // CACHE_STEP,
    )


def outweighs(one: BundleStatistics, other: BundleStatistics) -> bool:
    """LOA-54, in PULSAR_4_0_6: whether a bundle is not lighter than another, by the first
    measurement that differs by more than its step.
    """
    steps = (THROUGHPUT_STEP, THROUGHPUT_STEP, MSG_RATE_STEP, CONNECTION_STEP, CACHE_STEP)
    for mine, its, step in zip(weigh(one), weigh(other), steps, strict=True):
        if abs(mine - its) > step:
            return mine > its
    return True


def is_between(
    heavier: BundleStatistics, lighter: BundleStatistics, candidates: Iterable[BundleStatistics]
) -> bool:
    """LOA-54, in PULSAR_4_0_6: whether some bundle is neither heavier than the one nor lighter than
    the other, so that it can have parted them.
    """
    return any(outweighs(heavier, one) and outweighs(one, lighter) for one in candidates)


def are_heaviest(
    listed: Sequence[BundleStatistics], candidates: Sequence[BundleStatistics]
) -> bool:
    """LOA-54, in PULSAR_4_0_6: whether these can have been parted from all others."""
    left_out = [one for one in candidates if one not in listed]
    return all(is_between(one, other, candidates) for one in listed for other in left_out)


def are_ascending(
    listed: Sequence[BundleStatistics], candidates: Sequence[BundleStatistics]
) -> bool:
    """LOA-55, in PULSAR_4_0_6: whether each can have been parted from the next."""
    return all(is_between(more, less, candidates) for less, more in pairwise(listed))


def weigh(bundle: BundleStatistics) -> tuple[float, ...]:
    """LOA-54: the measurements by which bundles are compared."""
    traffic = bundle.traffic
    return (
        traffic.throughput_in,
        traffic.throughput_out,
        traffic.msg_rate_in + traffic.msg_rate_out,
        bundle.topics + bundle.producers + bundle.consumers,
        bundle.cache,
    )


def is_idle(bundle: BundleStatistics, edition: Edition) -> bool:
    """LOA-51: whether a bundle has no traffic; in PULSAR_3_0 none counts as such."""
    return (
        not edition.idle_bundles_listed
        and bundle.traffic.throughput_in + bundle.traffic.throughput_out == 0
    )


def is_system(bundle: BundleStatistics, edition: Edition) -> bool:
    """LOA-52: whether a bundle is in Pulsar's own, a heartbeat or an SLA monitor namespace."""
    namespace = namespace_of(bundle.bundle)
    return namespace == SYSTEM or is_monitoring(namespace, edition.clustered_monitors)


def is_bound(bundle: BundleStatistics, rules: TopRules) -> bool:
    """LOA-53: whether policies bind the bundle, and such bundles may not be moved."""
    namespace = namespace_of(bundle.bundle)
    return not rules.with_policies and (namespace in rules.isolated or namespace in rules.grouped)


def eligible(
    bundles: Iterable[BundleStatistics], rules: TopRules, edition: Edition
) -> list[BundleStatistics]:
    """The bundles that may be listed."""
    return [
        bundle
        for bundle in bundles
        if not (is_idle(bundle, edition) or is_system(bundle, edition) or is_bound(bundle, rules))
    ]
