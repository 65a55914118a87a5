"""Usages as judges of placement work them out, apart from the reference: exactly, in doubles, or
with percentages in single precision.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import c_float
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, TypeAlias

from evenkeel.properties.judging.near import Ternary
from evenkeel.properties.judging.tolerance import SINGLE
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Resource, Resources, Weights

Number: TypeAlias = Fraction | float

COUNTED: Final = ("cpu", "direct_memory", "bandwidth_in", "bandwidth_out")
"""Heap memory is none of them."""


@lru_cache(4096)
def decimal(value: float) -> Fraction:
    """The decimal number that a double is written as."""
    return Fraction(str(value))


@lru_cache(4096)
def exactly(resource: Resource) -> Fraction:
    """How much of a resource is used; 0 if it has no limit."""
    if resource.limit <= 0:
        return Fraction(0)
    return decimal(resource.usage) / decimal(resource.limit)


def in_doubles(resource: Resource) -> float:
    """The same in double precision."""
    return resource.usage / resource.limit if resource.limit > 0 else 0.0


def single(value: float) -> float:
    """Rounded to single precision."""
    return c_float(value).value


def percent_in_singles(resource: Resource) -> float:
    """Every step is rounded to single precision."""
    if resource.limit <= 0:
        return 0.0
    return single(single(single(resource.usage) / single(resource.limit)) * 100.0)


def largest(
    resources: Resources,
    weights: Weights,
    used: Callable[[Resource], Any],
    weight: Callable[[float], Any] = float,
) -> Any:
    """The largest weighted usage, by this arithmetic."""
    return max(used(getattr(resources, name)) * weight(getattr(weights, name)) for name in COUNTED)


def usage(resources: Resources, weights: Weights, edition: Edition) -> Number:
    """The largest weighted usage, 1 = 100 %."""
    found: Number
    if edition.placement_in_floating_point:
        found = largest(resources, weights, percent_in_singles) / 100
    else:
        found = largest(resources, weights, exactly, decimal)
    return found


def overloaded(resources: Resources, threshold: int, weights: Weights, edition: Edition) -> Ternary:
    """Whether the usage is above the threshold; undecided where decimal numbers and doubles differ
    (PLC-7).
    """
    if edition.placement_in_floating_point:
        return usage(resources, weights, edition) > threshold / 100.0
    share: float = largest(resources, weights, in_doubles)
    double = share > threshold / 100.0
    if abs(share - threshold / 100.0) > SINGLE * max(1.0, abs(share)):
        return double  # however it is rounded
    exact: bool = usage(resources, weights, edition) > Fraction(threshold, 100)
    return exact if exact == double else None
