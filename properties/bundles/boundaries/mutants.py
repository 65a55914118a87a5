from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import Function, defect, switched
from evenkeel.reference.bundles import boundaries
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.edition import PULSAR_4_0


def divide_top(original: Function) -> Function:
    def divided(count: int) -> tuple[int, ...]:
        if count <= 0:
            raise boundaries.BadBundleCount(f"{count} bundles were asked for")
        return (*(TOP_HASH // count * i for i in range(count)), TOP_HASH)

    return divided


MUTANTS: Final = (
    defect(
        "any-first-boundary",
        boundaries,
        "check_boundaries",
        switched(first_boundary_unchecked=True),
        "A namespace is accepted in which hashes below the first boundary have no bundle.",
    ),
    defect(
        "divide-top",
        boundaries,
        "initial_boundaries",
        divide_top,
        "Two bundles meet at 0x7fffffff, so that replicated clusters disagree.",
        "F2",
    ),
    defect(
        "nine-digits",
        boundaries,
        "explicit_boundaries",
        switched(boundary_texts_sorted_as_text=True),
        "A namespace with boundary 0x100000000 is created and cannot be loaded.",
        "F28",
    ),
    defect(
        "boundaries-ignored",
        boundaries,
        "creation_boundaries",
        switched(boundaries_need_count=True),
        "Boundaries given without a count are ignored silently.",
        "F28",
    ),
    defect(
        "first-boundary-checked",
        boundaries,
        "check_boundaries",
        switched(first_boundary_unchecked=False),
        "Not 4.0: boundaries must start at 0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "boundaries-checked",
        boundaries,
        "explicit_boundaries",
        switched(boundary_texts_sorted_as_text=False, first_boundary_unchecked=False),
        "Not 4.0: every boundary is checked.",
        edition=PULSAR_4_0,
    ),
)
