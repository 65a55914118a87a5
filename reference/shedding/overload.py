"""OverloadShedder: brokers that are too full shed their heaviest bundles (SHD-10 to SHD-16)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import max_usage, max_weighted_usage
from evenkeel.reference.shedding.cluster import BrokerReport, BundleName, Cluster, Decision
from evenkeel.reference.shedding.selecting import (
    has_several_bundles,
    heaviest_first,
    reaching,
    short_throughput,
)
from evenkeel.reference.shedding.settings import WeightedRules
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.settings import INT, setting

MARGIN: Final = 0.05
"""How far below its threshold a broker is to come, as a fraction of its capacity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverloadRules(WeightedRules):
    """The settings of OverloadShedder; where weights count, that of heap memory is 0."""

    overloaded_percent: int = setting(
        "loadBalancerBrokerOverloadedThresholdPercentage", 85, "percent", INT
    )


def overload_threshold(rules: OverloadRules) -> float:
    """The threshold as a fraction."""
    return rules.overloaded_percent / 100.0


@states("SHD-10", "SHD-11")
def is_overloaded(usage: float, rules: OverloadRules) -> bool:
    """Whether a broker this full must shed: the threshold itself is too full.

    Source: document 002 ("reaches the threshold"); OverloadShedder 4.0.8.
    """
    return usage >= overload_threshold(rules)


@states("SHD-13", "SHD-14")
def share_to_shed(usage: float, rules: OverloadRules, edition: Edition) -> float:
    """The fraction of its traffic that an overloaded broker sheds.

    What brings usage to the threshold less the margin, if it follows traffic; 4.0 takes points of
    capacity for a fraction of the traffic.
    """
    above = usage - overload_threshold(rules) + MARGIN
    if edition.overload_share_of_capacity:
        return above
    return above / usage if usage > 0 else 0.0


@states("SHD-13", "SHD-14")
def amount_to_shed(
    usage: float, report: BrokerReport, rules: OverloadRules, edition: Edition
) -> float:
    """How much an overloaded broker sheds at least, in bytes per second."""
    return report.traffic.throughput * share_to_shed(usage, rules, edition)


@states("SHD-10", "SHD-11")
def shed_by(
    cluster: Cluster, report: BrokerReport, rules: OverloadRules, edition: Edition
) -> tuple[BundleName, ...]:
    """What one broker sheds; most shed nothing."""
    usage = max_weighted_usage(report.resources, rules.weights)
    if edition.modular_usage_unweighted:
        usage = max_usage(report.resources)
    if not is_overloaded(usage, rules) or not has_several_bundles(report, edition):
        return ()
    amount = amount_to_shed(usage, report, rules, edition)
    return reaching(heaviest_first(cluster, report, short_throughput, edition), amount)


def decide(cluster: Cluster, rules: OverloadRules, edition: Edition) -> Decision:
    """One round: every broker for itself. Source: OverloadShedder.findBundlesForUnloading 4.0.8."""
    shed = {
        broker: shed_by(cluster, report, rules, edition)
        for broker, report in cluster.brokers.items()
    }
    return {broker: bundles for broker, bundles in shed.items() if bundles}
