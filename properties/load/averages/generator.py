"""Trials of `load.bundle_averages`."""

from __future__ import annotations

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.load.averages.trial import BundleAveragesTrial, Samples, Start
from evenkeel.properties.load.drawing import draw_traffic


def draw_times(draw: Draw) -> int:
    """How often a sample comes: once, about as often as a window is long, seldom very often."""
    if draw.chance(0.5):
        return 1
    if draw.chance(0.05):
        return draw.pick((998, 999, 1000, 1001, 1100, 2500))
    return draw.pick((2, 8, 9, 10, 11, 100)) if draw.chance(0.5) else draw.integer(2, 30)


@seldom_repeated("samples")
def bundle_averages_trial(draw: Draw) -> BundleAveragesTrial:
    """A few sorts of samples, one after the other."""
    start = draw.pick((Start.UNSEEN, Start.UNSEEN, Start.QUOTA))
    samples = tuple(
        Samples(draw_traffic(draw), draw.integer(0, 3), draw_times(draw)) for _ in draw.items(5)
    )
    return BundleAveragesTrial(start, draw_traffic(draw), samples)
