"""Two brokers that own the same hashes at once by bundles that overlap: a parent and its child.

The same broker may own both: who splits a bundle owns its halves before the parent is gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from evenkeel.properties.ownership.trace.events import Finding, Rules, Span
from evenkeel.properties.ownership.trace.judge import DOUBLE, belongs

_NAME: Final = re.compile(r"(.+/.+)/0x([0-9a-fA-F]{1,8})_0x([0-9a-fA-F]{1,8})")


class Range(NamedTuple):
    """The hashes of a bundle: from `low` up to `high`, without it."""

    namespace: str
    low: int
    high: int
    bundle: str


def range_of(bundle: str) -> Range | None:
    """The range that a name such as `tenant/namespace/0x00000000_0x40000000` tells."""
    match = _NAME.fullmatch(bundle)
    if match is None:
        return None
    return Range(match[1], int(match[2], 16), int(match[3], 16), bundle)


def overlapping(bundles: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The pairs of bundles of one namespace whose ranges overlap."""
    ranges = sorted(found for found in map(range_of, bundles) if found is not None)
    for _, group in groupby(ranges, key=lambda found: found.namespace):
        open_: list[Range] = []
        for new in group:
            open_ = [old for old in open_ if old.high > new.low]
            yield from ((old.bundle, new.bundle) for old in open_ if new.high > new.low)
            open_.append(new)


def double_ownership(
    one: tuple[str, Sequence[Span]], two: tuple[str, Sequence[Span]], rules: Rules
) -> tuple[str, Finding] | None:
    """The first time at which two brokers own hashes of two overlapping bundles (OWN-7).

    The bundle by which it came about, and the finding; None if it never does for longer than
    clocks may differ, or if the edition does not promise it.
    """
    if not belongs("OWN-7", rules.edition.name):
        return None
    spans = sorted(
        [(span, bundle) for bundle, spans in (one, two) for span in spans],
        key=lambda item: (item[0].since, item[0].at),
    )
    open_: list[tuple[Span, str]] = []
    for span, bundle in spans:
        open_ = [old for old in open_ if old[0].until is None or old[0].until > span.since]
        for other, name in open_:
            differ = name != bundle and other.owner != span.owner
            if differ and together(other, span) > rules.skew:
                sentence = (
                    f"{span.owner} owns this bundle from {span.since} while {other.owner} owns "
                    f"{name}, whose hashes overlap, since {other.since}"
                )
                return bundle, Finding(span.at, DOUBLE, sentence, "OWN-7")
        open_.append((span, bundle))
    return None


def together(one: Span, two: Span) -> float:
    """For how many ms both are owned; negative if never."""
    ends = [end for end in (one.until, two.until) if end is not None]
    return min(ends, default=float("inf")) - max(one.since, two.since)
