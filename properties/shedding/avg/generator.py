"""Trials of `shedding.avg`."""

from __future__ import annotations

from dataclasses import replace

from evenkeel.properties.draw import Draw, seldom_large
from evenkeel.properties.shedding.avg.trial import AvgTrial
from evenkeel.properties.shedding.cluster_builder import (
    BYTES,
    MEBIBYTE,
    ClusterBuilder,
    Units,
    draw_grace,
    draw_rounds,
    draw_unloaded,
    draw_weights,
    percent,
    seldom_long,
    with_shared,
)
from evenkeel.reference.shedding.avg import AvgRules


def avg_trial(draw: Draw) -> AvgTrial:
    """Rounds enough to collect hits, with brokers whose scores differ by about a threshold."""
    return seldom_large(draw, draw_trial, 0.02)


def draw_trial(draw: Draw, large: bool) -> AvgTrial:
    low, high = draw.pick(
        ((15, 40), (15, 40), (10, 20), (5, 45), (20, 20), (1, 100), (0, 0), (40, 15))
    )
    config = AvgRules(
        grace_minutes=draw_grace(draw),
        low_threshold=low,
        high_threshold=high,
        low_hits=draw.pick((8, 2, 3, 6, 1, 4, 7, 0)),
        high_hits=draw.pick((2, 2, 1, 3, 0)),
        share=draw.pick((0.5, 0.2, 0.5, 1.0)),
        min_msg_rate=draw.pick((0, 1000, 0, 500, 2500)),
        min_throughput=draw.pick((0, MEBIBYTE, 0, 10 * MEBIBYTE)),
        **draw_weights(draw),
    )
    scores: tuple[float, ...] = (20.0, 80.0, 30.0, 70.0, 95.0, 50.0, 52.0, 53.0)
    scores = (*scores, 30.0 + low, 30.0 + high, 31.0, 29.5)
    if large and draw.chance(0.7):  # many brokers are equally full, and what they shed is seen
        # With a threshold of 0 or less equals that are paired with each other are hit, too.
        config = replace(config, high_hits=1, low_threshold=draw.pick((low, low, 0, -1)))
        scores = draw.pick(((95.0, 20.0), (95.0, 50.0, 20.0), (50.0,)))
    units = Units(draw.pick((1000.0, 250.0, 1.0)), draw.pick(BYTES))
    builder = ClusterBuilder(
        draw, units, lambda d: percent(d, d.pick(scores)), 0.2, [], [], restless=0.5
    )
    rounds = draw_rounds(builder, 9, 5, 5, large)
    unloaded = draw_unloaded(draw, rounds[0], config.grace_minutes)
    rounds = with_shared(draw, rounds)
    if not large:
        rounds = seldom_long(draw, rounds)
    return AvgTrial(config=config, recently_unloaded=unloaded, rounds=rounds)
