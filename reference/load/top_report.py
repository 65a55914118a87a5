"""When an extensible broker publishes its top bundles (LOA-58 to LOA-63).

It checks as often as for its load data, but looks at its bundles' statistics, which are renewed
once a minute (`statsUpdateFrequencyInSecs`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.report import REMOVAL_DELAY, Seconds
from evenkeel_engine.frame.clauses import states


@dataclass(frozen=True, slots=True)
class TopReporter:
    """What a broker remembers: which statistics it has seen, the bundles in them, whether its
    list is stored, and when it was removed last.
    """

    seen: int = 0
    bundles: tuple[str, ...] = ()
    stored: bool = False
    removed_at: Seconds | None = None


@states("LOA-58")
def look_at(reporter: TopReporter, statistics: int, bundles: tuple[str, ...]) -> TopReporter:
    """The broker looks at the statistics with this number, of which these are the top bundles."""
    if statistics <= reporter.seen:
        return reporter
    return replace(reporter, seen=statistics, bundles=bundles)


@states("LOA-58", "LOA-59", "LOA-60", "LOA-63")
def due(before: TopReporter, after: TopReporter, edition: Edition) -> bool:
    """Whether the list is due after a look: if the statistics were new.

    Or, but in editions that wait for them, if there is a list that is not stored.
    Source: TopBundleLoadDataReporter.generateLoadData 4.0.8.
    """
    fresh = after.seen > before.seen
    return fresh or (after.seen > 0 and not before.stored and not edition.top_bundles_wait)


@states("LOA-60")
def store(reporter: TopReporter, succeeded: bool) -> TopReporter:
    """The list was sent to the store."""
    return replace(reporter, stored=succeeded)


@states("LOA-62")
def removal_due(reporter: TopReporter, at: Seconds) -> bool:
    """Whether the list is removed: not again within ten seconds."""
    return reporter.removed_at is None or at - reporter.removed_at >= REMOVAL_DELAY


@states("LOA-62")
def remove(reporter: TopReporter, at: Seconds) -> TopReporter:
    """The list was removed."""
    return replace(reporter, stored=False, removed_at=at)
