"""Trials of `splitting.apply`."""

from __future__ import annotations

from collections.abc import Sequence

from evenkeel.properties.bundles.drawing import draw_boundaries, draw_hash, pick_bundle
from evenkeel.properties.draw import Draw
from evenkeel.properties.splitting.applying.trial import ApplyTrial
from evenkeel.properties.splitting.positions.generator import draw_positions
from evenkeel.reference.bundles.ranges import HashRange


def apply_trial(draw: Draw) -> ApplyTrial:
    """Legal splits, and splits of something that is no bundle or at a position outside."""
    boundaries = draw_boundaries(draw)
    target = pick_bundle(draw, boundaries)
    if draw.chance(0.15):
        target = not_quite(draw, target, boundaries)
    return ApplyTrial(boundaries, target, draw_positions(draw, target, 4, least=1))


def not_quite(draw: Draw, bundle: HashRange, boundaries: Sequence[int]) -> HashRange:
    """A range that shares an end with the bundle, or any other."""
    sort = draw.integer(0, 2)
    lower = draw_hash(draw, boundaries) if sort >= 1 else bundle.lower
    upper = bundle.upper if sort == 1 else draw_hash(draw, boundaries)
    lower, upper = min(lower, upper), max(lower, upper)
    return HashRange(lower, upper) if lower < upper else bundle
