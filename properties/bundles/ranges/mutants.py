from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import Function, equivalent
from evenkeel.reference.bundles import ranges
from evenkeel.reference.bundles.ranges import BadRangeText
from evenkeel.reference.edition import Edition


def canonical_only(original: Function) -> Function:
    def parsed(text: str, edition: Edition) -> tuple[int, int]:
        lower, upper = original(text, edition)
        if ranges.range_name(lower, upper) != text:
            raise BadRangeText("not the canonical name")
        return lower, upper

    return parsed


MUTANTS: Final = (
    equivalent(
        "canonical-ranges-only",
        ranges,
        "parse_range",
        canonical_only,
        "Other spellings of legal ranges are left open.",
    ),
)
