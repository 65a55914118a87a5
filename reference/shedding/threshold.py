"""ThresholdShedder: brokers far above the average usage give bundles away.

What counts is not the usage itself but a history of it, which is the only thing kept between
rounds. With the lower boundary switched on, a broker far below the average draws load from the
most loaded one. Clauses SHD-80 to SHD-92.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Weights, max_weighted_usage
from evenkeel.reference.shedding.cluster import (
    BrokerId,
    BrokerReport,
    BundleName,
    Cluster,
    Decision,
    movable,
)

MARGIN: Final = 0.05
"""Five points of usage that are shed beyond the threshold."""

LOWER_MARGIN: Final = 0.5
"""The share of the threshold that is shed for a broker below the lower boundary."""

MEBIBYTE: Final = 1024.0 * 1024.0


@dataclass(frozen=True, slots=True)
class ThresholdConfig:
    """The settings; the defaults are those of 4.0.8 (`ServiceConfiguration`).

    `loadBalancerBrokerThresholdShedderPercentage` (points), `loadBalancerHistoryResourcePercentage`
    (a fraction), `loadBalancerBundleUnloadMinThroughputThreshold` (MiB/s),
    `lowerBoundarySheddingEnabled`, `loadBalancer…ResourceWeight`.
    """

    threshold_percentage: int = 10
    history: float = 0.9
    min_throughput: float = 10.0
    lower_boundary: bool = False
    weights: Weights = Weights()


History = Mapping[BrokerId, float]
"""The usage of each broker, averaged over the rounds; a fraction."""

NO_HISTORY: Final[History] = {}


@dataclass(frozen=True, slots=True)
class Scores:
    """The histories after a round's step, and their average over the brokers."""

    history: History
    average: float


def shed(
    history: History, cluster: Cluster, config: ThresholdConfig, edition: Edition
) -> tuple[History, Decision]:
    """One round: the histories afterwards, and what should leave which broker (SHD-80).

    Source: document 003; ThresholdShedder.findBundlesForUnloading 4.0.8.
    """
    scores = step(history, cluster, config)
    if scores.average == 0:
        return scores.history, {}
    decision = above_threshold(scores, cluster, config, edition)
    if decision or not config.lower_boundary:
        return scores.history, decision
    if edition.threshold_steps_twice:
        scores = step(scores.history, cluster, config)
    return scores.history, below_boundary(scores, cluster, config)


def step(history: History, cluster: Cluster, config: ThresholdConfig) -> Scores:
    """Every broker's usage enters its history; histories of absent brokers stay (SHD-81)."""
    after = dict(history)
    total = 0.0
    for broker, report in cluster.brokers.items():
        usage = max_weighted_usage(report.resources, config.weights)
        after[broker] = next_score(history.get(broker), usage, config)
        total += after[broker]
    return Scores(after, total / len(cluster.brokers) if cluster.brokers else 0.0)


def next_score(before: float | None, usage: float, config: ThresholdConfig) -> float:
    """The history after one more observation; the first one is taken as it is (SHD-81)."""
    if before is None:
        return usage
    return before * config.history + (1 - config.history) * usage


def departed(history: History, active: Collection[BrokerId]) -> History:
    """The histories after a change of the active brokers: those of others are dropped (SHD-82).

    Source: ThresholdShedder.onActiveBrokersChange 4.0.8.
    """
    return {broker: score for broker, score in history.items() if broker in active}


def fraction(percentage: int) -> float:
    """A threshold in points as a fraction."""
    return percentage / 100.0


def above_threshold(
    scores: Scores, cluster: Cluster, config: ThresholdConfig, edition: Edition
) -> Decision:
    """What should leave the brokers that are above the threshold (SHD-83 to SHD-86)."""
    chosen: dict[BrokerId, tuple[BundleName, ...]] = {}
    for broker, report in cluster.brokers.items():
        score = scores.history[broker]
        if not is_above(score, scores.average, config):
            continue
        amount = report.traffic.throughput * share_to_shed(score, scores.average, config, edition)
        if amount < config.min_throughput * MEBIBYTE:
            continue
        if bundles := select(cluster, report, amount):
            chosen[broker] = bundles
    return chosen


def is_above(score: float, average: float, config: ThresholdConfig) -> bool:
    """Whether a broker is so far above the average that it sheds; exactly so far counts."""
    return not score < average + fraction(config.threshold_percentage)


def share_to_shed(score: float, average: float, config: ThresholdConfig, edition: Edition) -> float:
    """The share of its traffic that a broker sheds (SHD-84).

    It is worked out in points of usage: what it takes to come within five points below the
    threshold, or, as document 002 promises, five points below the average.
    """
    if not edition.threshold_left_in_place:
        return score - average + MARGIN
    return score - average - fraction(config.threshold_percentage) + MARGIN


def select(cluster: Cluster, report: BrokerReport, amount: float) -> tuple[BundleName, ...]:
    """The largest bundles that come to the amount, one at least; none if there is only one to
    lose (SHD-85, SHD-86).

    Sizes are averages over the last samples. Equally large ones come in the report's order, which
    means nothing.
    """
    if len(report.bundles) <= 1:
        return ()
    sizes = {
        bundle: load.short_term.throughput for bundle, load in movable(cluster, report).items()
    }
    chosen: list[BundleName] = []
    marked = 0.0
    for bundle in sorted(sizes, key=lambda name: -sizes[name]):
        if marked >= amount and chosen:
            break
        chosen.append(bundle)
        marked += sizes[bundle]
    return tuple(chosen)


def below_boundary(scores: Scores, cluster: Cluster, config: ThresholdConfig) -> Decision:
    """What should leave the most loaded broker for one that is far below the average (SHD-87).

    Only brokers with several bundles count as most loaded, and only those above the boundary.
    """
    boundary = scores.average - fraction(config.threshold_percentage)
    source: BrokerId | None = None
    highest, drawn = boundary, False
    for broker, report in cluster.brokers.items():
        score = scores.history[broker]
        if score > highest and len(report.bundles) > 1:
            highest, source = score, broker
        drawn = drawn or score < boundary
    if source is None or not drawn:
        return {}
    report = cluster.brokers[source]
    amount = report.traffic.throughput * fraction(config.threshold_percentage) * LOWER_MARGIN
    if config.min_throughput * MEBIBYTE > amount:
        return {}
    bundles = select(cluster, report, amount)
    return {source: bundles} if bundles else {}
