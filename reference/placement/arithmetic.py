"""In what numbers placement calculates: exactly, as documents do, or as Pulsar does.

Documents calculate with decimal numbers as they are written: 30 % plus 10 points is 40 %. Pulsar
calculates in double precision with percentages of single precision: 30 of 100 is
0.30000000190…. That decides which is "10 points below the mean".
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Resource, Resources, Weights, max_weighted_usage
from evenkeel_engine.frame.clauses import states

Number: TypeAlias = Fraction | float


@states("PLC-7", "PLC-10")
def number(value: float, edition: Edition) -> Number:
    """A number of a report or a configuration: a double, or the decimal number that is written."""
    if edition.placement_in_floating_point:
        return value
    return decimal(value)


@lru_cache(maxsize=4096)
def decimal(value: float) -> Fraction:
    """The decimal number that a double is written as."""
    return Fraction(repr(value))


@states("PLC-7", "PLC-10")
def percent(points: int, edition: Edition) -> Number:
    """A configured percentage as a fraction of 1."""
    return points / 100.0 if edition.placement_in_floating_point else Fraction(points, 100)


@states("PLC-7", "PLC-10")
def usage(resources: Resources, weights: Weights, edition: Edition) -> Number:
    """A broker's largest weighted usage (1 = 100 %), heap memory left out."""
    if edition.placement_in_floating_point:
        return max_weighted_usage(resources, weights)
    return exact_score(resources, weights)


@lru_cache(maxsize=4096)
def exact_score(resources: Resources, weights: Weights) -> Fraction:
    """The largest weighted usage as an exact number."""
    return max(
        exact_usage(resources.cpu) * decimal(weights.cpu),
        exact_usage(resources.direct_memory) * decimal(weights.direct_memory),
        exact_usage(resources.bandwidth_in) * decimal(weights.bandwidth_in),
        exact_usage(resources.bandwidth_out) * decimal(weights.bandwidth_out),
    )


@lru_cache(maxsize=4096)
def exact_usage(resource: Resource) -> Fraction:
    """How much of a resource is used; 0 if it has no limit."""
    if not resource.limit > 0:
        return Fraction(0)
    return decimal(resource.usage) / decimal(resource.limit)


MANY = 10
"""Of more doubles than this the sums are not tried out in every order, but bounded."""


@states("PLC-10")
def possible_sums(values: Sequence[float]) -> frozenset[float]:
    """Every result of adding doubles in sequence, in any order.

    Of many: the exact sum, and how far an order can be off it on either side.
    """
    if len(values) > MANY:
        exact = math.fsum(values)
        error = len(values) * sys.float_info.epsilon * math.fsum(map(abs, values))
        return frozenset((exact - error, exact, exact + error))
    results: dict[int, frozenset[float]] = {0: frozenset((0.0,))}
    whole = (1 << len(values)) - 1
    for members in range(1, whole + 1):
        results[members] = frozenset(
            earlier + value
            for index, value in enumerate(values)
            if members >> index & 1
            for earlier in results[members ^ 1 << index]
        )
    return results[whole]


def total(values: Iterable[Number]) -> Number:
    """The sum, added up in the order given (`sum` adds doubles up in a better way than Java)."""
    result: Number = Fraction(0)
    for value in values:
        result = result + value
    return result
