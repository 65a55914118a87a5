"""May a bundle's record have been removed between two sights of it?

Two records contradict each other only within one life. Lives are put together from sights, which
may be mistaken where removals follow each other closely or few brokers logged them; so before
anything is accused, the removals themselves are asked.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from evenkeel.properties.ownership.trace_events import Event, rank, same_record
from evenkeel.properties.ownership.trace_lives import Life


class Removal(NamedTuple):
    """A removal, with the records that its broker saw just before and just after it."""

    event: Event
    before: Event | None
    after: Event | None


class Removals:
    """All removals of a bundle's record, by time."""

    def __init__(self, ordered: Sequence[Event], skew: int) -> None:
        self._skew = skew
        self._all = sorted(removals_in(ordered), key=lambda removal: removal.event.time)
        self._times = [removal.event.time for removal in self._all]

    def between(self, one: Event, two: Event, life: Life) -> bool:
        """May one record be of this life, and the other of another?

        Not if every removal near them is known to lie before the life, or after both.
        """
        if not self._times:
            return False
        early, late = sorted((one.time, two.time))
        begin = bisect_left(self._times, early - self._skew)
        end = bisect_right(self._times, late + self._skew)
        return any(
            not (removal.event in (one, two) or apart(removal, one, two, life))
            for removal in self._all[begin:end]
        )

    def after(self, one: Event, life: Life) -> bool:
        """May this record have been removed at any time later?"""
        begin = bisect_left(self._times, one.time - self._skew)
        return any(not apart(removal, one, one, life) for removal in self._all[begin:])


def removals_in(ordered: Sequence[Event]) -> list[Removal]:
    """The removals of these events, each with what its broker saw around it."""
    if not any(event.removal for event in ordered):
        return []
    before: dict[str, Event] = {}
    open_: dict[str, list[tuple[Event, Event | None]]] = {}
    found = []
    for event in ordered:
        if event.removal:
            open_.setdefault(event.broker, []).append((event, before.get(event.broker)))
        else:
            before[event.broker] = event
            found += [Removal(*seen, event) for seen in open_.pop(event.broker, ())]
    return found + [Removal(*seen, None) for rest in open_.values() for seen in rest]


def apart(removal: Removal, one: Event, two: Event, life: Life) -> bool:
    """Did the removal's broker see it before the life of both records, or after both?"""
    before, after = removal.before, removal.after
    if after is not None and any(
        after is event or life.has(after) or equal(after, event) for event in (one, two)
    ):
        return True
    newest = max(rank(event.version or 0) for event in (one, two))
    return before is not None and life.has(before) and rank(before.version or 0) >= newest


def equal(one: Event, two: Event) -> bool:
    """The same record, by its version too."""
    return one.version == two.version and same_record(one, two)
