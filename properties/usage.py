"""A broker's usage by LOA-1 and LOA-2: for judges, which do not call the reference."""

from __future__ import annotations

import struct
from fractions import Fraction
from typing import Final

from evenkeel.properties.tolerance import Tolerance
from evenkeel.reference.load.usage import Resource, Resources, Weights

_SINGLE: Final = struct.Struct("<f")


def in_single(value: float) -> float:
    """The nearest number of single precision; for numbers that have one."""
    nearest: float = _SINGLE.unpack(_SINGLE.pack(value))[0]
    return nearest


def percent(resource: Resource) -> float:
    """Usage in percent, rounded to single precision in every step (LOA-2); 0 without a limit."""
    if resource.limit <= 0:
        return 0.0
    return in_single(in_single(in_single(resource.usage) / in_single(resource.limit)) * 100.0)


def percent_in_double(resource: Resource) -> float:
    """Usage in percent (LOA-1); 0 without a limit."""
    return resource.usage / resource.limit * 100.0 if resource.limit > 0 else 0.0


def max_usage(resources: Resources, weights: Weights, tolerance: Tolerance) -> float:
    """The largest weighted usage, as a fraction; heap memory counts only if it has a weight."""
    percentage = percent if tolerance.exact else percent_in_double
    most = max(
        percentage(resources.cpu) * weights.cpu,
        percentage(resources.direct_memory) * weights.direct_memory,
        percentage(resources.bandwidth_in) * weights.bandwidth_in,
        percentage(resources.bandwidth_out) * weights.bandwidth_out,
    )
    if weights.memory:
        most = max(most, percentage(resources.memory) * weights.memory)
    return most / 100


UNWEIGHTED: Final = Weights(direct_memory=1.0)
"""Weights that take every resource but heap memory as it is."""


def is_exact(resources: Resources, weights: Weights) -> bool:
    """Whether all percentages that count are the same in every precision.

    50 of 100 is, 85 of 100 is not.
    """
    counting = (
        (resources.cpu, weights.cpu),
        (resources.memory, weights.memory),
        (resources.direct_memory, weights.direct_memory),
        (resources.bandwidth_in, weights.bandwidth_in),
        (resources.bandwidth_out, weights.bandwidth_out),
    )
    return all(weight == 0 or is_exact_percentage(resource) for resource, weight in counting)


def is_exact_percentage(resource: Resource) -> bool:
    """Whether single precision rounds neither the quotient nor the product."""
    if resource.limit <= 0:
        return True
    share = Fraction(resource.usage) / Fraction(resource.limit)
    quotient = in_single(resource.usage / resource.limit)
    return Fraction(quotient) == share and Fraction(percent(resource)) == 100 * share
