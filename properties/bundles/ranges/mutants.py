from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import Function, defect, equivalent, switched
from evenkeel.reference.bundles import ranges
from evenkeel.reference.bundles.ranges import BadRangeText
from evenkeel.reference.edition import PULSAR_4_0, Edition


def canonical_only(original: Function) -> Function:
    def parsed(text: str, edition: Edition) -> tuple[int, int]:
        lower, upper = original(text, edition)
        if ranges.range_name(lower, upper) != text:
            raise BadRangeText("not the canonical name")
        return lower, upper

    return parsed


MUTANTS: Final = (
    defect(
        "extra-pieces",
        ranges,
        "parse_range",
        switched(lenient_range_texts=True),
        "A mistyped range names another bundle instead of being refused.",
        "F28",
    ),
    defect(
        "strict-ranges",
        ranges,
        "parse_range",
        switched(lenient_range_texts=False),
        "Not 4.0: only two pieces inside the hash space are accepted.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "canonical-ranges-only",
        ranges,
        "parse_range",
        canonical_only,
        "Other spellings of legal ranges are left open.",
    ),
)
