"""May a bundle's record have been removed between two sights of it?

Two records contradict each other only within one life. Lives are put together from sights, which
may be mistaken where removals follow each other closely or few brokers logged them; so before
anything is flagged, the removals themselves are asked.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from enum import Enum

from evenkeel.properties.ownership.trace.events import Event


class Side(Enum):
    """When a removal happened, compared with the sight of a record."""

    BEFORE = "before"
    AFTER = "after"
    UNSURE = "unsure"


class Removals:
    """All removals of a bundle's record, by time; `skew` in ms."""

    def __init__(self, events: Sequence[Event], skew: int) -> None:
        self._skew = skew
        self._all = [event for event in events if event.removal]
        self._times = [event.time for event in self._all]

    @property
    def any(self) -> bool:
        """Was anything ever removed?"""
        return bool(self._all)

    def between(self, one: Event, two: Event) -> bool:
        """May the record have been removed between the two? The two themselves do not count."""
        if not self._times:
            return False
        early, late = sorted((one.time, two.time))
        begin = bisect_left(self._times, early - self._skew)
        end = bisect_right(self._times, late + self._skew)
        return any(
            removal not in (one, two) and not self._apart(removal, one, two)
            for removal in self._all[begin:end]
        )

    def after(self, one: Event) -> bool:
        """May the record have been removed at any time later?"""
        begin = bisect_left(self._times, one.time - self._skew)
        return any(self._side(removal, one) is not Side.BEFORE for removal in self._all[begin:])

    def _apart(self, removal: Event, one: Event, two: Event) -> bool:
        side = self._side(removal, one)
        return side is not Side.UNSURE and side is self._side(removal, two)

    def _side(self, removal: Event, event: Event) -> Side:
        """One broker's clock is trusted; those of two may differ by the skew."""
        here, there = (removal.time, removal.place), (event.time, event.place)
        if removal.broker != event.broker and abs(removal.time - event.time) <= self._skew:
            return Side.UNSURE
        return Side.BEFORE if here < there else Side.AFTER
