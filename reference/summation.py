"""Sums of doubles in sequence, as Pulsar computes them and every version of Python can.

Python's `sum` keeps what rounding loses since 3.12, so that sums end in other bits than Java's, and
than those of earlier Pythons. It is for whole numbers only.
"""

from __future__ import annotations

from collections.abc import Iterable


def ordered_sum(values: Iterable[float]) -> float:
    """The sum from left to right, rounded after each step; 0 for none."""
    total = 0.0
    for value in values:
        total += value
    return total
