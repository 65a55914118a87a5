"""Trials of `shedding.threshold`: usages a threshold apart, histories that lag behind them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.draw import Draw, seldom_large
from evenkeel.properties.load.weighing import draw_weighing
from evenkeel.properties.shedding.cluster_builder import (
    MEBIBYTE,
    ClusterBuilder,
    Units,
    draw_grace,
    draw_rounds,
    draw_unloaded,
    draw_weights,
    percent,
    seldom_long,
    weighed,
    with_shared,
)
from evenkeel.properties.shedding.rounds import ModularRound, ReportedBroker
from evenkeel.properties.shedding.threshold.trial import (
    Membership,
    ThresholdTrial,
)
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding.cluster import MINUTE
from evenkeel.reference.shedding.threshold import ThresholdRules

USAGES: Final = (40.0, 10.0, 20.0, 30.0, 80.0, 5.0, 60.0, 0.0, 90.0, 50.0, 140.0, 12.0, 70.0)
NO_WEIGHTS: Final = dict.fromkeys(
    ("cpu_weight", "direct_memory_weight", "bandwidth_in_weight", "bandwidth_out_weight"), 0.0
)


def threshold_trial(draw: Draw) -> ThresholdTrial:
    """A few rounds with brokers about a threshold from the average."""
    return seldom_large(draw, draw_trial, 0.02)


def draw_trial(draw: Draw, large: bool) -> ThresholdTrial:
    threshold = draw.pick((10, 10, 10, 0, 5, 20, 40))
    config = ThresholdRules(
        grace_minutes=draw_grace(draw),
        **(NO_WEIGHTS if draw.chance(0.03) else draw_weights(draw)),
        threshold_percentage=threshold,
        history=draw.pick((0.9, 0.9, 0.5, 0.0, 1.0, 0.1)),
        min_throughput=draw.pick((10.0, 0.0, 1.0, 10.0, 0.5)),
        lower_boundary=draw.chance(0.5),
    )
    units = Units(100.0, draw.pick((10.0 * MEBIBYTE, 1.0 * MEBIBYTE, 100.0 * MEBIBYTE)))
    builder = ClusterBuilder(draw, units, lambda d: percent(d, draw_usage(d)), 0.2, [], [])
    rounds = draw_rounds(builder, 5, 6 if draw.chance(0.3) else 4, 5, large)
    if draw.chance(0.1):
        rounds = with_gap(draw, rounds[0])
    unloaded = draw_unloaded(draw, rounds[0], config.grace_minutes)
    memberships = draw_memberships(draw, len(rounds), [b.broker for b in rounds[0].brokers])
    rounds = with_shared(draw, rounds)
    if memberships and draw.chance(0.5):
        memberships = with_more(draw, memberships, len(rounds), rounds[0])
    if weighing := draw_weighing(draw):
        weight: dict[str, Any] = {f"{weighing.name}_weight": weighing.weight}
        config = replace(config, cpu_weight=1.0, **weight)
        rounds = tuple(weighed(weighing, round_) for round_ in rounds)
    if not large:
        rounds = seldom_long(draw, rounds)
    return ThresholdTrial(
        config=config, recently_unloaded=unloaded, rounds=rounds, memberships=memberships
    )


def with_gap(draw: Draw, first: ModularRound) -> tuple[ModularRound, ...]:
    """One broker is full, misses a round, and is idle then; or the other way round.

    Nobody says that it is not there: what it was before counts on.
    """
    if not first.brokers:
        return (first,)
    number = draw.integer(0, len(first.brokers) - 1)
    before, after = draw.pick(((90.0, 10.0), (10.0, 90.0)))
    others = [used(reported, 10.0) for reported in first.brokers]
    rounds = []
    for place in range(draw.integer(3, 4)):
        brokers = [*others]
        brokers[number] = used(others[number], after if place else before)
        if place == 1:
            brokers.pop(number)
        at = first.at + place * (30 * MINUTE + 1)
        rounds.append(replace(first, at=at, brokers=tuple(brokers)))
    return tuple(rounds)


def used(reported: ReportedBroker, percentage: float) -> ReportedBroker:
    """The broker with its processor used so much."""
    return replace(reported, resources=Resources(cpu=Resource(percentage, 100.0)))


def draw_usage(draw: Draw) -> float:
    """A round percentage, or any."""
    if draw.chance(0.8):
        return draw.pick(USAGES)
    return float(draw.integer(0, 100)) + draw.pick((0.0, 0.1, 0.5))


def draw_memberships(draw: Draw, rounds: int, brokers: list[str]) -> tuple[Membership, ...]:
    """Sometimes brokers go and come back between two rounds."""
    if rounds < 2 or not draw.chance(0.25):
        return ()
    return (Membership(draw.integer(1, rounds - 1), tuple(draw.sample(brokers, len(brokers)))),)


def with_more(
    draw: Draw, memberships: tuple[Membership, ...], rounds: int, first: ModularRound
) -> tuple[Membership, ...]:
    """Who is there changes again before some later rounds, mostly by a few."""
    brokers = [reported.broker for reported in first.brokers]
    more = [*memberships]
    for place in range(memberships[0].round + 1, rounds):
        if draw.chance(0.6):
            gone = draw.sample(brokers, 2)
            more.append(Membership(place, tuple(b for b in brokers if b not in gone)))
    return tuple(more)
