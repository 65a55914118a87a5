from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.draw import Draw, seldom_large
from evenkeel.properties.load.weighing import LITTLE, Weighing, draw_weighing
from evenkeel.properties.placement.drawing import (
    draw_brokers,
    draw_candidates,
    draw_many_brokers,
    draw_resources,
    draw_times,
    draw_weights,
)
from evenkeel.properties.placement.message_rate.trial import MessageRateTrial, RatedBroker
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.placement.message_rate import RateReport

THRESHOLD: Final = 85


def draw_rate(draw: Draw) -> float:
    """Messages per second: few values, so that sums meet."""
    sort = draw.integer(0, 3)
    if sort < 2:
        return float(draw.integer(0, 3) * 100)
    if sort == 2:
        return draw.pick((0.0, 0.1, 0.2, 0.3, 50.0, 1000.0, 0.5))
    return draw.real(0.0, 5000.0)


def draw_rate_report(draw: Draw, threshold: int) -> RateReport:
    """What is known of a broker."""
    return RateReport(
        resources=draw_resources(draw, threshold)
        if draw.chance(0.6)
        else Resources(cpu=Resource(float(draw.integer(0, 50)), 100.0)),
        rate_in=draw_rate(draw),
        rate_out=draw_rate(draw),
        preallocated=tuple(draw.pick((100, 20, 0, 200, 1000)) for _ in draw.items(3, 0.25)),
    )


def weighed(draw: Draw, weighing: Weighing, threshold: int, report: RateReport) -> RateReport:
    """Overloaded or not in the resource that decides, or with little usage of any."""
    percent = max(threshold + draw.pick((10.0, -10.0, 0.0)), 1.0)
    used = Resources(cpu=Resource(percent if weighing.weight else 5.0, 100.0))
    resources = weighing.of(used) if draw.chance(0.6) else Resources(cpu=LITTLE)
    return replace(report, resources=resources, rate_in=float(draw.integer(0, 9)))


def message_rate_trial(draw: Draw) -> MessageRateTrial:
    """Brokers with rates that often tie, some of them overloaded."""
    return seldom_large(draw, draw_trial)


def draw_trial(draw: Draw, large: bool) -> MessageRateTrial:
    """The same; a large one has many brokers."""
    threshold = draw.pick((85, 30, 60, 0, 100, 70)) if draw.chance(0.4) else THRESHOLD
    brokers = draw_many_brokers(draw) if large else draw_brokers(draw)
    alike = draw_rate_report(draw, threshold)
    reports = [alike if draw.chance(0.25) else draw_rate_report(draw, threshold) for _ in brokers]
    weights, candidates = draw_weights(draw), draw_candidates(draw, brokers)
    times = draw_times(draw)
    if weighing := draw_weighing(draw, 0.15):
        weights = weighing.weights
        reports = [weighed(draw, weighing, threshold, report) for report in reports]
    return MessageRateTrial(
        threshold=threshold,
        weights=weights,
        brokers=tuple(RatedBroker(b, r) for b, r in zip(brokers, reports, strict=True)),
        candidates=candidates,
        times=times,
    )
