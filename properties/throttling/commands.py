"""What several questions share: commands, their answers, rates as policies hold them.

Time is virtual: it moves with `advance` only. Whole numbers below 2^53, so that every language
keeps them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.trial import Tagged, Within, require
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.throttling.rates import DispatchRate

EXACT: Final = 2**53
Exact = Annotated[int, Within(1 - EXACT, EXACT - 1)]

MILLI: Final = 1_000_000
"""Nanoseconds of a millisecond."""


def require_rate(place: str, rate: DispatchRate | None) -> None:
    """Rates as Pulsar's policies can hold them: 32-bit messages and periods."""
    if rate is None:
        return
    require(-(2**31) <= rate.messages < 2**31, place, "messages must be a 32-bit integer")
    require(abs(rate.bytes) < 2**52, place, "bytes must be below 2^52")
    require(-(2**31) <= rate.period < 2**31, place, "the period must be a 32-bit integer")


@dataclass(frozen=True, slots=True)
class Advance(Tagged):
    """Time goes on; periods that end meanwhile end one after the other."""

    millis: Annotated[int, Within(0, 10**10)]


@dataclass(frozen=True, slots=True)
class Look(Tagged):
    """What is left now?"""


@dataclass(frozen=True, slots=True)
class SetRate(Tagged):
    """The rate is another from now on."""

    rate: Annotated[int, Within(1, EXACT - 1)]


@dataclass(frozen=True, slots=True)
class Done(Tagged):
    """Answer to a command that only does something."""


def failed(error: Refusal | Breakage) -> CommandRefused | CommandBroke:
    """How a command's failure is stated."""
    reason = type(error).__name__
    return CommandRefused(reason) if isinstance(error, Refusal) else CommandBroke(reason)
