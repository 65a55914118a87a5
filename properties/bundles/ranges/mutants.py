from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import Function, defect, equivalent
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


def _not_empty(original: Function) -> Function:
    def parsed(text: str, edition: Edition) -> tuple[int, int]:
        lower, upper = original(text, edition)
        if lower == upper:
            raise BadRangeText("both ends are the same")
        return lower, upper

    return parsed


MUTANTS: Final = (
    equivalent(
        "no-range-of-the-last-hash-alone",
        ranges,
        "parse_range",
        _not_empty,
        "Whether 0xffffffff_0xffffffff is a range is left open.",
    ),
    defect(
        "no-range-of-the-last-hash-alone-in-4-0",
        ranges,
        "parse_range",
        _not_empty,
        "Not 4.0: 0xffffffff_0xffffffff is a range.",
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
