"""Planting in this chapter."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.planting import Function, Make, Planting, always, first, switched, then
from evenkeel.reference.load.usage import Resource, Resources, Weights

PLANTING: Final = Planting("shedding")
defect = PLANTING.defect
correct = PLANTING.correct

__all__ = [
    "Function",
    "Make",
    "always",
    "correct",
    "defect",
    "first",
    "in_doubles",
    "switched",
    "then",
]


def in_doubles(original: Function) -> Function:
    """Usage worked out in double precision from beginning to end."""

    def percent(resource: Resource) -> float:
        return resource.usage / resource.limit * 100 if resource.limit > 0 else 0.0

    def usage(resources: Resources, weights: Weights) -> float:
        return (
            max(
                percent(resources.cpu) * weights.cpu,
                percent(resources.direct_memory) * weights.direct_memory,
                percent(resources.bandwidth_in) * weights.bandwidth_in,
                percent(resources.bandwidth_out) * weights.bandwidth_out,
            )
            / 100
        )

    return usage
