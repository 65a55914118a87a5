"""Arithmetic of doubles as Java does it, where Python raises an exception instead."""

from __future__ import annotations

import math


def divide(dividend: float, divisor: float) -> float:
    """`dividend / divisor`; by 0: infinite, or not a number for 0 / 0."""
    if divisor != 0.0:
        return dividend / divisor
    if dividend == 0.0 or math.isnan(dividend):
        return math.nan
    return math.copysign(math.inf, dividend) * math.copysign(1.0, divisor)


def root(value: float) -> float:
    """The square root; not a number for less than 0."""
    return math.nan if value < 0 else math.sqrt(value)


def at_least_zero(value: float) -> float:
    """`value`, or 0 if it is less; not a number stays not a number."""
    return value if math.isnan(value) or value > 0.0 else 0.0
