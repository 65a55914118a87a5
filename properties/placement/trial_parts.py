"""What the questions about strategies share: limits of trials, commands, answers, chance.

A trial requests several choices, because most strategies choose at random; the answer lists every
choice, null where none is made. Candidates are in the order in which their set is iterated.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final

from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel.reference.placement import choice
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.trial import require, require_different, require_name

MOST_BROKERS: Final = 1000
MOST_ASKS: Final = 1000
MOST_BUNDLES: Final = 10_000
LARGEST: Final = 2.0**53
EXACT: Final = 2**31

AMOUNT: Final = 2**48
"""Traffic in whole numbers: the sum over all bundles is exact as a double, too."""

OFTEN: Final = 200
"""This number of requests chooses each of eight brokers, except once in 10^9 times."""


def require_names(place: str, names: Sequence[str]) -> None:
    """Require brokers: not too many, none twice, each with a name."""
    require(len(names) <= MOST_BROKERS, place, f"at most {MOST_BROKERS}")
    require_different(place, names)
    for name in names:
        require_name(place, name)


def require_times(times: int) -> None:
    """Require a number of requests within bounds."""
    require(1 <= times <= MOST_ASKS, "times", f"must be 1 to {MOST_ASKS}")


def require_amount(place: str, value: float) -> None:
    """Require a number of a report within bounds."""
    require(0 <= value < LARGEST, place, "must be 0 or more, below 2^53")


def require_resources(place: str, resources: Resources) -> None:
    """Require finite usages and limits within bounds."""
    for name in Resources.__slots__:
        resource: Resource = getattr(resources, name)
        finite = math.isfinite(resource.usage) and math.isfinite(resource.limit)
        require(finite, f"{place}.{name}", "must be finite")
        require(abs(resource.usage) < 1e12, f"{place}.{name}", "must be below 10^12")
        require(abs(resource.limit) < 1e12, f"{place}.{name}", "must be below 10^12")
        sized = resource.limit == 0 or abs(resource.limit) > 1e-6
        require(sized, f"{place}.{name}", "the limit must be 0 or not so small")


def require_weights(weights: Weights) -> None:
    """Require weights that are finite and not negative."""
    for name in Weights.__slots__:
        require_amount(f"weights.{name}", getattr(weights, name))
        require(getattr(weights, name) <= 1000, f"weights.{name}", "must be at most 1000")


def require_integer(place: str, value: int) -> None:
    """Require a number of the configuration: a 32-bit integer."""
    require(-EXACT <= value < EXACT, place, "must be a 32-bit integer")


@dataclass(frozen=True, slots=True)
class ChoicesAnswer:
    """The broker chosen at each request, null for none."""

    choices: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """Answer to a command without a result."""

    DO: ClassVar[str] = "done"


@dataclass(frozen=True, slots=True)
class Chosen:
    """Answer to a request: a choice for each of its `times`, or one; null where none is made."""

    DO: ClassVar[str] = "chosen"
    choices: tuple[str | None, ...]


AskResult = Chosen | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class PlacementAnswer:
    """One result for each command."""

    results: tuple[AskResult, ...]


def choose(allowed: Sequence[str], turn: int) -> str | None:
    """The reference's choice at this turn."""
    return choice.pick(allowed, turn) if allowed else None


def times_labels(times: int) -> Iterator[str]:
    """Whether there are enough requests to judge chance."""
    if times >= OFTEN:
        yield "asked often"


LONGEST: Final = 200

_PARTS: Final = re.compile(
    r"([a-zA-Z0-9_/:-]|\.[*+]?|\\[.d]|\[[a-z0-9]+\]|\[[a-z]-[a-z]\]|\[[0-9]-[0-9]\]|[()|])*"
)

_BRACKET: Final = re.compile(r"\\.|[()]|\[.-.\]")
"""What may be invalid in an expression of those parts."""


def require_expressions(place: str, expressions: Iterable[str]) -> None:
    """Require short expressions of parts that all dialects accept, or reject, alike."""
    for expression in expressions:
        require(len(expression) <= LONGEST, place, f"must have at most {LONGEST} characters")
        alike = bool(_PARTS.fullmatch(expression))
        require(alike, place, f"{expression!r} must consist of parts common to all dialects")


def readable(expressions: Iterable[str]) -> bool:
    """Whether each is a valid regular expression: no unbalanced bracket, and no reversed range."""
    return all(map(is_readable, expressions))


@lru_cache(4096)
def is_readable(expression: str) -> bool:
    """Whether one expression is."""
    depth = 0
    for symbol in _BRACKET.findall(expression):
        depth += {"(": 1, ")": -1}.get(symbol, 0)
        if depth < 0 or (symbol[0] == "[" and symbol[1] > symbol[3]):
            return False
    return depth == 0


@lru_cache(4096)
def matches(expressions: tuple[str, ...], text: str) -> bool:
    """Whether one of the expressions matches the whole text; digits are ASCII, as in Java."""
    together = "|".join(f"(?:{expression})" for expression in expressions)
    return bool(expressions) and re.fullmatch(together, text, re.ASCII) is not None


BROKERS: Final = tuple(f"broker-{number}" for number in range(1, 9))
STRANGER: Final = "broker-9"


def draw_brokers(draw: Draw, least: int = 0) -> tuple[str, ...]:
    """The first few brokers."""
    return BROKERS[: sum(1 for _ in draw.items(6, 0.7, least))]


def draw_many_brokers(draw: Draw) -> tuple[str, ...]:
    """Eleven to 40 brokers."""
    return tuple(f"broker-{number}" for number in range(1, draw.integer(12, 41)))


def draw_candidates(draw: Draw, brokers: Sequence[str]) -> tuple[str, ...]:
    """Most brokers, in their order or turned; seldom none, or one that never reported."""
    sort = draw.integer(0, 11)
    if sort == 10 and draw.chance(0.5):
        return ()
    chosen = tuple(broker for broker in brokers if sort < 7 or draw.chance(0.6))
    if sort in (5, 6):
        turn = draw.integer(0, max(len(chosen) - 1, 0))
        chosen = (*chosen[turn:], *chosen[:turn])
    if sort == 11 and draw.chance(0.3):
        place = len(chosen) - draw.integer(0, len(chosen))
        stranger = STRANGER if STRANGER not in brokers else f"broker-{len(brokers) + 1}"
        return (*chosen[:place], stranger, *chosen[place:])
    return chosen


def draw_times(draw: Draw, often: float = 0.03) -> int:
    """The number of requests."""
    return OFTEN if draw.chance(often) else draw.pick((1, 2, 3))


def draw_percent(draw: Draw, around: int) -> float:
    """A usage in percent: around a threshold, of whole tens, or any."""
    sort = draw.integer(0, 5)
    if sort < 2:
        return float(draw.integer(0, 10) * 10)
    if sort == 2:
        return float(draw.integer(0, 100))
    if sort == 3:
        return around + draw.pick((0.0, 0.0, 0.0, 1.0, -1.0, 0.1, -0.1, 1e-6))
    if sort == 4:
        return draw.pick((0.0, 100.0, 140.0, 99.9, 0.1, -1.0))
    return draw.real(0.0, 120.0)


def draw_resource(draw: Draw, around: int) -> Resource:
    """A resource: of 100 mostly, else of another size or without a limit."""
    percent = draw_percent(draw, around)
    sort = draw.integer(0, 9)
    if sort < 8:
        return Resource(percent, 100.0)
    if sort == 8:
        size = draw.pick((800.0, 3.0, 1e6, 7.0))
        return Resource(percent * size / 100, size)
    return Resource(percent, draw.pick((0.0, -1.0)))


def draw_resources(draw: Draw, around: int) -> Resources:
    """The processor always, other resources sometimes."""
    cpu = draw_resource(draw, around)
    if not draw.chance(0.3):
        return Resources(cpu=cpu)
    return Resources(*(draw_resource(draw, around) for _ in range(5)))


def draw_weights(draw: Draw) -> Weights:
    """The default weights mostly."""
    if not draw.chance(0.2):
        return Weights()
    return Weights(*(draw.pick((1.0, 0.0, 0.5, 2.0, 0.1)) for _ in range(5)))


def draw_difference(draw: Draw) -> int:
    """Points below the mean."""
    return draw.pick((10, 5, 0, 20, 1, 100, -10)) if draw.chance(0.6) else 10
