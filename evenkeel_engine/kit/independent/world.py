"""The names and numbers of one trial."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, Final

from evenkeel_engine.kit.draw import Draw

TODAY: Final = 1_794_960_000_000
"""A present-day time: ms since 1970, at a whole minute."""

TAILS: Final = (0.0, 1.0, 10.0, 100.0, 1000.0, 1e4, 1e5, 1e6, 1e8, 1e10)
TINY: Final = 1e-6
"""A scale that is seldom taken: a system may treat such a number as none."""

SPACING: Final = 0.15
"""How often a number repeats an earlier one, or lies one unit in the last place from it."""


class World:
    """Names and numbers to which all parts of a trial refer; a specification's own has more."""

    FORMS: ClassVar[tuple[str, ...]] = (
        "node-{}.example:8080",
        "10.42.7.{}",
        "n_{}",
        "\u00e9-{}",
        "a b {}",
        "\U0001f680{}",
    )
    """Of names, one of them in a trial."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.now = draw.pick((0, TODAY))
        self.numbers: list[float] = []
        count = draw.integer(20, 100) if draw.chance(0.06) else draw.integer(1, 7)
        form = draw.pick(self.FORMS)
        self.names = tuple(form.format(number) for number in range(count))

    def name(self) -> str:
        """Any of the names."""
        return self.draw.pick(self.names)

    def few_names(self) -> tuple[str, ...]:
        """Some of the names, each once."""
        return self.some(self.names, 20)

    def real(self, low: float = 0.0, high: float = math.inf) -> float:
        """A number with a heavy tail, or one just next to another."""
        draw = self.draw
        if self.numbers and draw.chance(SPACING):
            near = draw.pick(self.numbers[-20:])
            value = draw.pick((near, math.nextafter(near, math.inf), math.nextafter(near, 0.0)))
        else:
            scale = draw.pick(TAILS) if draw.chance(0.97) else TINY
            whole = draw.chance(0.4)
            value = float(draw.integer(0, 20)) * scale if whole else draw.real(0.0, 1.0) * scale
        value = min(max(value, low), high)
        self.numbers.append(value)
        return value

    def later(self) -> int:
        """The next moment (ms): soon, at one of the usual limits, or one ms from it."""
        draw = self.draw
        step = draw.pick((0, 1, 500, 60_000, 120_000, 180_000, 600_000, 1_800_000, 3_600_000))
        self.now += max(step + draw.pick((0, 0, 0, 1, -1)), 0)
        return self.now

    def some(self, items: Sequence[str], most: int = 6, least: int = 0) -> tuple[str, ...]:
        """Some of the items, each once, in any order."""
        draw, left = self.draw, list(items)
        places = draw.items(min(most, len(left)), 0.7, min(least, len(left)))
        return tuple(left.pop(draw.integer(0, len(left) - 1)) for _ in places)
