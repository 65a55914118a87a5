"""Trials of `load.top_report`."""

from __future__ import annotations

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.load.drawing import BUNDLES
from evenkeel.properties.load.drawn_reports import draw_heard
from evenkeel.properties.load.top_report.trial import CheckTop, TopCommand, TopReportTrial
from evenkeel.reference.load.report import REMOVAL_DELAY
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.traffic import Traffic


def draw_statistics(draw: Draw) -> tuple[BundleStatistics, ...]:
    """Some bundles, mostly each of another weight, but not by its place."""
    chosen = draw.sample(BUNDLES, 5)
    weights = (3e6, 1e6, 5e6, 0.0, 4e6, 2e6)
    if draw.chance(0.15):
        weights = (1e6, 1e6, 0.0, 1e6, 0.0, 2e6)
    step = draw.integer(0, 5)
    return tuple(
        BundleStatistics(name, Traffic(throughput_in=weights[(place + step) % 6]))
        for place, name in enumerate(chosen)
    )


@seldom_repeated("commands")
def top_report_trial(draw: Draw) -> TopReportTrial:
    """Checks of old and of new statistics, and bundles that come and go."""
    commands: list[TopCommand] = []
    statistics, bundles = 0, draw_statistics(draw)
    for _ in draw.items(10, 0.85, least=1):
        after = draw.pick((5, 0, REMOVAL_DELAY, REMOVAL_DELAY - 1, 60))
        if draw.chance(0.25):
            commands.append(draw_heard(draw, after))
            continue
        if draw.chance(0.4):
            statistics, bundles = statistics + 1, draw_statistics(draw)
        force, fails = draw.chance(0.1), draw.chance(0.15)
        commands.append(CheckTop(after, statistics, bundles, force, fails))
    return TopReportTrial(tuple(commands))
