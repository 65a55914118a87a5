"""`bundles.range`: which hash range does a text name?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.observations import Span
from evenkeel.reference.bundles import ranges
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.edition import Edition


@dataclass(frozen=True, slots=True)
class RangeTrial:
    """`bundles.range`: which hash range does this text name?"""

    text: str


@dataclass(frozen=True, slots=True)
class RangeAnswer:
    """The range, and its canonical name `0x%08x_0x%08x`."""

    range: Span
    name: str


def answer_range(trial: RangeTrial, edition: Edition) -> RangeAnswer:
    lower, upper = ranges.parse_range(trial.text, edition)
    return RangeAnswer(Span(lower, upper, upper == TOP_HASH), ranges.range_name(lower, upper))


def range_labels(trial: RangeTrial) -> Iterator[str]:
    pieces = trial.text.count("_") + 1
    yield f"{pieces} piece{'s' if pieces > 1 else ''}"
