from __future__ import annotations

from typing import Final

from evenkeel.properties.draw import Draw, seldom_large
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


def message_rate_trial(draw: Draw) -> MessageRateTrial:
    """Brokers with rates that often tie, some of them overloaded."""
    return seldom_large(draw, draw_trial)


def draw_trial(draw: Draw, large: bool) -> MessageRateTrial:
    """The same; a large one has many brokers."""
    threshold = draw.pick((85, 30, 60, 0, 100, 70)) if draw.chance(0.4) else THRESHOLD
    brokers = draw_many_brokers(draw) if large else draw_brokers(draw)
    alike = draw_rate_report(draw, threshold)
    reports = [alike if draw.chance(0.25) else draw_rate_report(draw, threshold) for _ in brokers]
    return MessageRateTrial(
        threshold=threshold,
        weights=draw_weights(draw),
        brokers=tuple(RatedBroker(b, r) for b, r in zip(brokers, reports, strict=True)),
        candidates=draw_candidates(draw, brokers),
        times=draw_times(draw),
    )
