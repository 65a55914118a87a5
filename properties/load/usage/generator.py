"""Trials of `load.usage`."""

from __future__ import annotations

from evenkeel.properties.draw import Draw
from evenkeel.properties.load.usage.trial import Metered, UsageTrial
from evenkeel.reference.load.usage import Weights


def draw_metered(draw: Draw) -> Metered:
    """A resource: a round percentage, something in between, too much, or unknown."""
    sort = draw.integer(0, 9)
    if sort == 0:
        return Metered(0.0, draw.pick((0.0, 100.0, -1.0)))
    if sort <= 4:
        return Metered(float(draw.integer(0, 120)), draw.pick((100.0, 200.0, 1600.0, 3.0)))
    if sort <= 6:
        return Metered(draw.real(0.0, 120.0), 100.0)
    if sort == 7:
        return Metered(draw.real(0.0, 1e8), draw.real(1.0, 1e8))
    if sort == 8:
        return Metered(None, draw.pick((100.0, 0.0)))
    return Metered(draw.pick((-1.0, 5.0, 1e12)), draw.pick((-1.0, 1e-6, 100.0)))


def draw_weight(draw: Draw, default: float) -> float:
    """A weight, mostly the default."""
    if draw.chance(0.6):
        return draw.pick((0.0, 1.0, 0.5, 2.0)) if draw.chance(0.7) else draw.real(0.0, 3.0)
    return default


def usage_trial(draw: Draw) -> UsageTrial:
    """Five resources and seven weights."""
    known = Weights()
    return UsageTrial(
        cpu=draw_metered(draw),
        memory=draw_metered(draw),
        direct_memory=draw_metered(draw),
        bandwidth_in=draw_metered(draw),
        bandwidth_out=draw_metered(draw),
        weights=Weights(
            draw_weight(draw, known.cpu),
            draw_weight(draw, known.memory),
            draw_weight(draw, known.direct_memory),
            draw_weight(draw, known.bandwidth_in),
            draw_weight(draw, known.bandwidth_out),
        ),
        misspelt_in=draw_weight(draw, 1.0),
        misspelt_out=draw_weight(draw, 1.0),
    )
