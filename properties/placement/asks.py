"""What the questions about strategies share: limits of trials, commands, answers, chance.

A trial asks several times, because most strategies choose at random; the answer lists every
choice, null where none is made. Candidates stand in the order in which their set is gone through.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from evenkeel.properties.names import require_name
from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.trial import require, require_different
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel.reference.placement import choice

MOST_BROKERS: Final = 1000
MOST_ASKS: Final = 1000
MOST_BUNDLES: Final = 10_000
LARGEST: Final = 2.0**53
EXACT: Final = 2**31
AMOUNT: Final = 2**48
"""Traffic in whole numbers: the sum of all bundles' is exact as a double, too."""
OFTEN: Final = 200
"""So many asks choose each of eight brokers, but for one time in a thousand million."""


def require_names(place: str, names: Sequence[str]) -> None:
    """Brokers: not too many, none twice, each with a name."""
    require(len(names) <= MOST_BROKERS, place, f"at most {MOST_BROKERS}")
    require_different(place, names)
    for name in names:
        require_name(place, name)


def require_times(times: int) -> None:
    """How often is asked."""
    require(1 <= times <= MOST_ASKS, "times", f"must be 1 to {MOST_ASKS}")


def require_amount(place: str, value: float) -> None:
    """A number of a report."""
    require(0 <= value < LARGEST, place, "must be 0 or more, below 2^53")


def require_resources(place: str, resources: Resources) -> None:
    """Usages may be anything finite; so may limits."""
    for name in Resources.__slots__:
        resource: Resource = getattr(resources, name)
        finite = math.isfinite(resource.usage) and math.isfinite(resource.limit)
        require(finite, f"{place}.{name}", "must be finite")
        require(abs(resource.usage) < 1e12, f"{place}.{name}", "must be below 10^12")
        require(abs(resource.limit) < 1e12, f"{place}.{name}", "must be below 10^12")
        sized = resource.limit == 0 or abs(resource.limit) > 1e-6
        require(sized, f"{place}.{name}", "the limit must be 0 or not so small")


def require_weights(weights: Weights) -> None:
    """Weights are finite and not negative."""
    for name in Weights.__slots__:
        require_amount(f"weights.{name}", getattr(weights, name))
        require(getattr(weights, name) <= 1e6, f"weights.{name}", "must be at most 10^6")


def require_integer(place: str, value: int) -> None:
    """A number of the configuration: a 32-bit integer."""
    require(-EXACT <= value < EXACT, place, "must be a 32-bit integer")


@dataclass(frozen=True, slots=True)
class ChoicesAnswer:
    """The broker chosen at each ask, null for none."""

    choices: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """Answer to a command that only does something."""

    DO: ClassVar[str] = "done"


@dataclass(frozen=True, slots=True)
class Chosen:
    """Answer to an ask: every choice."""

    DO: ClassVar[str] = "chosen"
    choices: tuple[str | None, ...]


AskResult = Chosen | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class AsksAnswer:
    """One result for each command."""

    results: tuple[AskResult, ...]


def choose(allowed: Sequence[str], turn: int) -> str | None:
    """The reference's choice at this turn."""
    return choice.pick(allowed, turn) if allowed else None


def times_labels(times: int) -> Iterator[str]:
    """Whether so often that chance is judged."""
    if times >= OFTEN:
        yield "asked often"
