"""The common parts of the chapter's questions: commands, answers, rates.

Time is virtual: it moves with `advance` only. Whole numbers are below 2^53, which every language
represents exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from evenkeel.reference.throttling.rates import DispatchRate
from evenkeel_engine.frame.errors import Breakage, Refusal
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.trial import Tagged, Within, require

EXACT: Final = 2**53
Exact = Annotated[int, Within(1 - EXACT, EXACT - 1)]

MILLI: Final = 1_000_000
"""Nanoseconds of a millisecond."""


def require_rate(place: str, rate: DispatchRate | None) -> None:
    """Require rates that fit Pulsar's policies: 32-bit messages and periods."""
    if rate is None:
        return
    require(-(2**31) <= rate.messages < 2**31, place, "messages must be a 32-bit integer")
    require(abs(rate.bytes) < 2**52, place, "bytes must be below 2^52")
    require(-(2**31) <= rate.period < 2**31, place, "the period must be a 32-bit integer")


def require_policy_rate(place: str, rate: DispatchRate | None) -> None:
    """Require a period above 0, too: the effect of others depends on the limiter
    (`throttling.quota`).
    """
    require_rate(place, rate)
    require(rate is None or rate.period >= 1, f"{place}.period", "must be 1 or more")


@dataclass(frozen=True, slots=True)
class Advance(Tagged):
    """Time passes; periods that end meanwhile end in order."""

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


def describe_failure(error: Refusal | Breakage) -> CommandRefused | CommandBroke:
    """The result of a command that failed."""
    reason = type(error).__name__
    return CommandRefused(reason) if isinstance(error, Refusal) else CommandBroke(reason)


SECOND: Final = 1_000_000_000
MOST: Final = 20


def draw_limit(draw: Draw, huge: Sequence[int]) -> int:
    """A limit: mostly small, sometimes none, sometimes huge."""
    sort = draw.integer(0, 9)
    if sort < 6:
        return draw.integer(1, 12)
    if sort == 6:
        return draw.pick((-1, 0))
    if sort == 7:
        return draw.pick(huge)
    return draw.integer(1, 2000)


def draw_period(draw: Draw) -> int:
    """Seconds: mostly 1."""
    sort = draw.integer(0, 9)
    if sort < 6:
        return 1
    if sort < 9:
        return draw.pick((2, 3, 10, 60, 3600))
    return draw.pick((0, -1))


def draw_rate(draw: Draw, relative: float = 0.1) -> DispatchRate:
    """A dispatch rate."""
    return DispatchRate(
        draw_limit(draw, (2**31 - 1, 200_000_000, 10_000_000)),
        draw_limit(draw, (200_000_000, 154_000_000, 2**40, 2**31)),
        draw_period(draw),
        draw.chance(relative),
    )


def draw_amount(draw: Draw, limit: int) -> int:
    """An amount delivered at once: around the limit, multiples of it, a few, seldom nothing."""
    sort = draw.integer(0, 9)
    around = max(limit, 1)
    if sort < 3:
        return draw.integer(1, 5)
    if sort < 6:
        return around + draw.pick((0, -1, 1))
    if sort == 6:
        return around * draw.integer(2, 5) + draw.pick((0, -1, 1))
    if sort == 7:
        return draw.pick((0, -1))
    return draw.integer(1, around)


def draw_millis(draw: Draw, seconds: int) -> int:
    """A duration: around a period, parts of it, several."""
    period = max(seconds, 1) * 1000
    sort = draw.integer(0, 9)
    if sort < 3:
        return period
    if sort < 5:
        return period + draw.pick((1, -1, 16, -16))
    if sort < 7:
        return draw.integer(0, period)
    if sort == 7:
        return draw.pick((1, 15, 16, 17))
    return period * draw.integer(2, 6) + draw.pick((0, 1, -1, period // 2))
