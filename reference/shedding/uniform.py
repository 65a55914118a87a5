"""UniformLoadShedder: the busiest broker sheds a share of its lead over the least busy.

Clauses SHD-20 to SHD-29. Busy means message rate or throughput, never resource usage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.cluster import (
    BrokerId,
    BrokerReport,
    BundleName,
    Cluster,
    Decision,
)
from evenkeel.reference.shedding.selecting import (
    fitting,
    has_several_bundles,
    heaviest_first,
    short_rate,
    short_throughput,
)
from evenkeel.reference.shedding.settings import GraceRules
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.settings import FRACTION, INT, RATIO, setting

MOST: Final = 2**31 - 1
"""The largest 32-bit integer."""

NEARLY_NOTHING: Final = 1e-6
ALLOWANCE: Final = 1000
UNLIMITED: Final = -1


class Dimension(StrEnum):
    """What is compared and moved."""

    MSG_RATE = "msg_rate"
    THROUGHPUT = "throughput"


@dataclass(frozen=True, slots=True, kw_only=True)
class UniformRules(GraceRules):
    """The settings of UniformLoadShedder; a threshold of 0 or less disables its dimension.

    That of rates is compared with what the largest has more than the least, in percent of the
    least; that of throughput with the largest divided by the least: 450 and 100 MB/s are 4.5.
    `share` is of what the largest has more than the least; the minima are of that share.
    """

    rate_difference: float = setting(
        "loadBalancerMsgRateDifferenceShedderThreshold", 50.0, "percent of the least", RATIO
    )
    throughput_ratio: float = setting(
        "loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold", 4.0, "ratio", RATIO
    )
    share: float = setting("maxUnloadPercentage", 0.2, "fraction", FRACTION)
    min_msg_rate: int = setting("minUnloadMessage", 1000, "msg/s", INT)
    min_throughput: int = setting("minUnloadMessageThroughput", 1024 * 1024, "bytes/s", INT)
    max_bundles: int = setting("maxUnloadBundleNumPerShedding", UNLIMITED, "bundles", INT)


@dataclass(frozen=True, slots=True)
class Extremes:
    """The busiest broker in one dimension, how busy it is, and how busy the least busy is."""

    busiest: BrokerId
    most: float
    least: float

    @property
    def lead(self) -> float:
        """What the busiest has more than the least busy."""
        return self.most - self.least


def busyness(report: BrokerReport, dimension: Dimension) -> float:
    """A broker's traffic in one dimension, as it reported it."""
    traffic = report.traffic
    return traffic.msg_rate if dimension is Dimension.MSG_RATE else traffic.throughput


@states("SHD-20", "SHD-28")
def extremes(
    brokers: Mapping[BrokerId, BrokerReport], dimension: Dimension, edition: Edition
) -> Extremes:
    """The busiest broker (the first of equals; any is right) and the least traffic.

    A least of nearly nothing counts as 1 (#13914). An edition knows no least above 2^31 - 1.
    """
    traffic = {broker: busyness(report, dimension) for broker, report in brokers.items()}
    busiest = max(traffic, key=lambda broker: traffic[broker])
    least = min(traffic.values())
    if edition.uniform_least_is_32_bits:
        least = min(least, float(MOST))
    if abs(least) <= NEARLY_NOTHING:
        least = 1.0
    return Extremes(busiest, traffic[busiest], least)


@states("SHD-20")
def exceeds_threshold(found: Extremes, dimension: Dimension, rules: UniformRules) -> bool:
    """Whether the lead is above the threshold, strictly.

    For message rates the lead in percent of the least, for throughput the ratio.
    Source: document 002; ServiceConfiguration, UniformLoadShedder 4.0.8.
    """
    if dimension is Dimension.MSG_RATE:
        percent = found.lead * 100 / found.least
        return 0 < rules.rate_difference < percent
    return 0 < rules.throughput_ratio < found.most / found.least


@states("SHD-26")
def whole(number: float) -> int:
    """The number without its fraction as a 32-bit integer, which cannot be more than 2^31 - 1."""
    return max(-MOST - 1, min(MOST, int(number)))


@states("SHD-26")
def wrap_int(number: int) -> int:
    """A sum of 32-bit integers as a 32-bit integer."""
    return (number + 2**31) % 2**32 - 2**31


@states("SHD-21", "SHD-26")
def budget_for(found: Extremes, rules: UniformRules, edition: Edition) -> float:
    """How much is to be moved: a share of the lead."""
    budget = found.lead * rules.share
    return whole(budget) if edition.uniform_whole_numbers else budget


@states("SHD-23")
def minimum_for(dimension: Dimension, rules: UniformRules) -> int:
    """The least amount worth an unload."""
    return rules.min_msg_rate if dimension is Dimension.MSG_RATE else rules.min_throughput


@states("SHD-21", "SHD-22", "SHD-26", "SHD-29")
def fits(weight: float, left: float, edition: Edition) -> bool:
    """Whether a bundle may go while so much is left of the budget."""
    if weight <= 0 and not edition.uniform_sheds_idle_bundles:
        return False
    if not edition.uniform_allowance:
        return weight <= left
    if edition.uniform_whole_numbers:
        return weight <= wrap_int(int(left) + ALLOWANCE)
    return weight <= left + ALLOWANCE


@states("SHD-26")
def spend(left: float, weight: float, edition: Edition) -> float:
    """What a bundle leaves of the budget; an edition drops its fraction."""
    return left - whole(weight) if edition.uniform_whole_numbers else left - weight


@states("SHD-24")
def cap_bundles(bundles: tuple[BundleName, ...], rules: UniformRules) -> tuple[BundleName, ...]:
    """No more bundles than the cap allows. A cap below -1 allows none."""
    return bundles if rules.max_bundles == UNLIMITED else bundles[: max(rules.max_bundles, 0)]


@states("SHD-8", "SHD-23")
def shed_in(
    cluster: Cluster, found: Extremes, dimension: Dimension, rules: UniformRules, edition: Edition
) -> tuple[BundleName, ...]:
    """What the busiest broker sheds in a dimension whose threshold is exceeded."""
    report = cluster.brokers[found.busiest]
    budget = budget_for(found, rules, edition)
    if not has_several_bundles(report, edition) or budget < minimum_for(dimension, rules):
        return ()
    measure = short_rate if dimension is Dimension.MSG_RATE else short_throughput
    chosen = fitting(
        heaviest_first(cluster, report, measure, edition),
        budget,
        lambda weight, left: fits(weight, left, edition),
        lambda left, weight: spend(left, weight, edition),
    )
    return cap_bundles(chosen, rules)


@states("SHD-20", "SHD-25", "SHD-27")
def decide(cluster: Cluster, rules: UniformRules, edition: Edition) -> Decision:
    """One round: message rate before throughput.

    Source: UniformLoadShedder.findBundlesForUnloading 4.0.8.
    """
    for dimension in Dimension if cluster.brokers else ():
        found = extremes(cluster.brokers, dimension, edition)
        if not exceeds_threshold(found, dimension, rules):
            continue
        bundles = shed_in(cluster, found, dimension, rules, edition)
        if bundles:
            return {found.busiest: bundles}
        if edition.uniform_rate_masks_throughput:
            break
    return {}
