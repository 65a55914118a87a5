"""Trials of `shedding.overload`: brokers about at the threshold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evenkeel.properties.draw import Draw, seldom_large
from evenkeel.properties.load.weighing import draw_weighing
from evenkeel.properties.shedding.cluster_builder import (
    BYTES,
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
from evenkeel.properties.shedding.overload.trial import OverloadTrial
from evenkeel.reference.shedding.overload import OverloadRules


def around(draw: Draw, middle: float) -> float:
    """A percentage at a threshold, just beside it, or elsewhere."""
    sort = draw.integer(0, 5)
    if sort < 3:
        return max(middle + draw.pick((0.0, 0.1, -0.1, 5.0, -5.0)), 0.0)
    return draw.pick((50.0, 99.9, 10.0, 200.0, 0.0, 95.0))


def overload_trial(draw: Draw) -> OverloadTrial:
    """A few rounds with brokers about at the threshold."""
    return seldom_large(draw, draw_trial, 0.03)


def draw_trial(draw: Draw, large: bool) -> OverloadTrial:
    threshold = draw.pick((85, 53, 50, 10, 0, 100, 59))
    config = OverloadRules(
        overloaded_percent=threshold,
        grace_minutes=draw_grace(draw),
        **draw_weights(draw),
    )
    units = Units(draw.pick((100.0, 1.0)), draw.pick(BYTES))
    builder = ClusterBuilder(draw, units, lambda d: percent(d, around(d, threshold)), 0.2, [], [])
    rounds = draw_rounds(builder, 4, 3, 6, large)
    unloaded = draw_unloaded(draw, rounds[0], config.grace_minutes)
    rounds = with_shared(draw, rounds)
    if weighing := draw_weighing(draw):
        weight: dict[str, Any] = {f"{weighing.name}_weight": weighing.weight}
        config = replace(config, cpu_weight=1.0, **weight)
        rounds = tuple(weighed(weighing, round_) for round_ in rounds)
    if not large:
        rounds = seldom_long(draw, rounds)
    return OverloadTrial(config=config, recently_unloaded=unloaded, rounds=rounds)
