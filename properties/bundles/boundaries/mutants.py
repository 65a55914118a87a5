from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import Function, defect
from evenkeel.reference.bundles import boundaries
from evenkeel.reference.bundles.ranges import TOP_HASH


def divide_top(original: Function) -> Function:
    def divided(count: int) -> tuple[int, ...]:
        if count <= 0:
            raise boundaries.BadBundleCount(f"{count} bundles were asked for")
        return (*(TOP_HASH // count * i for i in range(count)), TOP_HASH)

    return divided


MUTANTS: Final = (
    defect(
        "divide-top",
        boundaries,
        "initial_boundaries",
        divide_top,
        "Two bundles meet at 0x7fffffff, so that replicated clusters disagree.",
        "F2",
    ),
)
