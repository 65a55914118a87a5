"""Trials of `splitting.due_extensible`."""

from __future__ import annotations

from dataclasses import replace

from evenkeel.properties.draw import Draw, seldom_large, seldom_repeated
from evenkeel.properties.splitting.drawn_loads import (
    BROKERS,
    NAMESPACES,
    PARENT_BUNDLES,
    draw_bundles,
    draw_config,
    draw_counts,
    draw_load,
    draw_many,
    with_many_due,
)
from evenkeel.properties.splitting.due import BundleLoad, bundle_name
from evenkeel.properties.splitting.due_extensible.trial import (
    ExtensibleCycle,
    ExtensibleDueTrial,
    OwnLoad,
)
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.splitting.algorithms import middle
from evenkeel.reference.splitting.settings import SplitRules


def draw_positions(draw: Draw, range_: HashRange) -> tuple[int, ...]:
    """Where an algorithm might cut: mostly the middle, sometimes nowhere or where it must not."""
    lower, upper = range_.lower, range_.upper
    half = middle(lower, upper)
    if upper == TOP_HASH and draw.chance(0.3):
        return (TOP_HASH,)
    if not draw.chance(0.35):
        return (half,)
    quarter = middle(lower, half)
    return draw.pick(
        (
            (),
            (quarter, half),
            (quarter, half, middle(half, upper)),
            (lower,),
            (upper,),
            (half, half),
            (lower, half),
            (lower + 1,),
        )
    )


@seldom_repeated("cycles")
def extensible_trial(draw: Draw) -> ExtensibleDueTrial:
    """One to seven cycles."""
    return seldom_large(draw, draw_trial, 0.012)


def draw_trial(draw: Draw, large: bool) -> ExtensibleDueTrial:
    """The same; in a large one many bundles are due, mostly more than a cycle splits.

    At times they stand behind more than ten that are not.
    """
    config = draw_config(draw)
    bundles = draw_many(draw) if large else draw_bundles(draw, 4)
    if large:
        config = with_many_due(draw, config)
    base = {bundle: own_load(draw, bundle, config) for bundle in bundles}
    if large:
        first = draw.pick((0, 0, 11, 13))
        base = {
            bundle: busy(draw, own) if place >= first else idle(own)
            for place, (bundle, own) in enumerate(base.items())
        }
    counts = dict.fromkeys(NAMESPACES, 20) if large else {}
    cycles = []
    for _ in draw.items(7, 0.75, least=1):
        loads = []
        for bundle, own in base.items():
            change = draw.integer(0, 9)
            if change <= 6:
                loads.append(own)
            elif change == 7:
                loads.append(OwnLoad(own.load, False, own.positions))
            elif change == 8:
                loads.append(own_load(draw, bundle, config))
        splitting = draw_splitting(draw, bundles) if draw.chance(0.2) else ()
        counted = draw_counts(draw, [] if large else bundles, config, counts)
        cycles.append(ExtensibleCycle(tuple(loads), counted, splitting))
    return ExtensibleDueTrial(config, tuple(cycles))


def busy(draw: Draw, own: OwnLoad) -> OwnLoad:
    """The same bundle, mostly with more topics than fit, and where it is to be cut."""
    if draw.chance(0.1):
        return own
    range_ = bundle_name(own.load.bundle).range
    return OwnLoad(replace(own.load, topics=100), True, (middle(range_.lower, range_.upper),))


def idle(own: OwnLoad) -> OwnLoad:
    """The same bundle without load."""
    calm = BundleLoad(own.load.bundle, own.load.broker, 2, 0, 0, 0.0, 0.0, 0.0, 0.0)
    return replace(own, load=calm)


def own_load(draw: Draw, bundle: str, config: SplitRules) -> OwnLoad:
    """What the broker knows of a bundle, which it mostly owns."""
    load = draw_load(draw, bundle, BROKERS[0], config)
    positions = draw_positions(draw, bundle_name(bundle).range)
    return OwnLoad(load, not draw.chance(0.07), positions)


def draw_splitting(draw: Draw, bundles: list[str]) -> tuple[str, ...]:
    """Bundles in state Splitting: reported ones, and parents of reported ones."""
    pool = (*bundles, *PARENT_BUNDLES) if draw.chance(0.5) else tuple(bundles)
    return tuple(draw.sample(pool, 2))
