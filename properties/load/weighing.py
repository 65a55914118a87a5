"""Trials in which the weight of one resource decides: how full brokers are lies in that resource.

Drawn last, so that all else of a trial is as it was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.reference.load.usage import Resource, Resources, Weights

OFTEN: Final = 0.08
"""So many trials are of this kind."""

NAMES: Final = ("direct_memory", "bandwidth_in", "bandwidth_out")
VALUES: Final = {
    "direct_memory": (1.0, 0.5, 2.0),
    "bandwidth_in": (0.5, 0.0, 2.0),
    "bandwidth_out": (0.5, 0.0, 2.0),
}
"""None is the default; with powers of two percentages stay what they are."""
LITTLE: Final = Resource(5.0, 100.0)
MUCH: Final = Resource(99.0, 100.0)


@dataclass(frozen=True, slots=True)
class Weighing:
    """The resource that decides, and its weight; 0: it is full, and must not count."""

    name: str
    weight: float

    @property
    def weights(self) -> Weights:
        """The defaults, but for the resource that decides."""
        return replace(Weights(), **{self.name: self.weight})

    def of(self, resources: Resources) -> Resources:
        """The same weighted usage, but for the processor, in the resource that decides."""
        if not self.weight:
            return replace(resources, **{self.name: MUCH})
        cpu = resources.cpu
        moved = Resource(cpu.usage / self.weight, cpu.limit)
        return replace(resources, **{"cpu": LITTLE, self.name: moved})


def draw_weighing(draw: Draw, often: float = OFTEN) -> Weighing | None:
    """Seldom a resource that decides."""
    if not draw.chance(often):
        return None
    name = draw.pick(NAMES)
    return Weighing(name, draw.pick(VALUES[name]))
