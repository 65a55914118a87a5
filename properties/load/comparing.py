"""How numbers of this chapter are compared."""

from __future__ import annotations

import math
from collections.abc import Iterable

from evenkeel.properties.judging.tolerance import DOUBLE
from evenkeel.properties.load.numbers import TRAFFIC
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources, Weights


def close(one: float | None, other: float | None, tolerance: float = DOUBLE) -> bool:
    """Equal up to a tolerance that is relative, or absolute near 0; none equals none only."""
    if one == other:
        return True
    if one is None or other is None:
        return False
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)


def close_traffic(one: Traffic, other: Traffic, tolerance: float = DOUBLE) -> bool:
    """All four numbers are close."""
    return one == other or all(
        close(getattr(one, name), getattr(other, name), tolerance) for name in TRAFFIC
    )


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
        for name in TRAFFIC
    )


def used(resource: Resource) -> float:
    """LOA-1: the share of the limit, a fraction; 0 without a limit."""
    return resource.usage / resource.limit if resource.limit > 0 else 0.0


def usage_in_doubles(resources: Resources, weights: Weights, heap: bool = False) -> float:
    """LOA-3, LOA-4: the largest weighted usage in double precision throughout, 1.0 = 100 %."""
    most = max(
        used(resources.cpu) * weights.cpu,
        used(resources.direct_memory) * weights.direct_memory,
        used(resources.bandwidth_in) * weights.bandwidth_in,
        used(resources.bandwidth_out) * weights.bandwidth_out,
    )
    return max(most, used(resources.memory) * weights.memory) if heap else most


def sums(traffics: Iterable[Traffic]) -> Traffic:
    """The sum, number by number."""
    found = list(traffics)
    return Traffic(*(math.fsum(getattr(one, name) for one in found) for name in TRAFFIC))
