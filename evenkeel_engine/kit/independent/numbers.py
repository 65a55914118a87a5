"""How numbers of a field are generated: the default, a value near it, and the extremes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel_engine.kit.independent.world import World

EXTREMES: Final = (-1, 0, 1, 2**31 - 1, -(2**31), 2**63 - 1)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number, of which the default, and the least and the largest usual value are known."""

    default: int = 1
    least: int = 0
    most: int = 1000

    def __call__(self, world: World) -> int:
        """One of them, a value between them, or seldom an extreme."""
        draw = world.draw
        if draw.chance(0.02):
            return draw.pick(EXTREMES)
        if draw.chance(0.3):
            return self.default
        if draw.chance(0.2):
            return min(max(self.default + draw.pick((-1, 1, 2)), self.least), self.most)
        if draw.chance(0.3):
            return draw.pick((self.least, self.most))
        few = min(self.most, self.least + 10)
        return draw.integer(self.least, few if draw.chance(0.4) else self.most)


@dataclass(frozen=True, slots=True)
class Real:
    """A number from 0 to `most`: `often` one of the values, else any, or one with a heavy tail."""

    values: tuple[float, ...]
    often: float
    most: float = 1.0
    tail: bool = False

    def __call__(self, world: World) -> float:
        """One of them."""
        draw = world.draw
        if draw.chance(self.often):
            return draw.pick(self.values)
        return world.real(0.0, self.most) if self.tail else draw.real(0.0, self.most)
