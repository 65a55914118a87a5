"""`Draw` over Hypothesis: the same generators under pytest, with its shrinking and its database."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hypothesis import strategies as st

from evenkeel.properties.kit.draw import Draw

T = TypeVar("T")


class HypothesisDraw(Draw):
    """Choices that Hypothesis makes, and so can shrink."""

    __slots__ = ("_draw",)

    def __init__(self, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
        self._draw = draw

    def choice(self, lo: int, hi: int) -> int:
        """Hypothesis's choice."""
        return self._draw(st.integers(lo, hi))


def strategy(generate: Callable[[Draw], T]) -> st.SearchStrategy[T]:
    """A Hypothesis strategy for what a generator makes."""

    @st.composite
    def made(draw: st.DrawFn) -> T:
        return generate(HypothesisDraw(draw))

    return made()
