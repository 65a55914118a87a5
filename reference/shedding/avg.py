"""AvgShedder: brokers in pairs, the fullest with the emptiest, are brought to the same traffic.

Clauses SHD-30 to SHD-41. A pair acts when its difference was large enough for several rounds;
what it sheds is planned for the emptier of the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cmp_to_key
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import max_weighted_usage
from evenkeel.reference.shedding.cluster import (
    BrokerId,
    BrokerReport,
    BundleLoad,
    BundleName,
    Cluster,
    Decision,
)
from evenkeel.reference.shedding.selecting import (
    Measure,
    fitting,
    has_several_bundles,
    heaviest_first,
    short_rate,
    short_throughput,
)
from evenkeel.reference.shedding.settings import WeightedRules
from evenkeel.reference.shedding.uniform import UniformRules
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.settings import INT, same, setting

POINTS: Final = 100
"""A score in points: usage in percent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AvgRules(WeightedRules):
    """The settings of AvgShedder; thresholds are points of the score.

    `share` of a pair's difference is moved, if that is more than `min_msg_rate` or else more than
    `min_throughput`. The weight of heap memory is 0.
    """

    low_threshold: int = setting("loadBalancerAvgShedderLowThreshold", 15, "points", INT)
    high_threshold: int = setting("loadBalancerAvgShedderHighThreshold", 40, "points", INT)
    low_hits: int = setting("loadBalancerAvgShedderHitCountLowThreshold", 8, "rounds", INT)
    high_hits: int = setting("loadBalancerAvgShedderHitCountHighThreshold", 2, "rounds", INT)
    share: float = same(UniformRules, "share")
    min_msg_rate: int = same(UniformRules, "min_msg_rate")
    min_throughput: int = same(UniformRules, "min_throughput")


@dataclass(frozen=True, slots=True)
class Pair:
    """A fuller broker and the emptier one that it sheds to."""

    fuller: BrokerId
    emptier: BrokerId


class Gap(Enum):
    """How a pair's difference compares with the two thresholds."""

    SMALL = "small"
    LARGE = "large"
    VERY_LARGE = "very large"


@dataclass(frozen=True, slots=True)
class Hits:
    """For how many rounds in a row the difference was large, and very large."""

    low: int = 0
    high: int = 0


HitKey = BrokerId | Pair
"""What hits are counted for: a broker, or a pair."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where the bundles that were shed should go; by name, or by averages."""

    by_name: Mapping[BundleName, BrokerId] = field(default_factory=dict)
    by_averages: Mapping[BundleLoad, BrokerId] = field(default_factory=dict)

    def destination(self, bundle: BundleName, load: BundleLoad) -> BrokerId | None:
        """The broker planned for a bundle."""
        return self.by_name.get(bundle) or self.by_averages.get(load)


@dataclass(frozen=True, slots=True)
class State:
    """The state between rounds. Keys without hits are not listed."""

    hits: Mapping[HitKey, Hits] = field(default_factory=dict)
    plan: Plan = Plan()


def score(report: BrokerReport, rules: AvgRules) -> float:
    """How full a broker is, in points; without history."""
    return max_weighted_usage(report.resources, rules.weights) * POINTS


@states("SHD-32")
def ranking(scores: Mapping[BrokerId, float], edition: Edition) -> list[BrokerId]:
    """The brokers from the emptiest to the fullest; among equals any order is right.

    Source: AvgShedder.calculateScoresAndSort 4.0.8, since #24954 by the scores themselves; before,
    by the whole points between them.
    """
    if edition.avg_ranks_by_whole_points:

        def points(one: BrokerId, other: BrokerId) -> int:
            return int(scores[one] - scores[other])

        return sorted(scores, key=cmp_to_key(points))
    return sorted(scores, key=lambda broker: scores[broker])


@states("SHD-32", "SHD-37")
def pairs_of(ranked: Sequence[BrokerId]) -> list[Pair]:
    """The fullest with the emptiest, the next with the next.

    The middle one of an odd number is paired with itself, and so with none.
    """
    return [
        Pair(fuller, emptier) for fuller, emptier in zip(reversed(ranked), ranked, strict=True)
    ][: (len(ranked) + 1) // 2]


@states("SHD-30", "SHD-38")
def gap_of(difference: float, rules: AvgRules) -> Gap:
    """A difference that reaches a threshold counts."""
    if difference < rules.low_threshold:
        return Gap.SMALL
    return Gap.LARGE if difference < rules.high_threshold else Gap.VERY_LARGE


@states("SHD-30", "SHD-38")
def count_hits(hits: Hits, gap: Gap) -> Hits | None:
    """Hits after this round; None: none."""
    if gap is Gap.SMALL:
        return None
    return Hits(hits.low + 1, hits.high + 1 if gap is Gap.VERY_LARGE else 0)


@states("SHD-30", "SHD-38")
def hit_keys(pair: Pair, edition: Edition) -> tuple[HitKey, ...]:
    """The keys of the hits that a pair's round counts for.

    A broker that is paired with itself, which takes a threshold of 0 or less, counts twice.
    """
    return (pair.emptier, pair.fuller) if edition.avg_hits_per_broker else (pair,)


@states("SHD-30", "SHD-31", "SHD-38")
def enough(hits: Hits, rules: AvgRules) -> bool:
    """Whether these are hits enough to act."""
    return hits.high >= rules.high_hits or hits.low >= rules.low_hits


@states("SHD-33")
def traffic_budget(fuller: float, emptier: float, rules: AvgRules) -> float:
    """The share of a difference in traffic that is to be moved."""
    return (fuller - emptier) * rules.share


@states("SHD-36", "SHD-38")
def dimension_to_move(
    fuller: BrokerReport, emptier: BrokerReport, rules: AvgRules
) -> tuple[Measure, float] | None:
    """What is moved and how much: message rate, else throughput, else nothing."""
    rate = traffic_budget(fuller.traffic.msg_rate, emptier.traffic.msg_rate, rules)
    if rate > rules.min_msg_rate:
        return short_rate, rate
    throughput = traffic_budget(fuller.traffic.throughput, emptier.traffic.throughput, rules)
    if throughput > rules.min_throughput:
        return short_throughput, throughput
    return None


@states("SHD-33", "SHD-35", "SHD-100")
def fits(weight: float, left: float) -> bool:
    """Whether a bundle may go while so much is left: idle ones never."""
    return 0 < weight <= left


@states("SHD-31", "SHD-40", "SHD-41")
def shed_by(
    cluster: Cluster, pair: Pair, rules: AvgRules, edition: Edition
) -> tuple[BundleName, ...]:
    """What the fuller broker of a pair sheds that has waited long enough."""
    fuller, emptier = cluster.brokers[pair.fuller], cluster.brokers[pair.emptier]
    found = dimension_to_move(fuller, emptier, rules)
    if found is None:
        return ()
    if not (edition.avg_moves_sole_bundles or has_several_bundles(fuller, edition)):
        return ()
    measure, budget = found
    weights = heaviest_first(cluster, fuller, measure, edition)
    return fitting(weights, budget, fits, lambda left, weight: left - weight)


@states("SHD-30", "SHD-38")
def count_round(
    hits: Mapping[HitKey, Hits], gaps: Iterable[tuple[Pair, Gap]], edition: Edition
) -> dict[HitKey, Hits]:
    """All keys' hits with this round's.

    Brokers that are in no pair any more keep theirs, except where no pair's difference is large;
    a pair that is no longer a pair starts again.
    """
    gaps = list(gaps)
    if all(gap is Gap.SMALL for _, gap in gaps):
        return {}
    now = dict(hits)
    for pair, gap in gaps:
        for key in hit_keys(pair, edition):
            after = count_hits(now.pop(key, Hits()), gap)
            if after is not None:
                now[key] = after
    if edition.avg_hits_per_broker:
        return now
    return {pair: now[pair] for pair, _ in gaps if pair in now}


@states("SHD-34", "SHD-39")
def plan_bundles(
    plan: Plan, cluster: Cluster, bundles: Iterable[BundleName], to: BrokerId, edition: Edition
) -> Plan:
    """The plan with these bundles for this broker."""
    if edition.avg_plan_by_averages:
        loads = {cluster.bundles[bundle]: to for bundle in bundles}
        return Plan(by_averages={**plan.by_averages, **loads})
    return Plan(by_name={**plan.by_name, **dict.fromkeys(bundles, to)})


def gaps_of(
    scores: Mapping[BrokerId, float], pairs: Iterable[Pair], rules: AvgRules
) -> list[tuple[Pair, Gap]]:
    """How each pair's difference compares with the thresholds."""
    return [(pair, gap_of(scores[pair.fuller] - scores[pair.emptier], rules)) for pair in pairs]


@states("SHD-30", "SHD-31", "SHD-38", "SHD-102", "SHD-103")
def act(
    state: State, cluster: Cluster, pairs: Iterable[Pair], rules: AvgRules, edition: Edition
) -> tuple[State, Decision]:
    """The pairs that have waited long enough shed, the most different first; their hits are spent.

    They are spent even if nothing is moved.
    """
    hits, plan, decision = dict(state.hits), state.plan, {}
    for pair in pairs:
        keys = hit_keys(pair, edition)
        if not any(enough(hits.get(key, Hits()), rules) for key in keys):
            continue
        for key in keys:
            hits.pop(key, None)
        bundles = shed_by(cluster, pair, rules, edition)
        if bundles:
            decision[pair.fuller] = bundles
            plan = plan_bundles(plan, cluster, bundles, pair.emptier, edition)
    return State(hits, plan), decision


@states("SHD-38")
def decide(
    state: State, cluster: Cluster, rules: AvgRules, edition: Edition
) -> tuple[State, Decision]:
    """One round. Source: AvgShedder.findBundlesForUnloading 4.0.8."""
    scores = {broker: score(report, rules) for broker, report in cluster.brokers.items()}
    gaps = gaps_of(scores, pairs_of(ranking(scores, edition)), rules)
    hits = count_round(state.hits, gaps, edition)
    large = [pair for pair, gap in gaps if gap is not Gap.SMALL]
    return act(State(hits, state.plan), cluster, large, rules, edition)
