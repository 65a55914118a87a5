"""What several questions share: commands, their answers, rates as policies hold them.

Time is virtual: it moves with `advance` only. Whole numbers below 2^53, so that every language
keeps them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.trial import require
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.throttling.rates import DispatchRate

EXACT: Final = 2**53

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
class Advance:
    """Time goes on; periods that end meanwhile end one after the other."""

    DO: ClassVar[str] = "advance"
    millis: int

    def __post_init__(self) -> None:
        require(0 <= self.millis <= 10**10, "millis", "must be 0 to 10^10")


@dataclass(frozen=True, slots=True)
class Look:
    """What is left now?"""

    DO: ClassVar[str] = "look"


@dataclass(frozen=True, slots=True)
class SetRate:
    """The rate is another from now on."""

    DO: ClassVar[str] = "set_rate"
    rate: int

    def __post_init__(self) -> None:
        require(0 < self.rate < EXACT, "rate", "must be above 0 and below 2^53")


@dataclass(frozen=True, slots=True)
class Done:
    """Answer to a command that only does something."""

    DO: ClassVar[str] = "done"


def failed(error: Refusal | Breakage) -> CommandRefused | CommandBroke:
    """How a command's failure is stated."""
    reason = type(error).__name__
    return CommandRefused(reason) if isinstance(error, Refusal) else CommandBroke(reason)
