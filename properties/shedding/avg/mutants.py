"""Mutants of AvgShedder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cmp_to_key
from typing import Any, Final

from evenkeel.properties.load.comparing import usage_in_doubles
from evenkeel.properties.mutant import Mutant
from evenkeel.properties.mutant_maker import (
    Function,
    Make,
    defect,
    equivalent,
    first,
    switched,
    then,
)
from evenkeel.properties.shedding.mutants import long_rate
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.shedding import avg
from evenkeel.reference.shedding.avg import AvgRules, Gap, Hits, Pair, Party
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport, BundleName, Cluster
from evenkeel.reference.shedding.selecting import Measure, short_throughput

Move = tuple[Measure, float] | None


def _by_whole_points(original: Function) -> Function:
    def ranking(scores: Mapping[BrokerId, float]) -> list[BrokerId]:
        def compare(one: BrokerId, other: BrokerId) -> int:
            return int(scores[one] - scores[other])

        return sorted(scores, key=cmp_to_key(compare))

    return ranking


def _reversed_equals(original: Function) -> Function:
    def ranking(scores: Mapping[BrokerId, float]) -> list[BrokerId]:
        ranked: list[BrokerId] = original(dict(reversed([*scores.items()])))
        return ranked

    return ranking


def _chained(original: Function) -> Function:
    def pairs_of(ranked: Sequence[BrokerId]) -> list[Pair]:
        if len(ranked) < 3:
            pairs: list[Pair] = original(ranked)
            return pairs
        return [Pair(ranked[-1], ranked[-2]), Pair(ranked[-2], ranked[0])]

    return pairs_of


def _beyond(original: Function) -> Function:
    def gap_of(difference: float, rules: AvgRules) -> Gap:
        if difference <= rules.low_threshold:
            return Gap.SMALL
        return Gap.LARGE if difference <= rules.high_threshold else Gap.VERY_LARGE

    return gap_of


def _later(rules: AvgRules) -> AvgRules:
    return replace(rules, low_hits=rules.low_hits + 1, high_hits=rules.high_hits + 1)


def _sooner(rules: AvgRules) -> AvgRules:
    return replace(rules, low_hits=rules.low_hits - 1, high_hits=rules.high_hits - 1)


def _one_at_least(rules: AvgRules) -> AvgRules:
    return replace(rules, low_hits=max(rules.low_hits, 1), high_hits=max(rules.high_hits, 1))


def _counted_apart(original: Function) -> Function:
    def decide(state: avg.State, cluster: Cluster, rules: AvgRules, edition: Edition) -> Any:
        scores = {broker: avg.score(report, rules) for broker, report in cluster.brokers.items()}
        hits: dict[Party, Hits] = {}
        large = []
        for pair in avg.pairs_of(avg.ranking(scores)):
            difference, before = scores[pair.fuller] - scores[pair.emptier], state.hits.get(pair)
            low, high = difference >= rules.low_threshold, difference >= rules.high_threshold
            if low or high:
                before = before or Hits()
                hits[pair] = Hits((before.low + 1) * low, (before.high + 1) * high)
            if low:
                large.append(pair)
        return avg.act(avg.State(hits, state.plan), cluster, large, rules, edition)

    return decide


def _high_alone(original: Function) -> Function:
    def decide(state: avg.State, cluster: Cluster, rules: AvgRules, edition: Edition) -> Any:
        rules = _one_at_least(rules)
        scores = {broker: avg.score(report, rules) for broker, report in cluster.brokers.items()}
        hits: dict[Party, Hits] = {}
        acting = []
        for pair in avg.pairs_of(avg.ranking(scores)):
            difference = scores[pair.fuller] - scores[pair.emptier]
            low, high = difference >= rules.low_threshold, difference >= rules.high_threshold
            before = state.hits.get(pair, Hits())
            now = Hits((before.low + 1) * low, (before.high + 1) * high)
            if low or high:
                hits[pair] = now
            if now.low >= rules.low_hits or now.high >= rules.high_hits:
                acting.append(pair)
        return avg.act(avg.State(hits, state.plan), cluster, acting, rules, edition)

    return decide


def _throughput_first(original: Function) -> Function:
    def dimension(fuller: BrokerReport, emptier: BrokerReport, rules: AvgRules) -> Move:
        budget = avg.traffic_budget(fuller.traffic.throughput, emptier.traffic.throughput, rules)
        if budget > rules.min_throughput:
            return short_throughput, budget
        found: Move = original(fuller, emptier, rules)
        return found

    return dimension


def _spent_with_a_move_only(original: Function) -> Function:
    def act(state: avg.State, cluster: Any, pairs: Any, rules: AvgRules, edition: Edition) -> Any:
        after, decision = original(state, cluster, pairs, rules, edition)
        kept = dict(after.hits)
        for pair in pairs:
            if pair.fuller not in decision:
                parties = avg.parties_of(pair, edition)
                kept |= {p: state.hits[p] for p in parties if p in state.hits}
        return replace(after, hits=kept), decision

    return act


def _lightest_first(weights: dict[BundleName, float]) -> dict[BundleName, float]:
    return dict(reversed(weights.items()))


def _unlike_4_0(name: str, function: str, make: Make, story: str) -> Mutant:
    return defect(f"avg-{name}", avg, function, make, story, edition=PULSAR_4_0)


MUTANTS: Final[tuple[Mutant, ...]] = (
    defect(
        "avg-weighed-by-long-term-averages",
        avg,
        "short_rate",
        lambda _: long_rate,
        "What was heavy an hour ago goes; what is heavy now stays.",
    ),
    equivalent(
        "avg-high-threshold-alone",
        avg,
        "decide",
        _high_alone,
        "A difference that reaches the high threshold is enough, even below the low one: document "
        "002 gives each threshold its own count.",
    ),
    defect(
        "avg-acts-too-soon",
        avg,
        "enough",
        first(1, _sooner),
        "Every ripple moves bundles.",
    ),
    defect(
        "avg-acts-too-late",
        avg,
        "enough",
        first(1, _later),
        "A rolling restart takes a round longer to be levelled.",
    ),
    defect(
        "avg-hits-of-brokers",
        avg,
        "decide",
        switched(avg_hits_per_broker=True),
        "A broker sheds on its first large difference, because its partner had one before.",
    ),
    defect(
        "avg-ranked-by-whole-points",
        avg,
        "ranking",
        _by_whole_points,
        "Brokers less than a point apart count as equal: twelve in a row are never balanced.",
        "24954",
    ),
    defect(
        "avg-pairs-in-a-chain",
        avg,
        "pairs_of",
        _chained,
        "A broker sheds what it receives in the same round.",
    ),
    _unlike_4_0(
        "hits-of-pairs",
        "decide",
        switched(avg_hits_per_broker=False),
        "Other than 4.0 a pair's hits are its own.",
    ),
    _unlike_4_0(
        "plan-by-name",
        "planned",
        switched(avg_plan_by_averages=False),
        "Each bundle has a destination of its own.",
    ),
    _unlike_4_0(
        "keeps-sole-bundles",
        "shed_by",
        switched(avg_moves_sole_bundles=False),
        "A sole bundle stays, as the warning says.",
    ),
    equivalent(
        "avg-thresholds-are-exceeded",
        avg,
        "gap_of",
        _beyond,
        "A difference of exactly the threshold does not count, as the document's words are.",
    ),
    equivalent(
        "avg-in-doubles",
        avg,
        "max_weighted_usage",
        lambda _: usage_in_doubles,
        "Usage is worked out in double precision.",
    ),
    equivalent(
        "avg-hits-counted-apart",
        avg,
        "decide",
        _counted_apart,
        "Below a low threshold that is above the high one, hits of the high one go on.",
    ),
    equivalent(
        "avg-no-hits-are-one",
        avg,
        "enough",
        first(1, _one_at_least),
        "A hit count of 0 is taken for 1.",
    ),
    equivalent(
        "avg-hits-kept-until-a-move",
        avg,
        "act",
        _spent_with_a_move_only,
        "A pair that had nothing to move acts as soon as it has.",
    ),
    equivalent(
        "avg-throughput-before-rate",
        avg,
        "dimension_to_move",
        _throughput_first,
        "Throughput is levelled before message rate.",
    ),
    equivalent(
        "avg-lightest-first",
        avg,
        "heaviest_first",
        then(_lightest_first),
        "Many light bundles go instead of one heavy one.",
    ),
    equivalent(
        "avg-equal-scores-in-another-order",
        avg,
        "ranking",
        _reversed_equals,
        "Of brokers with equal scores another one is the fullest.",
        PULSAR_4_0,
    ),
)
