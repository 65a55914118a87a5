"""The rounds of 4.0, exactly (SHD-38 to SHD-40)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from evenkeel.properties.shedding.avg.rounds import AvgRound, Pair
from evenkeel.properties.shedding.judge_parts import msg_rate, own_bundles, throughput
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.run import Run

Hits: TypeAlias = tuple[int, int]
"""Hits of the low threshold, and of the high one."""

Weights: TypeAlias = tuple[Callable[[Traffic], float], tuple[float, ...]]
"""The dimension that is moved, message rate or throughput, and each bundle's share of it."""

IDLE: Final[Weights] = (msg_rate, ())
BrokerHits: TypeAlias = frozenset[tuple[str, Hits]]


def round_of_4_0(run: Run, now: AvgRound, before: BrokerHits) -> BrokerHits:
    """Hits are counted for each broker; a pair acts if any of the four counts is enough."""
    config, sources = now.config, now.sources
    pairings = now.places.pairings(config.low_threshold)
    large = pairings[run.pick(len(pairings))]
    hits = count_hits(now, large, dict(before))
    fuller_ones(run, now, large)
    for pair in large:
        ends = {pair.fuller, pair.emptier}
        acts = any(enough(hits.get(end, (0, 0)), config) for end in ends)
        as_expected(run, now, pair, weights_of_4_0(now, pair) if acts else IDLE)
        if pair.fuller in sources:
            now.right_amount(run, pair)
        if acts:
            hits = {broker: count for broker, count in hits.items() if broker not in ends}
    planned_by_averages(run, now, large)
    return frozenset(hits.items())


def fuller_ones(run: Run, now: AvgRound, large: Sequence[Pair]) -> None:
    """Only the fuller broker of a pair that differs enough sheds."""
    others = now.sources - {pair.fuller for pair in large}
    why = f"{now.name}: {display(sorted(others))} shed, but are not the fuller of a pair"
    run.require("SHD-32", not others, why, "pair")
    run.require("SHD-38", not others, why, "pair")


def count_hits(now: AvgRound, large: Sequence[Pair], hits: dict[str, Hits]) -> dict[str, Hits]:
    """The hits with this round's. Those of brokers that left stay until no pair differs enough; a
    broker that is paired with itself is hit twice.
    """
    if not large:
        return {}
    config = now.config
    after = {broker: count for broker, count in hits.items() if broker not in now.seen.brokers}
    for pair in large:
        high = pair.difference.value >= config.high_threshold
        for end in (pair.emptier, pair.fuller):
            before = after[end] if end in after else hits.get(end, (0, 0))
            after[end] = before[0] + 1, (before[1] + 1) * high
    return after


def enough(hits: Hits, config: AvgRules) -> bool:
    """Whether a broker has enough hits to act."""
    return hits[0] >= config.low_hits or hits[1] >= config.high_hits


def weights_of_4_0(now: AvgRound, pair: Pair) -> Weights:
    """What leaves the fuller broker: message rate, if the budget is more than its minimum, else
    throughput, if that budget is; heaviest first, each bundle that fits the remaining budget.
    """
    moved = [
        (measure, amount)
        for measure, amount in zip((msg_rate, throughput), now.amounts(pair), strict=True)
        if amount.budget.value > amount.least.value
    ]
    if not moved:
        return IDLE
    measure, amount = moved[0]
    left = amount.budget.value
    found = []
    for weight in sorted(amount.weights.values(), reverse=True):
        if 0 < weight <= left:
            found.append(weight)
            left -= weight
    return measure, tuple(found)


def as_expected(run: Run, now: AvgRound, pair: Pair, right: Weights) -> None:
    """The fuller broker of a pair sheds bundles of these weights; the last may be its sole one."""
    measure, expected = right
    shed = now.seen.shed.get(pair.fuller, ())
    served = now.seen.brokers[pair.fuller].bundles
    sole = bool(expected) and own_bundles(served, now.seen.edition.clustered_monitors) == 1
    averages = now.seen.averages
    observed = tuple(
        measure(averages[bundle].short_term) if bundle in averages else 0.0 for bundle in shed
    )
    run.require(
        "SHD-40" if sole else "SHD-38",
        observed == expected,
        lambda: (
            f"{now.name}: {pair.fuller} sheds {', '.join(shed) or 'nothing'}, "
            f"must be bundles of {display(expected)}"
        ),
    )


def plan_key(now: AvgRound, bundle: str) -> object:
    """SHD-39: the key of a bundle in the plan: its averages, or itself."""
    if (known := now.seen.averages.get(bundle)) is None:
        return None
    return (known.short_term, known.long_term) if now.seen.edition.avg_plan_by_averages else bundle


def planned_by_averages(run: Run, now: AvgRound, large: Sequence[Pair]) -> None:
    """SHD-39: of bundles with equal averages, in PULSAR_3_3 of pairs that shed one bundle, the one
    planned last decides for all.
    """
    plan = dict[object, str]()
    known = [
        (pair, bundle, plan_key(now, bundle))
        for pair in large
        for bundle in now.targets.get(pair.fuller, ())
        if bundle in now.seen.averages
    ]
    plan.update((key, pair.emptier) for pair, _, key in known)
    for pair, bundle, key in known:
        to = now.targets[pair.fuller][bundle]
        why = f"{now.name}: {bundle} is planned for {display(to)}, must be {plan[key]}"
        run.require("SHD-39", to == plan[key], why)
