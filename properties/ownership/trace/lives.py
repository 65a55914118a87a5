"""The lives of a bundle's record, put together from what several brokers saw.

A *life* lasts from the first record to its removal; within it each version is one record. Brokers
see a life late, in part, or again after a restart, so an event is put into the life to which it
belongs by what its broker saw before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from evenkeel.properties.ownership.trace.events import Event, rank, same_record
from evenkeel.reference.ownership.records import ACTIVE


class Sight(NamedTuple):
    """An event and its number in the order of judging."""

    event: Event
    at: int


@dataclass(slots=True)
class Life:
    """The records of one life by version, each as first seen; the first and the last version.

    `ended` is the first removal that was seen of it.
    """

    records: dict[int, Sight] = field(default_factory=dict)
    oldest: int | None = None
    newest: int | None = None
    ended: Sight | None = None

    def add(self, version: int, sight: Sight) -> None:
        """A record that was not known before."""
        self.records[version] = sight
        if self.newest is None or rank(version) > rank(self.newest):
            self.newest = version
        if self.oldest is None or rank(version) < rank(self.oldest):
            self.oldest = version

    @property
    def last(self) -> Event | None:
        """The newest record."""
        return None if self.newest is None else self.records[self.newest].event

    @property
    def end(self) -> int | None:
        """The rank of the newest version that is known of it; of a removal it may be all."""
        removed = None if self.ended is None else self.ended.event.version
        known = [rank(version) for version in (self.newest, removed) if version is not None]
        return max(known, default=None)

    def takes_next(self, version_rank: int) -> bool:
        """Would a version of this rank be the next, or the first?"""
        return self.newest is None or version_rank == rank(self.newest) + 1

    def has_room(self, event: Event, skew: int) -> bool:
        """May the record be one of this life, which has ended, that nobody has seen before?

        So if its version is among those that were seen, or next to them.
        """
        if self.oldest is None or self.newest is None or event.version in self.records:
            return False
        in_time = self.ended is None or event.time <= self.ended.event.time + skew
        return (
            in_time and rank(self.oldest) - 1 <= rank(event.version or 0) <= rank(self.newest) + 1
        )

    def has(self, event: Event) -> bool:
        """Is this very record known?"""
        known = None if event.version is None else self.records.get(event.version)
        return known is not None and same_record(known.event, event)


class Seen(NamedTuple):
    """How far a broker has come: a life, and the rank of the version that it saw last in it."""

    life: int
    rank: int | None


Fits = Callable[[Event, Event], bool]
"""May the second record follow the first?"""


class Lives:
    """All lives of a bundle, and how far each broker has come.

    `read_again`: a broker that restarts reads records of earlier lives again, as in a topic.
    `counted`: versions go on from life to life (OWN-40), so that they tell to which one belongs.
    """

    def __init__(self, fits: Fits, read_again: bool, counted: bool) -> None:
        self.all = [Life()]
        self._fits, self._read_again, self._counted = fits, read_again, counted
        self._seen: dict[str, Seen] = {}

    @property
    def latest(self) -> int:
        """The number of the latest life."""
        return len(self.all) - 1

    def saw(self, event: Event, life: int) -> None:
        """The broker has come to this record."""
        self._seen[event.broker] = Seen(life, rank(event.version or 0))

    def goes_back(self, event: Event) -> bool:
        """Has its broker seen a later version just before?"""
        seen = self._seen.get(event.broker)
        return seen is not None and seen.rank is not None and rank(event.version or 0) < seen.rank

    def life_of(self, event: Event, skew: int) -> int:
        """The life to which a record belongs.

        Where versions go on over removals, they tell. Else one that has it, not going back; else
        the latest, if it is next there and fits; else one that its broker may not have left, and
        where it fits or has room; else one that has it and that the broker read again; else the
        latest.
        """
        latest = self.latest
        if latest == 0:
            return 0
        version = rank(event.version or 0)
        if self._counted:
            return self._life_until(version)
        seen = self._seen.get(event.broker) or self._first_sight(event)
        for number in range(seen.life, latest + 1):
            goes_on = number > seen.life or seen.rank is None or version >= seen.rank
            if goes_on and self.all[number].has(event):
                return number
        last = self.all[latest].last
        if last is not None and self.all[latest].takes_next(version) and self._fits(last, event):
            return latest
        room = [
            number
            for number in range(seen.life, latest)
            if (number > seen.life or seen.rank is None or version >= seen.rank)
            and self.all[number].has_room(event, skew)
        ]
        if room:
            return next((number for number in room if self._fits_in(number, event)), room[0])
        if seen.life == latest and not self._read_again:
            return latest
        return self._life_with(event, latest)

    def _life_until(self, version: int) -> int:
        """The first life that had this version, or a later one, when it ended; else the latest."""
        for number, life in enumerate(self.all[:-1]):
            if life.end is not None and version <= life.end:
                return number
        return self.latest

    def _fits_in(self, number: int, event: Event) -> bool:
        """Does the record fit the one before and the one after it?"""
        records, version = self.all[number].records, event.version or 0
        before, after = records.get(version - 1), records.get(version + 1)
        if before is None and after is None:
            return False
        return (before is None or self._fits(before.event, event)) and (
            after is None or self._fits(event, after.event)
        )

    def _first_sight(self, event: Event) -> Seen:
        """Where a broker of which nothing was heard may be: not before the last life but one."""
        return Seen(self._life_with(event, self.latest - 1), None)

    def _life_with(self, event: Event, otherwise: int) -> int:
        """The latest life that has this record."""
        for number in range(self.latest, -1, -1):
            if self.all[number].has(event):
                return number
        return otherwise

    def removal(self, sight: Sight) -> Life | None:
        """A removal was seen. The life that it ends, None if it was known to have ended."""
        event, latest = sight.event, self.latest
        life, seen = self.all[latest], self._seen.get(event.broker)
        if life.newest is None or self._sees_late(event, life):
            behind = latest if life.newest is None or seen is None else seen.life + 1
            self._seen[event.broker] = Seen(min(behind, latest), None)
            return None
        life.ended = sight
        self.begin_another()
        self._seen[event.broker] = Seen(latest + 1, None)
        return life

    def _sees_late(self, event: Event, life: Life) -> bool:
        """Is it the removal of an earlier life, seen late?

        Surely if its broker saw the last record of that life, and none later. A broker that did
        not, or of which nothing was heard, may well tell of the latest, if that can be removed.
        """
        if self._counted and event.version is not None:
            return self._life_until(rank(event.version)) < self.latest
        seen = self._seen.get(event.broker)
        if self.latest == 0 or (seen is not None and seen.life == self.latest):
            return False
        newest = None if seen is None else self.all[seen.life].newest
        if seen is not None and newest is not None and seen.rank == rank(newest):
            return True
        return not removable(life, event)

    def begin_another(self) -> None:
        """A life begins."""
        self.all.append(Life())


def removable(life: Life, removal: Event) -> bool:
    """Does it look as if this removal could have ended this life?"""
    last = life.last
    if last is None:
        return False
    return last.state not in ACTIVE if removal.version is None else removal.version in life.records
