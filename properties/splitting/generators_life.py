"""Trials of `splitting.life`: splits of present and past bundles, racing with other writers."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.bundles.crafted import topic_with_hash
from evenkeel.properties.bundles.generators import draw_boundaries, draw_hash
from evenkeel.properties.draw import Draw
from evenkeel.properties.splitting.generators_positions import draw_hash_in, draw_positions
from evenkeel.properties.splitting.trials_life import (
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
from evenkeel.reference.bundles.boundaries import bundles_of

NAMESPACE: Final = "t/ns"
_MANY: Final = (7, 8, 6, 9)


def draw_rivals(draw: Draw, points: list[int], split: Split) -> tuple[Rival, ...]:
    """Other writers: mostly none, sometimes one or two, seldom about as many as there are tries."""
    if draw.chance(0.04):
        return (RivalTouch(),) * draw.pick(_MANY)
    rivals: list[Rival] = []
    for _ in draw.items(3, 0.35):
        sort = draw.integer(0, 3)
        if sort == 0:
            rivals.append(RivalTouch())
            continue
        bundle = split.bundle if sort == 1 else draw.pick(bundles_of(points))
        position = draw_hash_in(draw, bundle, split.positions)
        rivals.append(RivalSplit(bundle, position))
        if bundle.lower < position and position not in points:
            points.append(position)
            points.sort()
    return tuple(rivals)


def draw_split(draw: Draw, points: list[int], past: list[int]) -> Split:
    """A split, mostly of a bundle that is probably there; `points` learns its positions."""
    source = past if draw.chance(0.1) else points
    bundle = draw.pick(bundles_of(source))
    split = Split(bundle, draw_positions(draw, bundle, 3, 0 if draw.chance(0.05) else 1))
    split = Split(bundle, split.positions, draw_rivals(draw, points, split))
    inside = {p for p in split.positions if bundle.lower < p < bundle.upper}
    points[:] = sorted({*points, *inside})
    return split


def draw_command(draw: Draw, points: list[int], past: list[int]) -> Command:
    """One command."""
    sort = draw.integer(0, 9)
    if sort <= 2:
        return Read()
    if sort <= 6:
        return draw_split(draw, points, past)
    if sort == 7:
        return SetGroup(draw.pick(("a", "b", "")))
    if sort == 8:
        return Reload()
    return LookUp(topic_with_hash(draw_hash(draw, points), NAMESPACE))


def life_trial(draw: Draw) -> LifeTrial:
    """A namespace from its creation on; what is stored is read at the end."""
    boundaries = draw_boundaries(draw, 3)
    points, past = list(boundaries), list(boundaries)
    commands = [draw_command(draw, points, past) for _ in draw.items(9, 0.85)]
    return LifeTrial(NAMESPACE, boundaries, (*commands, Read()))
