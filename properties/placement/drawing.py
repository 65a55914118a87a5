"""Brokers, candidates and resources: few, with round numbers that meet at thresholds and in ties.

Most trials ask once or twice; a few so often that every allowed broker must be among the choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.placement.asks import OFTEN
from evenkeel.reference.load.usage import Resource, Resources, Weights

BROKERS: Final = tuple(f"broker-{number}" for number in range(1, 9))
STRANGER: Final = "broker-9"


def draw_brokers(draw: Draw, least: int = 0) -> tuple[str, ...]:
    """The first few brokers."""
    return BROKERS[: sum(1 for _ in draw.items(6, 0.7, least))]


def draw_many_brokers(draw: Draw) -> tuple[str, ...]:
    """Eleven to 40 brokers."""
    return tuple(f"broker-{number}" for number in range(1, draw.integer(12, 41)))


def draw_candidates(draw: Draw, brokers: Sequence[str]) -> tuple[str, ...]:
    """Most brokers, in their order or turned; seldom none, or one that never reported."""
    sort = draw.integer(0, 11)
    if sort == 10 and draw.chance(0.5):
        return ()
    chosen = tuple(broker for broker in brokers if sort < 7 or draw.chance(0.6))
    if sort in (5, 6):
        turn = draw.integer(0, max(len(chosen) - 1, 0))
        chosen = (*chosen[turn:], *chosen[:turn])
    if sort == 11 and draw.chance(0.3):
        return (*chosen, stranger_to(brokers))
    return chosen


def stranger_to(brokers: Sequence[str]) -> str:
    """A broker that is none of these."""
    return STRANGER if STRANGER not in brokers else f"broker-{len(brokers) + 1}"


def draw_times(draw: Draw, often: float = 0.03) -> int:
    """How often to ask."""
    return OFTEN if draw.chance(often) else draw.pick((1, 2, 3))


def draw_percent(draw: Draw, around: int) -> float:
    """A usage in percent: around a threshold, of whole tens, or any."""
    sort = draw.integer(0, 5)
    if sort < 2:
        return float(draw.integer(0, 10) * 10)
    if sort == 2:
        return float(draw.integer(0, 100))
    if sort == 3:
        return around + draw.pick((0.0, 0.0, 0.0, 1.0, -1.0, 0.1, -0.1, 1e-6))
    if sort == 4:
        return draw.pick((0.0, 100.0, 140.0, 99.9, 0.1, -1.0))
    return draw.real(0.0, 120.0)


def draw_resource(draw: Draw, around: int) -> Resource:
    """A resource: of 100 mostly, else of another size or without a limit."""
    percent = draw_percent(draw, around)
    sort = draw.integer(0, 9)
    if sort < 8:
        return Resource(percent, 100.0)
    if sort == 8:
        size = draw.pick((800.0, 3.0, 1e6, 7.0))
        return Resource(percent * size / 100, size)
    return Resource(percent, draw.pick((0.0, -1.0)))


def draw_resources(draw: Draw, around: int) -> Resources:
    """The processor always, other resources sometimes."""
    cpu = draw_resource(draw, around)
    if not draw.chance(0.3):
        return Resources(cpu=cpu)
    return Resources(*(draw_resource(draw, around) for _ in range(5)))


def draw_weights(draw: Draw) -> Weights:
    """The default weights mostly."""
    if not draw.chance(0.2):
        return Weights()
    return Weights(*(draw.pick((1.0, 0.0, 0.5, 2.0, 0.1)) for _ in range(5)))


def draw_difference(draw: Draw) -> int:
    """Points below the mean."""
    return draw.pick((10, 5, 0, 20, 1, 100, -10)) if draw.chance(0.6) else 10
