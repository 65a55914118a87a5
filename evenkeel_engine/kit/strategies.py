"""`Draw` over Hypothesis: the same generators under pytest, with its shrinking and its database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from hypothesis import strategies as st

from evenkeel_engine.kit.draw import Draw

T = TypeVar("T")

UNIFORM: Final = 256
"""Hypothesis chooses uniformly among up to this many integers; in larger ranges it prefers the low
end, and a generator's `chance(0.9)` would be false most of the time.
"""


class HypothesisDraw(Draw):
    """Choices made by Hypothesis, which can shrink them."""

    __slots__ = ("_draw",)

    def __init__(self, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
        self._draw = draw

    def choice(self, lo: int, hi: int) -> int:
        """About uniform: a large range is mapped from as many bytes as it needs."""
        if (count := hi - lo + 1) <= UNIFORM:
            return self._draw(st.integers(lo, hi))
        places = ((count - 1).bit_length() + 7) // 8
        number: int = 0
        for _ in range(places):
            number = number * UNIFORM + self._draw(st.integers(0, UNIFORM - 1))
        return lo + (number * count >> 8 * places)


def strategy(generate: Callable[[Draw], T]) -> st.SearchStrategy[T]:
    """A Hypothesis strategy for what a generator generates: `strategy(question.generate)`."""

    @st.composite
    def made(draw: st.DrawFn) -> T:
        return generate(HypothesisDraw(draw))

    return made()
