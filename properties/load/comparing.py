"""How numbers of this chapter are compared."""

from __future__ import annotations

import math
from typing import Final

from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources, Weights

SINGLE: Final = 1e-6
"""What single precision may be off by, relatively, with room for a few steps."""

DOUBLE: Final = 1e-9
"""What double precision may be off by, whatever the order of the steps."""

NUMBERS: Final = ("msg_rate_in", "msg_rate_out", "throughput_in", "throughput_out")


def close(one: float | None, other: float | None, tolerance: float = DOUBLE) -> bool:
    """Equal up to a tolerance that is relative, or absolute near 0; none equals none only."""
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)


def close_traffic(one: Traffic, other: Traffic, tolerance: float = DOUBLE) -> bool:
    """All four numbers are close."""
    return all(close(getattr(one, name), getattr(other, name), tolerance) for name in NUMBERS)


def between(low: float, value: float, high: float) -> bool:
    """`low` to `high`, up to rounding."""
    return (low <= value or close(low, value)) and (value <= high or close(value, high))


def traffic_between(values: list[Traffic], traffic: Traffic) -> bool:
    """Each number is between the least and the largest of these."""
    return all(
        between(
            min(getattr(value, name) for value in values),
            getattr(traffic, name),
            max(getattr(value, name) for value in values),
        )
        for name in NUMBERS
    )


def usage_in_doubles(resources: Resources, weights: Weights) -> float:
    """The largest weighted usage in double precision from beginning to end, 1.0 = 100 %."""

    def used(resource: Resource) -> float:
        return resource.usage / resource.limit if resource.limit > 0 else 0.0

    return max(
        used(getattr(resources, name)) * float(getattr(weights, name))
        for name in ("cpu", "direct_memory", "bandwidth_in", "bandwidth_out")
    )
