"""Which rates the owner of a segment writes (SCA-35, SCA-36)."""

from __future__ import annotations

from evenkeel.reference.scaling.settings import Rates, ReportRules
from evenkeel_engine.frame.clauses import states


@states("SCA-35")
def is_written(last: Rates | None, current: Rates, rules: ReportRules) -> bool:
    """Whether the rates are written: at first, and where one has changed enough since.

    Source: Pulsar `SegmentLoadReporter.reportIfChanged`, `isMaterialChange` 5.0.0-M1.
    """
    if last is None:
        return True
    each = zip(last.each, current.each, strict=True)
    return any(has_changed(before, after, rules.rate_change) for before, after in each)


@states("SCA-35", "SCA-36")
def has_changed(last: float, current: float, share: float) -> bool:
    """Whether a rate differs from the last one by more than this share of it; any does from 0."""
    if last == 0.0:
        return current != 0.0
    return abs(current - last) / last > share
