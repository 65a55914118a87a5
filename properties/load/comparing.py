"""How numbers of this chapter are compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Final

from evenkeel.properties.judging.tolerance import DOUBLE
from evenkeel.properties.load.numbers import TRAFFIC
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources, Weights

numbers: Final[Callable[[Traffic], tuple[float, ...]]] = attrgetter(*TRAFFIC)
"""The four numbers of a traffic."""


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
        close(mine, its, tolerance) for mine, its in zip(numbers(one), numbers(other), strict=True)
    )


def between(low: float, value: float, high: float) -> bool:
    """`low` to `high`, up to rounding."""
    return (low <= value or close(low, value)) and (value <= high or close(value, high))


def traffic_between(values: list[Traffic], traffic: Traffic) -> bool:
    """Each number is between the least and the largest of these."""
    of_each = list(zip(*map(numbers, values), strict=True))
    return all(map(between, map(min, of_each), numbers(traffic), map(max, of_each)))


def traffic_within(least: Traffic, traffic: Traffic, most: Traffic) -> bool:
    """Each number is between these two."""
    return all(map(between, numbers(least), numbers(traffic), numbers(most)))


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
    return Traffic(*map(math.fsum, zip(*map(numbers, traffics), strict=True)))
