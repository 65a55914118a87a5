"""Usages as judges of placement work them out, apart from the reference: exactly, in doubles, or
with percentages in single precision.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import c_float
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from evenkeel.properties.judging.near import Ternary
from evenkeel.properties.judging.tolerance import SINGLE
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Resource, Resources, Weights

Number: TypeAlias = Fraction | float

COUNTED: Final = ("cpu", "direct_memory", "bandwidth_in", "bandwidth_out")
"""Heap memory is none of them."""
EVEN: Final = Weights(1.0, 1.0, 1.0, 1.0, 1.0)


class Reading(NamedTuple):
    """Which resources a usage is made of, and whether each counts with its weight."""

    counted: tuple[str, ...]
    weighted: bool


PRACTICE: Final = Reading(COUNTED, True)
"""What Pulsar does."""
LITERAL: Final = (
    Reading((*COUNTED, "memory"), True),
    Reading((*COUNTED, "memory"), False),
    Reading(COUNTED, False),
    Reading(("cpu", "memory", "bandwidth_in", "bandwidth_out"), False),
    Reading(("cpu", "bandwidth_in", "bandwidth_out"), False),
)
"""How else "the maximum local usage of CPU, memory, and network" can be read (PLC-7, PLC-52)."""
READINGS: Final = (PRACTICE, *LITERAL)
EVERY: Final = (*COUNTED, "memory")
"""What some reading counts; the processor, which all of them count, comes first."""
ALL_OVERLOADED: Final = (True,) * len(READINGS)
NONE_OVERLOADED: Final = (False,) * len(READINGS)


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
    reading: Reading = PRACTICE,
) -> Any:
    """The largest weighted usage, by this arithmetic."""
    weights = weights if reading.weighted else EVEN
    return max(
        used(getattr(resources, name)) * weight(getattr(weights, name)) for name in reading.counted
    )


def usage(
    resources: Resources, weights: Weights, edition: Edition, reading: Reading = PRACTICE
) -> Number:
    """The largest weighted usage, 1 = 100 %."""
    found: Number
    if edition.placement_in_floating_point:
        found = largest(resources, weights, percent_in_singles, reading=reading) / 100
    else:
        found = largest(resources, weights, exactly, decimal, reading)
    return found


def overloaded(
    resources: Resources,
    threshold: int,
    weights: Weights,
    edition: Edition,
    reading: Reading = PRACTICE,
) -> Ternary:
    """Whether the usage is above the threshold; by the documents undecided where single precision
    may put it on either side, and where decimal numbers and doubles do that are at it (PLC-7).
    """
    if edition.placement_in_floating_point:
        return usage(resources, weights, edition, reading) > threshold / 100.0
    share: float = largest(resources, weights, in_doubles, reading=reading)
    double = share > threshold / 100.0
    if abs(share - threshold / 100.0) > SINGLE * max(1.0, abs(share)):
        return double  # however it is rounded
    at_it = usage(resources, weights, edition, reading) == Fraction(threshold, 100)
    return False if at_it and not double else None


def overloaded_by_each(
    resources: Resources, threshold: int, weights: Weights, edition: Edition
) -> tuple[Ternary, ...]:
    """The same by `PRACTICE`, then by each of `LITERAL`.

    They mostly agree: all count the processor, and where no resource comes near the threshold,
    with its weight or without, the broker is not overloaded by any.
    """
    bound = threshold / 100.0
    bare = [in_doubles(getattr(resources, name)) for name in EVERY]
    weighted = [share * getattr(weights, name) for share, name in zip(bare, EVERY, strict=True)]
    least, most = min(bare[0], weighted[0]), max(*bare, *weighted)
    if least - bound > SINGLE * max(1.0, least):
        return ALL_OVERLOADED
    if bound - most > SINGLE * max(1.0, abs(most)):
        return NONE_OVERLOADED
    return tuple(
        overloaded(resources, threshold, weights, edition, reading) for reading in READINGS
    )
