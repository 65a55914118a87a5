"""Trials of `splitting.manual`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.bundles.drawing import NAMESPACES, draw_boundaries, draw_hash
from evenkeel.properties.draw import Draw
from evenkeel.properties.splitting.applying.generator import not_quite
from evenkeel.properties.splitting.manual.trial import BundleHeat, Manager, ManualTrial
from evenkeel.properties.splitting.positions.generator import (
    draw_limits,
    draw_load,
    draw_names,
    draw_positions,
    just_above_the_margin,
)
from evenkeel.reference.bundles.boundaries import bundles_of
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.splitting.algorithms import SplitAlgorithm

_ALL: Final = tuple(algorithm.value for algorithm in SplitAlgorithm)
_REQUESTED: Final = ("", *_ALL, *_ALL, "thirds", " ")
_DEFAULTS: Final = (*_ALL, SplitAlgorithm.FLOW.value, SplitAlgorithm.RANGE.value, "thirds")
_EVERYWHERE: Final = HashRange(0, TOP_HASH)
_BELOW_LAST: Final = HashRange(0, TOP_HASH - 1)


def draw_heat(draw: Draw, bundles: tuple[HashRange, ...]) -> tuple[BundleHeat, ...]:
    """What the leader knows of the bundles, also of some without topics."""
    heat = []
    for bundle in bundles:
        if draw.chance(0.85):
            topics = draw.pick((2, 1, 0))
            heat.append(BundleHeat(bundle, topics, float(draw.integer(0, 4) * 1000)))
    return tuple(heat)


def draw_selector(draw: Draw, target: HashRange, boundaries: tuple[int, ...]) -> str:
    """The bundle by range, by size, by heat, or a range that is no bundle."""
    sort = draw.integer(0, 10)
    if sort <= 4:
        return target.name
    if sort <= 6:
        return "LARGEST"
    if sort <= 8:
        return "HOT"
    other = not_quite(draw, target, boundaries)
    if draw.chance(0.7):
        return other.name
    return draw.pick((f"{target.name}0", "0xffffffff_0xffffffff", "0x0"))


def draw_supported(draw: Draw) -> tuple[str, ...]:
    """Mostly all algorithms; sometimes one is missing, sometimes there is one more."""
    if draw.chance(0.8):
        return _ALL
    missing = draw.pick(_ALL)
    return (*(name for name in _ALL if name != missing), "thirds")


def manual_trial(draw: Draw) -> ManualTrial:
    """Every selector, algorithm and manager; topics close to the boundaries."""
    manager = draw.pick((Manager.MODULAR, Manager.EXTENSIBLE))
    namespace = draw.pick(NAMESPACES)
    boundaries = draw_boundaries(draw, 3)
    bundles = bundles_of(boundaries)
    target = draw.pick(bundles)
    selector = draw_selector(draw, target, boundaries)
    limits = draw_limits(draw)
    if selector in ("LARGEST", "HOT") or draw.chance(0.3):
        area = _EVERYWHERE if draw.chance(0.2) else _BELOW_LAST
        names = draw_names(draw, area, namespace, 6, boundaries)
    else:
        names = draw_names(draw, target, namespace, 6)
    positions = draw_positions(draw, target, 3) if draw.chance(0.7) else (draw_hash(draw),)
    algorithm, default = draw.pick(_REQUESTED), draw.pick(_DEFAULTS)
    supported, unload, owned = draw_supported(draw), draw.chance(0.5), not draw.chance(0.2)
    topics = tuple(draw_load(draw, name, limits) for name in names)
    heat = draw_heat(draw, bundles)
    if (algorithm or default) == SplitAlgorithm.FLOW and len(names) > 1 and draw.chance(0.5):
        topics = just_above_the_margin(draw, names, limits)
    return ManualTrial(
        manager=manager,
        namespace=namespace,
        boundaries=boundaries,
        selector=selector,
        algorithm=algorithm,
        default_algorithm=default,
        supported=supported,
        positions=positions,
        unload=unload,
        owned=owned,
        topics=topics,
        heat=heat,
        limits=limits,
    )
