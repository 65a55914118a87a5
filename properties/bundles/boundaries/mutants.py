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


def _in_any_order(original: Function) -> Function:
    return lambda points, edition: original(sorted(set(points)), edition)


MUTANTS: Final = (
    defect(
        "boundaries-in-any-order",
        boundaries,
        "check_boundaries",
        _in_any_order,
        "A list out of order makes bundles that end before they begin.",
    ),
    defect(
        "divide-top",
        boundaries,
        "initial_boundaries",
        divide_top,
        "Two bundles meet at 0x7fffffff, so that replicated clusters disagree.",
        "F2",
    ),
)
