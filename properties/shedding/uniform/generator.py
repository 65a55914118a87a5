"""Trials of `shedding.uniform`: brokers of different traffic."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.draw import Draw, seldom_large
from evenkeel.properties.shedding.cluster_builder import (
    BYTES,
    MEBIBYTE,
    ClusterBuilder,
    Units,
    draw_grace,
    draw_rounds,
    draw_unloaded,
    seldom_long,
    with_shared,
)
from evenkeel.properties.shedding.rounds import ModularRound
from evenkeel.properties.shedding.uniform.trial import UniformTrial
from evenkeel.reference.load.usage import Resources
from evenkeel.reference.shedding.uniform import UniformRules

NEARLY_NOTHING: Final = 1e-6
HUGE: Final = 2048.0 * MEBIBYTE


def uniform_trial(draw: Draw) -> UniformTrial:
    """A few rounds with brokers of different traffic."""
    return seldom_large(draw, draw_trial, 0.03)


def draw_trial(draw: Draw, large: bool) -> UniformTrial:
    config = UniformRules(
        grace_minutes=draw_grace(draw),
        rate_difference=draw.pick((50.0, 50.0, 0.0, 100.0, 300.0, 10.0, -1.0)),
        throughput_ratio=draw.pick((4.0, 4.0, 2.0, 1.5, 1.1, 0.0, -1.0)),
        share=draw.pick((0.2, 0.2, 0.5, 1.0, 0.0)),
        min_msg_rate=draw.pick((1000, 1000, 0, 100, 2000, -5)),
        min_throughput=draw.pick((MEBIBYTE, MEBIBYTE, 0, 10 * MEBIBYTE)),
        max_bundles=draw.pick((-1, -1, -1, 1, 2, 0, -2)),
    )
    floor = HUGE * 1.5 if draw.chance(0.15) else 0.0
    units = Units(draw.pick((1000.0, 100.0, 1.0, 60.0)), draw.pick((*BYTES, HUGE)), floor)
    builder = ClusterBuilder(draw, units, lambda d: Resources(), 0.25, [], [])
    rounds = draw_rounds(builder, 3, 4, 6, large)
    if draw.chance(0.04):
        rounds = (nearly_idle(rounds[0]), *rounds[1:])
    if draw.chance(0.08):
        config = replace(config, rate_difference=lead_of(rounds[0]) or config.rate_difference)
    unloaded = draw_unloaded(draw, rounds[0], config.grace_minutes)
    rounds = with_shared(draw, rounds)
    if not large:
        rounds = seldom_long(draw, rounds)
    if draw.chance(0.04):  # drawn last, so that all other trials are as they were
        config = replace(config, max_bundles=draw.pick((3, 4, 7)))
    return UniformTrial(config=config, recently_unloaded=unloaded, rounds=rounds)


def lead_of(first: ModularRound) -> float:
    """By how many percent the busiest broker leads: a threshold that is met and not exceeded."""
    rates = [one.traffic.msg_rate_in + one.traffic.msg_rate_out for one in first.brokers]
    least = min(rates, default=0.0)
    return (max(rates) - least) * 100 / least if least > 0 else 0.0


def nearly_idle(first: ModularRound) -> ModularRound:
    """A round in which a broker has just so much traffic as still counts as none."""
    idle = [
        replace(one, traffic=replace(one.traffic, msg_rate_in=NEARLY_NOTHING, msg_rate_out=0.0))
        for one in first.brokers[:1]
    ]
    return replace(first, brokers=(*idle, *first.brokers[1:]))
