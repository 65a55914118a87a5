"""What the generators of reports share.

Numbers change by just as much as makes a report due, or a little less or more; pauses are as long
as the longest interval, or a second longer.
"""

from __future__ import annotations

from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.load.reports import BundleState, Heard
from evenkeel.reference.load.report import MINUTE, REMOVAL_DELAY, ReportRules
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources, Weights

LEVELS: Final = (100.0, 110.0, 111.0, 90.0, 89.0, 0.0, 105.0, 115.0, 121.0)
"""Values of a load such that some of them differ by just 10 %."""


USAGES: Final = (50.0, 60.0, 61.0, 40.0, 39.0, 55.0, 70.0, 0.0, 90.0)


def draw_rules(draw: Draw) -> ReportRules:
    """Mostly the defaults."""
    if draw.chance(0.6):
        return ReportRules()
    weights = Weights(draw.pick((1.0, 0.0, 2.0)), draw.pick((0.0, 1.0)), draw.pick((0.0, 1.0)))
    return ReportRules(
        draw.pick((10, 0, 5, 20)), draw.pick((15, 1, 0)), weights, draw.pick((0.9, 0.5, 0.0, 1.0))
    )


def draw_after(draw: Draw, rules: ReportRules) -> int:
    """The usual five seconds, none, or as long as something lasts."""
    if draw.chance(0.2):
        return rules.max_interval * MINUTE + draw.pick((0, 1, -5)) if rules.max_interval else 1
    return draw.pick((5, 0, REMOVAL_DELAY, REMOVAL_DELAY - 1, 60, 300))


def draw_resources(draw: Draw, before: Resources) -> Resources:
    """As before, or with another CPU, seldom with others."""
    if draw.chance(0.5):
        return before
    memory = Resource(draw.pick(USAGES), 100.0) if draw.chance(0.2) else before.memory
    direct = Resource(draw.pick(USAGES), 100.0) if draw.chance(0.2) else before.direct_memory
    inbound = Resource(draw.pick(USAGES), 100.0) if draw.chance(0.2) else before.bandwidth_in
    return Resources(
        Resource(draw.pick(USAGES), 100.0), memory, direct, inbound, before.bandwidth_out
    )


def draw_level(draw: Draw, unit: float) -> Traffic:
    """A load that may differ by just 10 % from another."""
    rate, throughput = draw.pick(LEVELS) * unit, draw.pick(LEVELS) * unit * 1000
    share = draw.pick((0.5, 0.0, 1.0))
    return Traffic(rate * share, rate * (1 - share), throughput * share, throughput * (1 - share))


def draw_heard(draw: Draw, after: int) -> Heard:
    """Some bundle's change of state, mostly one that concerns the broker."""
    state = draw.pick(tuple(BundleState))
    source = draw.chance(0.7)
    return Heard(
        after,
        state,
        source,
        draw.chance(0.7),
        failed=draw.chance(0.1),
        store_fails=draw.chance(0.2),
    )
