"""How exactly numbers are known, by edition and dimension, in one place.

spec/notation.md, "Tolerances", is this table in words. If an edition says in which precision and
order a number is computed, it is known to the last bit (0); if it leaves that open, a balancer may
compute in single or double precision and add in any order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel_engine import spec
from evenkeel_engine.content import list_lineage
from evenkeel_engine.kit.approx import Approx

SINGLE: Final = 1e-6
"""The relative error of a few steps in single precision."""

DOUBLE: Final = 1e-9
"""The relative error of many steps in double precision, in any order."""

LAST_BITS: Final = 1e-12
"""The relative difference that the order of adding a few doubles may make."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The tolerances of one edition, each relative: a share of the number, and of 1 at least for
    usages, whose whole is 1.0.

    `usage`: usages, scores and what is computed from them (weights, histories, averages over
    brokers). `traffic`: message rates and throughput, their sums, and amounts computed from them.
    `average`: averages over time of numbers that are known exactly. `order`: sums of the same
    numbers, added in another order. `deviation`: standard deviations, which are roots of small
    differences: what the last bits of the sums change, half of the digits change.
    """

    usage: float
    traffic: float
    average: float
    order: float
    deviation: float

    @property
    def exact(self) -> bool:
        """Whether the edition says in which precision usages are computed."""
        return not self.usage

    def as_usage(self, value: float, whole: float = 1.0) -> Approx:
        """A usage; `whole` is the largest number that it was computed from, 1.0 at least."""
        return Approx(value, self.usage * max(whole, abs(value)) if self.usage else 0.0)

    def as_traffic(self, value: float) -> Approx:
        """A computed rate or throughput."""
        return Approx(value, self.traffic * abs(value) if self.traffic else 0.0)

    def as_sum(self, value: float) -> Approx:
        """A sum of numbers that are not negative, in any order, or a value computed from it."""
        return Approx(value, self.order * abs(value))

    def as_deviation(self, value: float, whole: float = 1.0) -> Approx:
        """A standard deviation; `whole` as for usages."""
        return Approx(value, self.deviation * max(whole, abs(value)))

    def as_average(self, value: float) -> Approx:
        """An average over time."""
        return Approx(value, self.average * max(1.0, abs(value)) if self.average else 0.0)


def tolerance_of(edition: Edition) -> Tolerance:
    """The tolerances of an edition: LOA-2 says whether usages are single precision to the bit."""
    return _tolerance(edition.name)  # an edition's hash goes through all its switches


@cache
def _tolerance(edition: str) -> Tolerance:
    if spec.find_clause("LOA-2").holds_in(*list_lineage(edition)):
        return Tolerance(0.0, traffic=0.0, average=DOUBLE, order=LAST_BITS, deviation=SINGLE)
    return Tolerance(SINGLE, traffic=DOUBLE, average=DOUBLE, order=DOUBLE, deviation=SINGLE)


def largest(values: Iterable[float], whole: float = 1.0) -> float:
    """The largest of some numbers by amount, `whole` at least: what a tolerance is a share of."""
    return max(whole, *map(abs, values), 0.0)
