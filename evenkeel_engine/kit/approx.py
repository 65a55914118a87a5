"""Numbers known up to a tolerance. A comparison of two is True, False, or None: undecided."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Ternary: TypeAlias = bool | None
"""True, False, or None if undecided."""


class Approx:
    """A number that is known up to a tolerance, which is 0 where it is known exactly.

    Two numbers whose distance is within both tolerances together compare as None, unless both are
    exact. Not a dataclass: judges make millions, and a frozen one takes twice the time.
    """

    __slots__ = ("tolerance", "value")

    def __init__(self, value: float, tolerance: float = 0.0) -> None:
        self.value = value
        self.tolerance = tolerance

    def __repr__(self) -> str:
        if not self.tolerance:
            return repr(self.value)
        return f"{self.value:.10g} ± {self.tolerance:.2g}"

    def __add__(self, other: Approx) -> Approx:
        return Approx(self.value + other.value, self.tolerance + other.tolerance)

    def __sub__(self, other: Approx) -> Approx:
        return Approx(self.value - other.value, self.tolerance + other.tolerance)

    def times(self, factor: float) -> Approx:
        """Multiplied by a number that is known exactly."""
        return Approx(self.value * factor, self.tolerance * abs(factor))

    def over(self, divisor: Approx) -> Approx:
        """Divided by a number that is above 0 with all of its tolerance."""
        value = self.value / divisor.value
        tolerance = self.tolerance + abs(value) * divisor.tolerance
        return Approx(value, tolerance / (divisor.value - divisor.tolerance))

    def widen(self, tolerance: float) -> Approx:
        """The same number with this added to its tolerance."""
        return Approx(self.value, self.tolerance + tolerance)

    def at_least(self, other: Approx) -> Ternary:
        """self >= other."""
        tolerance = self.tolerance + other.tolerance
        if tolerance and abs(self.value - other.value) <= tolerance:
            return None
        return self.value >= other.value

    def above(self, other: Approx) -> Ternary:
        """self > other."""
        tolerance = self.tolerance + other.tolerance
        if tolerance and abs(self.value - other.value) <= tolerance:
            return None
        return self.value > other.value

    def at_most(self, other: Approx) -> Ternary:
        """self <= other."""
        return other.at_least(self)

    def below(self, other: Approx) -> Ternary:
        """self < other."""
        return other.above(self)

    def equals(self, other: Approx) -> Ternary:
        """self == other; never True if a tolerance is involved."""
        tolerance = self.tolerance + other.tolerance
        if tolerance:
            return None if abs(self.value - other.value) <= tolerance else False
        return self.value == other.value

    def may_equal(self, other: Approx) -> bool:
        """Whether the two can be the same number."""
        return self.equals(other) is not False


def negate(value: Ternary) -> Ternary:
    """Not, of three values."""
    return None if value is None else not value


def either(*values: Ternary) -> Ternary:
    """Or, of three values."""
    return some(values)


def both(*values: Ternary) -> Ternary:
    """And, of three values."""
    return every(values)


def some(values: Iterable[Ternary]) -> Ternary:
    """Whether one is True; None if undecided."""
    undecided = False
    for value in values:
        if value:
            return True
        undecided = undecided or value is None
    return None if undecided else False


def every(values: Iterable[Ternary]) -> Ternary:
    """Whether all are True; None if undecided."""
    undecided = False
    for value in values:
        if value is False:
            return False
        undecided = undecided or value is None
    return None if undecided else True


def add_in_order(values: Iterable[float]) -> float:
    """The sum from left to right, rounded after each step, in every version of Python."""
    total = 0.0
    for value in values:
        total += value
    return total
