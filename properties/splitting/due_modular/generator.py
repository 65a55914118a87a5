"""Trials of `splitting.due_modular`."""

from __future__ import annotations

from dataclasses import replace

from evenkeel.properties.draw import Draw, seldom_large, seldom_repeated
from evenkeel.properties.splitting.drawn_loads import (
    BROKERS,
    NAMESPACES,
    draw_bundles,
    draw_config,
    draw_counts,
    draw_load,
    draw_many,
    with_many_due,
)
from evenkeel.properties.splitting.due import BundleLoad
from evenkeel.properties.splitting.due_modular.trial import ModularDueTrial, ModularRound
from evenkeel.reference.splitting.settings import SplitRules


@seldom_repeated("rounds")
def modular_trial(draw: Draw) -> ModularDueTrial:
    """One to five rounds."""
    return seldom_large(draw, draw_trial)


def draw_trial(draw: Draw, large: bool) -> ModularDueTrial:
    """The same; a large one has many bundles."""
    config = draw_config(draw)
    bundles = draw_many(draw) if large else draw_bundles(draw, 6)
    if large:
        config = with_many_due(draw, config)
    base = {bundle: draw_load(draw, bundle, draw.pick(BROKERS), config) for bundle in bundles}
    counts = dict.fromkeys(NAMESPACES, 20) if large else {}
    rounds = []
    for _ in draw.items(5, 0.6, least=1):
        loads = []
        for bundle, load in base.items():
            if draw.chance(0.05):
                continue
            again = draw_load(draw, bundle, load.broker, config) if draw.chance(0.2) else load
            loads.append(again)
            if draw.chance(0.025):
                loads.append(also_of_another(draw, again, config))
        rounds.append(
            ModularRound(tuple(loads), draw_counts(draw, [] if large else bundles, config, counts))
        )
    leader = not draw.chance(0.05)
    known = draw.pick((2, 3, 1, 0)) if draw.chance(0.2) else 2
    return ModularDueTrial(config, leader, known, tuple(rounds))


def also_of_another(draw: Draw, load: BundleLoad, config: SplitRules) -> BundleLoad:
    """The bundle changes its broker: another one reports it as well, with its own numbers."""
    others = [broker for broker in BROKERS if broker != load.broker]
    if draw.chance(0.5):
        return replace(load, broker=draw.pick(others))
    return draw_load(draw, load.bundle, draw.pick(others), config)
