"""Other values of a setting, and how far they are from what is set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

FRACTIONS: Final = (0.5, 0.75, 1.5, 2.0, 3.0)
"""How settings are tried, times what they are."""

N = TypeVar("N", int, float)


def values_near(before: N) -> Iterator[N]:
    """The values that are tried in place of one."""
    for fraction in FRACTIONS:
        value = type(before)(before * fraction)
        if value != before:
            yield value


def measure_distance(value: float, before: float) -> float:
    """How far a value is from what is set, as a factor."""
    low, high = sorted((abs(value), abs(before)))
    return high / low if low else float("inf")
