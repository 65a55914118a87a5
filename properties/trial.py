"""What all trials have in common: a trial that could not exist cannot be constructed."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Final, get_args, get_type_hints

from evenkeel.reference.settings import out_of_bounds


class BadTrial(ValueError):
    """A trial that could not exist: `place` is the field, `reason` one sentence."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


def require(condition: bool, place: str, reason: str) -> None:
    """Raise `BadTrial` for the field `place` unless the condition holds."""
    if not condition:
        raise BadTrial(place, reason)


@dataclass(frozen=True, slots=True)
class Within:
    """In the type of a field: the least and the largest whole number that it can be."""

    least: int
    most: int


OMITTABLE: Final = {"omittable": True}
"""Metadata of a field that came later: a message may leave it out, which means its default."""
LONG: Final = 2**63
INT: Final = 2**31


def require_longs(place: str, numbers: Iterable[int]) -> None:
    """Numbers that 64 bits hold: a subject in another language has no others."""
    fit = all(-LONG <= number < LONG for number in numbers)
    require(fit, place, "must be a 64-bit integer, -2^63 to 2^63 - 1")


def require_number_of(place: str, count: int) -> None:
    """A number of things, of 32 bits."""
    require(0 <= count < INT, place, "must be 0 to 2^31 - 1")


Index = Annotated[int, Within(0, 2**31 - 1)]
"""Indices are taken modulo what there is."""


@cache
def bounds_of(kind: Any) -> tuple[tuple[str, Within], ...]:
    """The bounded fields of a class."""
    hints: dict[str, Any] = get_type_hints(kind, include_extras=True)
    return tuple(
        (name, bound)
        for name, hint in hints.items()
        for part in (hint, *get_args(hint))
        for bound in getattr(part, "__metadata__", ())
        if isinstance(bound, Within)
    )


def require_different(place: str, items: Iterable[Hashable]) -> None:
    """Nothing twice; the sentence names the first one that is."""
    found = list(items)
    if len(set(found)) < len(found):
        again = next(item for index, item in enumerate(found) if item in found[:index])
        raise BadTrial(place, f"must not name {again} twice")


class Tagged:
    """A command or a result: in lists of several kinds the key `do` tells which it is.

    Bounds stand in the types of its fields.
    """

    __slots__ = ()
    DO: ClassVar[str]

    def __init_subclass__(cls) -> None:
        """Without another name it is called as its class is."""
        if "DO" not in cls.__dict__:
            cls.DO = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __post_init__(self) -> None:
        kind: Any = type(self)
        for name, bound in bounds_of(kind):
            value = getattr(self, name)
            if value is not None and not bound.least <= value <= bound.most:
                raise BadTrial(name, f"must be {bound.least} to {bound.most}")


def require_bounds(settings: Any) -> None:
    """Raise `BadTrial` for a setting that is not within its bounds."""
    for name, sentence in out_of_bounds(settings):
        raise BadTrial(f"config.{name}", sentence)
