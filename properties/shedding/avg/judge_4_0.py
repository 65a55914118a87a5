"""The rounds of 4.0, exactly (SHD-38 to SHD-40)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from evenkeel.properties.judging.run import Run
from evenkeel.properties.shedding.avg.judge_round import AvgRound, Pair
from evenkeel.properties.shedding.avg.trial import AvgConfig
from evenkeel.properties.shedding.observed import msg_rate, own_bundles, throughput

Hits: TypeAlias = tuple[int, int]
"""Of the low threshold, and of the high one."""

BrokerHits: TypeAlias = frozenset[tuple[str, Hits]]


def round_of_4_0(run: Run, now: AvgRound, before: BrokerHits) -> BrokerHits:
    """Hits are counted for each broker; a pair acts if any of the four counts is enough."""
    config, sources = now.config, now.sources
    pairings = now.places.pairings(config.low_threshold)
    large = pairings[run.pick(len(pairings))]
    hits = counted(now, large, dict(before))
    gone = sources - {pair.fuller for pair in large}
    why = f"{now.name}: {sorted(gone)} shed, but are not the fuller of a pair"
    run.require("SHD-32", not gone, why, "pair")
    run.require("SHD-38", not gone, why, "pair")
    for pair in large:
        ends = {pair.fuller, pair.emptier}
        acts = any(enough(hits.get(end, (0, 0)), config) for end in ends)
        expected = weights_of_4_0(now, pair) if acts else []
        as_expected(run, now, pair, expected)
        if pair.fuller in sources:
            now.right_amount(run, pair)
        if acts:
            hits = {broker: count for broker, count in hits.items() if broker not in ends}
    planned_by_averages(run, now, large)
    return frozenset(hits.items())


def counted(now: AvgRound, large: Sequence[Pair], hits: dict[str, Hits]) -> dict[str, Hits]:
    """The hits with this round's. Those of brokers that are gone stay until no pair differs
    enough; a broker that is paired with itself is hit twice.
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


def enough(hits: Hits, config: AvgConfig) -> bool:
    """Whether a broker has waited long enough."""
    return hits[0] >= config.low_hits or hits[1] >= config.high_hits


def weights_of_4_0(now: AvgRound, pair: Pair) -> list[float]:
    """What leaves the fuller broker: message rate, if the budget is more than its minimum, else
    throughput, if that is; heaviest first, each bundle that fits what is left.
    """
    for amount in now.amounts(pair):
        left = amount.budget.value
        if left > amount.least.value:
            break
    else:
        return []
    found = []
    for weight in sorted(amount.weights.values(), reverse=True):
        if 0 < weight <= left:
            found.append(weight)
            left -= weight
    return found


def as_expected(run: Run, now: AvgRound, pair: Pair, expected: Sequence[float]) -> None:
    """The fuller broker of a pair sheds bundles of these weights, of which it may be the last."""
    shed = now.seen.shed.get(pair.fuller, ())
    sole = bool(expected) and own_bundles(now.seen.brokers[pair.fuller].bundles) == 1
    measures = (msg_rate, throughput) if expected else (msg_rate,)
    averages = now.seen.averages
    observed = [
        [measure(averages[bundle].short_term) if bundle in averages else 0.0 for bundle in shed]
        for measure in measures
    ]
    run.require(
        "SHD-40" if sole else "SHD-38",
        list(expected) in observed,
        lambda: (
            f"{now.name}: {pair.fuller} sheds {', '.join(shed) or 'nothing'}, "
            f"must be bundles of {expected}"
        ),
    )


def planned_by_averages(run: Run, now: AvgRound, large: Sequence[Pair]) -> None:
    """SHD-39: of bundles with equal averages the one planned last decides where all of them go."""
    averages, plan = now.seen.averages, dict[object, str]()
    known = [
        (pair, bundle, (averages[bundle].short_term, averages[bundle].long_term))
        for pair in large
        for bundle in now.targets.get(pair.fuller, ())
        if bundle in averages
    ]
    plan.update((key, pair.emptier) for pair, _, key in known)
    for pair, bundle, key in known:
        to = now.targets[pair.fuller][bundle]
        why = f"{now.name}: {bundle} is planned for {to}, must be {plan[key]}"
        run.require("SHD-39", to == plan[key], why)
