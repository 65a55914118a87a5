"""ThresholdShedder: brokers far above the average usage give bundles away.

What counts is not the usage itself but a history of it, which is the only state between
rounds. With the lower boundary switched on, a broker far below the average draws load from the
most loaded one. Clauses SHD-80 to SHD-91.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.report import ReportRules
from evenkeel.reference.load.usage import max_weighted_usage
from evenkeel.reference.shedding.cluster import (
    BrokerId,
    BrokerReport,
    BundleName,
    Cluster,
    Decision,
)
from evenkeel.reference.shedding.selecting import (
    has_several_bundles,
    heaviest_first,
    reaching,
    short_throughput,
)
from evenkeel.reference.shedding.settings import WeightedRules
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.settings import INT, same, setting

MARGIN: Final = 0.05
"""Five points of usage that are shed beyond the threshold."""

LOWER_MARGIN: Final = 0.5
"""The share of the threshold that is shed for a broker below the lower boundary."""

MEBIBYTE: Final = 1024.0 * 1024.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdRules(WeightedRules):
    """The settings of ThresholdShedder; heap memory weighs 0; the minimum is of the amount that a
    formula gives, before bundles are chosen.
    """

    threshold_percentage: int = setting(
        "loadBalancerBrokerThresholdShedderPercentage", 10, "points", INT
    )
    history: float = same(ReportRules, "history")
    min_throughput: float = setting(
        "loadBalancerBundleUnloadMinThroughputThreshold", 10.0, "MiB/s", (0, 2**32)
    )
    lower_boundary: bool = setting("lowerBoundarySheddingEnabled", False, "")


History = Mapping[BrokerId, float]
"""The usage of each broker, averaged over the rounds; a fraction."""

NO_HISTORY: Final[History] = {}


@dataclass(frozen=True, slots=True)
class Scores:
    """The histories after a round's step, and their average over the brokers."""

    history: History
    average: float


@states("SHD-80", "SHD-89", "SHD-90")
def shed(
    history: History, cluster: Cluster, rules: ThresholdRules, edition: Edition
) -> tuple[History, Decision]:
    """One round: the histories afterwards, and what should leave which broker.

    Source: document 003; ThresholdShedder.findBundlesForUnloading 4.0.8.
    """
    scores = step(history, cluster, rules)
    if scores.average == 0:
        return scores.history, {}
    decision = above_threshold(scores, cluster, rules, edition)
    if decision or not rules.lower_boundary:
        return scores.history, decision
    if edition.threshold_steps_twice:
        scores = step(scores.history, cluster, rules)
    return scores.history, below_boundary(scores, cluster, rules, edition)


@states("SHD-82")
def step(history: History, cluster: Cluster, rules: ThresholdRules) -> Scores:
    """Every broker's usage enters its history; histories of absent brokers stay."""
    after = dict(history)
    total = 0.0
    for broker, report in cluster.brokers.items():
        usage = max_weighted_usage(report.resources, rules.weights)
        after[broker] = next_score(history.get(broker), usage, rules)
        total += after[broker]
    return Scores(after, total / len(cluster.brokers) if cluster.brokers else 0.0)


@states("SHD-82")
def next_score(before: float | None, usage: float, rules: ThresholdRules) -> float:
    """The history after one more observation; the first one is taken as it is."""
    if before is None:
        return usage
    return before * rules.history + (1 - rules.history) * usage


@states("SHD-99")
def forget_departed(history: History, active: Collection[BrokerId]) -> History:
    """The histories after a change of the active brokers: those of others are dropped.

    Source: ThresholdShedder.onActiveBrokersChange 4.0.8.
    """
    return {broker: score for broker, score in history.items() if broker in active}


def fraction(percentage: int) -> float:
    """A threshold in points as a fraction."""
    return percentage / 100.0


@states("SHD-80", "SHD-81", "SHD-83")
def above_threshold(
    scores: Scores, cluster: Cluster, rules: ThresholdRules, edition: Edition
) -> Decision:
    """What should leave the brokers that are above the threshold."""
    chosen: dict[BrokerId, tuple[BundleName, ...]] = {}
    for broker, report in cluster.brokers.items():
        score = scores.history[broker]
        if not is_above(score, scores.average, rules):
            continue
        amount = report.traffic.throughput * share_to_shed(score, scores.average, rules, edition)
        if amount < rules.min_throughput * MEBIBYTE:
            continue
        if bundles := select(cluster, report, amount, edition):
            chosen[broker] = bundles
    return chosen


@states("SHD-80", "SHD-81")
def is_above(score: float, average: float, rules: ThresholdRules) -> bool:
    """Whether a broker is so far above the average that it sheds; exactly so far counts."""
    return not score < average + fraction(rules.threshold_percentage)


@states("SHD-85")
def share_to_shed(score: float, average: float, rules: ThresholdRules, edition: Edition) -> float:
    """The share of its traffic that a broker sheds.

    It is computed in points of usage: what it takes to come within five points below the
    threshold, or, as document 002 promises, five points below the average.
    """
    if not edition.threshold_left_in_place:
        return score - average + MARGIN
    return score - average - fraction(rules.threshold_percentage) + MARGIN


@states("SHD-84", "SHD-85", "SHD-86")
def select(
    cluster: Cluster, report: BrokerReport, amount: float, edition: Edition
) -> tuple[BundleName, ...]:
    """The largest bundles that reach the amount, one at least; none of a sole bundle."""
    if not has_several_bundles(report, edition):
        return ()
    return reaching(heaviest_first(cluster, report, short_throughput, edition), amount)


@states("SHD-87", "SHD-88")
def below_boundary(
    scores: Scores, cluster: Cluster, rules: ThresholdRules, edition: Edition
) -> Decision:
    """What should leave the most loaded broker for one that is far below the average.

    Only brokers with several bundles count as most loaded, and only those above the boundary.
    """
    boundary = scores.average - fraction(rules.threshold_percentage)
    source: BrokerId | None = None
    highest, some_below = boundary, False
    for broker, report in cluster.brokers.items():
        score = scores.history[broker]
        if score > highest and has_several_bundles(report, edition):
            highest, source = score, broker
        some_below = some_below or score < boundary
    if source is None or not some_below:
        return {}
    report = cluster.brokers[source]
    amount = report.traffic.throughput * fraction(rules.threshold_percentage) * LOWER_MARGIN
    if rules.min_throughput * MEBIBYTE > amount:
        return {}
    bundles = select(cluster, report, amount, edition)
    return {source: bundles} if bundles else {}
