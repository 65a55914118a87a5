"""Trials of `splitting.life`: splits of present and past bundles, racing with other writers."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.bundles.crafted import topic_with_hash
from evenkeel.properties.bundles.drawing import draw_boundaries, draw_hash, pick_bundle
from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.splitting.life.trial import (
    Command,
    LifeTrial,
    LookUp,
    Read,
    Reload,
    Rival,
    RivalSplit,
    RivalTouch,
    SetGroup,
    Split,
)
from evenkeel.properties.splitting.positions.generator import draw_hash_in, draw_positions
from evenkeel.reference.bundles.ranges import HashRange

NAMESPACE: Final = "t/ns"
_MANY: Final = (7, 8, 6, 9)


def draw_rivals(
    draw: Draw, points: list[int], target: HashRange, positions: tuple[int, ...]
) -> tuple[Rival, ...]:
    """Other writers: mostly none, sometimes one or two, seldom about as many as there are tries."""
    if draw.chance(0.04):
        return (RivalTouch(),) * draw.pick(_MANY)
    rivals: list[Rival] = []
    for _ in draw.items(3, 0.35):
        sort = draw.integer(0, 3)
        if sort == 0:
            rivals.append(RivalTouch())
            continue
        bundle = target if sort == 1 else pick_bundle(draw, points)
        position = draw_hash_in(draw, bundle, positions)
        rivals.append(RivalSplit(bundle, position))
        if bundle.lower < position and position not in points:
            points.append(position)
            points.sort()
    return tuple(rivals)


def draw_split(draw: Draw, points: list[int], past: list[int]) -> Split:
    """A split, mostly of a bundle that is probably there; `points` learns its positions."""
    source = past if draw.chance(0.1) else points
    bundle = pick_bundle(draw, source)
    positions = draw_positions(draw, bundle, 3, 0 if draw.chance(0.05) else 1)
    rivals = draw_rivals(draw, points, bundle, positions)
    inside = {p for p in positions if bundle.lower < p < bundle.upper}
    points[:] = sorted({*points, *inside})
    return Split(bundle, positions, rivals)


def draw_command(draw: Draw, points: list[int], past: list[int]) -> Command:
    """One command."""
    sort = draw.integer(0, 9)
    if sort <= 2:
        return Read()
    if sort <= 6:
        return draw_split(draw, points, past)
    if sort == 7:
        return SetGroup(draw.pick(("a", "b", "", " \u2003")))
    if sort == 8:
        return Reload()
    return LookUp(topic_with_hash(draw_hash(draw, points), NAMESPACE))


@seldom_repeated("commands")
def life_trial(draw: Draw) -> LifeTrial:
    """A namespace from its creation on; what is stored is read at the end."""
    boundaries = draw_boundaries(draw, 3)
    points, past = list(boundaries), list(boundaries)
    commands = [draw_command(draw, points, past) for _ in draw.items(20, 0.9)]
    return LifeTrial(NAMESPACE, boundaries, (*commands, Read()))
