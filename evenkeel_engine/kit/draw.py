"""`Draw`: the interface that generators are written against.

Every method is built on one primitive, `choice(lo, hi)`, a whole number; so a trial is a function
of a list of numbers, and shrinking a trial means shrinking that list (`check/shrink.py`).
`lo` is always the simplest: write generators so that low choices make simple trials, and generate
lists with `items()`, a flag per item, rather than with a length up front, which shrinks badly (as
Hypothesis found).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import wraps
from random import Random
from typing import Any, Final, TypeVar, cast

T = TypeVar("T")
CHANCES: Final = 10_000
REPEATED: Final = (12, 4, 25)
MOST_REPEATED: Final = 300
REAL_STEPS: Final = 2**32


class Generator(StrEnum):
    """What makes the trials of a seed: the question's own generator, or the independent one
    (`evenkeel_engine/kit/independent`).
    """

    OWN = "own"
    INDEPENDENT = "independent"


class Draw(ABC):
    """A source of choices."""

    __slots__ = ()

    @abstractmethod
    def choice(self, lo: int, hi: int) -> int:
        """A whole number from `lo` to `hi`, both included; `lo` is the simplest. lo < hi."""

    def integer(self, lo: int, hi: int) -> int:
        """A whole number from `lo` to `hi`, both included; no choice where they are equal."""
        return lo if lo == hi else self.choice(lo, hi)

    def real(self, lo: float, hi: float) -> float:
        """One of 2^32 + 1 evenly spaced numbers from `lo` to `hi`."""
        return lo + (hi - lo) * (self.choice(0, REAL_STEPS) / REAL_STEPS)

    def chance(self, probability: float) -> bool:
        """True with this probability; False is the simpler answer."""
        return self.choice(0, CHANCES - 1) >= CHANCES * (1 - probability)

    def pick(self, items: Sequence[T]) -> T:
        """One of the items; the first is the simplest."""
        return items[self.integer(0, len(items) - 1)]

    def items(self, most: int, probability: float = 0.75, least: int = 0) -> Iterator[int]:
        """Indices 0, 1, … of a list's items, each after the flag "another one?".

        The flag is sampled even at the cap, so that deleting an item deletes its choices cleanly.
        """
        index = 0
        while index < least:
            yield index
            index += 1
        while self.chance(probability) and index < most:
            yield index
            index += 1

    def sample(self, items: Sequence[T], most: int) -> list[T]:
        """Up to `most` different items, in their order."""
        chosen = {self.integer(0, len(items) - 1) for _ in self.items(most)} if items else set()
        return [items[index] for index in sorted(chosen)]


def seldom_large(
    probability: float = 0.008,
) -> Callable[[Callable[[Draw, bool], T]], Callable[[Draw], T]]:
    """Decorate a generator of trials, of which the second parameter asks for a large one: seldom
    such a one takes the place of a small one.

    This is decided last, so that the trials of all other seeds stay as they are.
    """

    def decorate(make: Callable[[Draw, bool], T]) -> Callable[[Draw], T]:
        @wraps(make)
        def generate(draw: Draw) -> T:
            small = make(draw, False)
            return make(draw, True) if draw.chance(probability) else small

        return generate

    return decorate


def seldom_repeated(
    items: str, probability: float = 0.02
) -> Callable[[Callable[[Draw], T]], Callable[[Draw], T]]:
    """Decorate a generator of trials: seldom all `items` of a trial are repeated many times, since
    a subject may be right for the first few only.

    This too is decided last.
    """

    def decorate(make: Callable[[Draw], T]) -> Callable[[Draw], T]:
        @wraps(make)
        def generate(draw: Draw) -> T:
            trial = make(draw)
            if not draw.chance(probability):
                return trial
            whole = getattr(trial, items) * draw.pick(REPEATED)
            changed: T = replace(cast(Any, trial), **{items: whole[:MOST_REPEATED]})
            return changed

        return generate

    return decorate


class SeededDraw(Draw):
    """Choices of a seeded generator, used by campaigns: 20 to 100 times faster than Hypothesis."""

    __slots__ = ("_random", "reseed")

    def __init__(self, seed: int) -> None:
        rng = Random(seed)
        self._random = rng.random
        # Restarts, as if constructed with this seed. `Random.seed` does the same for whole numbers,
        # and takes half as long again to check the type of its argument.
        self.reseed: Callable[[int], None] = super(Random, rng).seed

    def choice(self, lo: int, hi: int) -> int:
        """Uniform."""
        return lo + int(self._random() * (hi - lo + 1))

    # The methods below return what the inherited ones do, with a call less (test_draw compares).

    def integer(self, lo: int, hi: int) -> int:
        """As inherited."""
        return lo if lo == hi else lo + int(self._random() * (hi - lo + 1))

    def chance(self, probability: float) -> bool:
        """As inherited."""
        return int(self._random() * CHANCES) >= CHANCES * (1 - probability)

    def pick(self, items: Sequence[T]) -> T:
        """As inherited."""
        count = len(items)
        return items[0] if count == 1 else items[int(self._random() * count)]

    def items(self, most: int, probability: float = 0.75, least: int = 0) -> Iterator[int]:
        """As inherited."""
        yield from range(least)
        index, limit, random = least, CHANCES * (1 - probability), self._random
        while int(random() * CHANCES) >= limit and index < most:
            yield index
            index += 1


class RecordingDraw(Draw):
    """Passes another draw's choices on and records each as (lo, hi, value)."""

    __slots__ = ("_inner", "record")

    def __init__(self, inner: Draw) -> None:
        self._inner = inner
        self.record: list[tuple[int, int, int]] = []

    def choice(self, lo: int, hi: int) -> int:
        """The inner draw's choice."""
        value = self._inner.choice(lo, hi)
        self.record.append((lo, hi, value))
        return value


class ReplayDraw(Draw):
    """Choices from a list of values, clamped to the requested range; past its end, `lo`."""

    __slots__ = ("_position", "_values", "record")

    def __init__(self, values: Sequence[int]) -> None:
        self._values = values
        self._position = 0
        self.record: list[tuple[int, int, int]] = []

    def choice(self, lo: int, hi: int) -> int:
        """The next value of the list."""
        if self._position < len(self._values):
            value = min(max(self._values[self._position], lo), hi)
        else:
            value = lo
        self._position += 1
        self.record.append((lo, hi, value))
        return value
