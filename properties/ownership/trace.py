"""Recorded ownership events, judged: a log is no question that is asked of a subject."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Final, NamedTuple

from evenkeel import spec
from evenkeel.properties.ownership.records import distance, in_table, ruling
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.records import (
    ACTIVE,
    FIRST_VERSION,
    LARGEST_VERSION,
    SMALLEST_VERSION,
    BrokerId,
    Record,
    State,
    Storage,
)


class Event(NamedTuple):
    """One event of one bundle. A tuple, since logs have millions of them.

    `time` in ms by the clock of `broker`, who saw it. A removal is in state Init; its `version`
    is that of the record that it took away, None if not known. `force` is None where the log does
    not say. `place` is where in the log it stands, in the order of the log.
    """

    time: int
    broker: str
    state: State
    owner: str | None
    source: str | None
    version: int | None
    force: bool | None
    place: int

    @property
    def removal(self) -> bool:
        """Was the record taken away?"""
        return self.state is State.INIT


@dataclass(frozen=True, slots=True)
class Rules:
    """By what a log is judged: where records are kept, which edition, and by how many ms the
    clocks of two brokers may differ.
    """

    storage: Storage
    edition: Edition
    skew: int


class Status(Enum):
    """What the specification says about a log, or a bundle of it."""

    EXPLAINED = "explained"
    UNKNOWN = "unknown"
    VIOLATED = "violated"


@dataclass(frozen=True, slots=True)
class Finding:
    """Why a bundle's events are not explained.

    `at` is the event by which it shows, counted from 0 in the order of judging, and `place` where
    that stands in the log; `clause` is the rule that failed, None where nothing failed and only
    events are missing.
    """

    at: int
    kind: str
    sentence: str
    clause: str | None = None
    place: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """For so long a record named this broker as the owner: ms, `until` None if for good.

    `at` is the event with which it began.
    """

    owner: str
    since: int
    until: int | None
    at: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about one bundle.

    `explained` counts the events before the first that is not; `around` are those near that one,
    the first of them number `around_from`. `spans` are the times of its owners.
    """

    bundle: str
    events: int
    explained: int
    findings: tuple[Finding, ...]
    around_from: int = 0
    around: tuple[Event, ...] = ()
    spans: tuple[Span, ...] = ()

    @property
    def status(self) -> Status:
        """Violated, unknown, or explained."""
        if any(finding.clause for finding in self.findings):
            return Status.VIOLATED
        return Status.UNKNOWN if self.findings else Status.EXPLAINED


def in_order(events: Sequence[Event]) -> list[Event]:
    """The events by time; where times are equal, as the log has them."""
    return sorted(events, key=attrgetter("time", "place"))


def same_record(one: Event, other: Event) -> bool:
    """Do both events tell of equal records? An unknown `force` equals either."""
    return (
        one.state is other.state
        and one.owner == other.owner
        and one.source == other.source
        and (one.force == other.force or one.force is None or other.force is None)
    )


def rank(version: int) -> int:
    """Versions in the order in which they are given: after the largest comes the least (OWN-2)."""
    return version if version >= FIRST_VERSION else version + 2**64


def record_of(event: Event, force: bool) -> Record:
    """The reference's record."""
    owner = None if event.owner is None else BrokerId(event.owner)
    source = None if event.source is None else BrokerId(event.source)
    return Record(event.state, owner, source, event.version or 0, force)


def describe(event: Event) -> str:
    """A record in a few words."""
    if event.removal:
        return "the removal" if event.version is None else f"the removal of version {event.version}"
    brokers = [
        f"{word} {name}"
        for word, name in (("owner", event.owner), ("source", event.source))
        if name is not None
    ]
    force = ["forced"] if event.force else []
    return f"{event.state.value} {event.version} ({', '.join([*brokers, *force]) or 'no broker'})"


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


DOUBLE: Final = "double ownership"
"""The kind of a finding about two owners."""

AROUND: Final = 3
"""So many events before and after the one that is not explained are shown."""


def judge_bundle(bundle: str, events: Sequence[Event], rules: Rules) -> Verdict:
    """Judge the events of one bundle, in any order.

    The first violation ends it, and then there are no spans: what follows is not understood.
    """
    ordered = in_order(events)
    judge = _Judge(rules, Removals(ordered, rules.skew))
    for at, event in enumerate(ordered):
        finding = judge.take(Sight(event, at))
        if finding is not None and finding.clause is not None:
            findings = [*judge.unknown, finding, *judge.rivals(ordered, at)]
            return verdict_of(bundle, ordered, findings)
    judge.look_back()
    return verdict_of(bundle, ordered, judge.unknown, judge.spans())


def verdict_of(
    bundle: str, ordered: Sequence[Event], findings: Sequence[Finding], spans: Sequence[Span] = ()
) -> Verdict:
    """The verdict with the events around the violation, else around the first finding."""
    found = sorted(
        (replace(finding, place=ordered[finding.at].place) for finding in findings),
        key=lambda finding: finding.at,
    )
    if not found:
        return Verdict(bundle, len(ordered), len(ordered), (), spans=tuple(spans))
    first = next((finding for finding in found if finding.clause), found[0])
    begin = max(first.at - AROUND, 0)
    around = tuple(ordered[begin : first.at + AROUND + 1])
    return Verdict(bundle, len(ordered), first.at, tuple(found), begin, around, tuple(spans))


def with_finding(verdict: Verdict, events: Sequence[Event], finding: Finding) -> Verdict:
    """The verdict with one more finding, made elsewhere about the same events."""
    ordered = in_order(events)
    return verdict_of(verdict.bundle, ordered, [*verdict.findings, finding])


class _Judge:
    """Takes the events one after the other. `unknown` collects what is neither."""

    def __init__(self, rules: Rules, removals: Removals) -> None:
        self.rules = rules
        self.removals = removals
        self.counted = not rules.edition.versions_restart
        self.lives = Lives(self._fits, rules.storage is Storage.TOPIC, self.counted)
        self.unknown: list[Finding] = []
        self._steps: dict[tuple[object, ...], tuple[str, str] | None] = {}

    def take(self, sight: Sight) -> Finding | None:
        """One more event. What it violates, if anything."""
        event = sight.event
        if event.removal:
            ended = self.lives.removal(sight)
            return None if ended is None else self._removed(ended, sight)
        number, version = self.lives.life_of(event, self.rules.skew), event.version or 0
        life = self.lives.all[number]
        known = life.records.get(version)
        finding = None
        if known is None:
            life.add(version, sight)
            finding = self._beside_neighbours(life, version, sight)
            if finding is None and life.ended is not None:
                finding = self._removed(life, life.ended)
        elif not same_record(known.event, event):
            anew = number == self.lives.latest and began_anew(life, version)
            again = not anew and self._reads_again(event)
            if not anew and not again and not self.removals.between(known.event, event):
                return disagreement(known.event, sight, self.rules.edition)
            if self.counted:
                sentence = f"{describe(event)} has the version of {describe(known.event)}"
                return Finding(sight.at, "restart", f"{sentence}, which is over", "OWN-40")
            if again:
                sentence = f"{describe(event)} was read again, and nobody saw it before"
                self.unknown.append(Finding(sight.at, "again", sentence))
                return None
            self._suppose_removal(life, sight)
            number = self.lives.latest
            self.lives.all[number].add(version, sight)
        self.lives.saw(event, number)
        return finding

    def _reads_again(self, event: Event) -> bool:
        """Does the broker go back? With a topic it does when it restarts."""
        topic = self.rules.storage is Storage.TOPIC
        return topic and self.lives.goes_back(event)

    def _beside_neighbours(self, life: Life, version: int, sight: Sight) -> Finding | None:
        before = life.records.get(version_before(version))
        finding = None if before is None else self._step(life, before.event, sight)
        after = life.records.get(version_after(version))
        if finding is None and after is not None:
            finding = self._step(life, sight.event, Sight(after.event, sight.at))
        if finding is not None and finding.clause is None:
            self.unknown.append(finding)
        return finding

    def _fits(self, before: Event, after: Event) -> bool:
        force = after.force is None or after.force
        return self._failed(before, after, force) is None

    def _failed(self, before: Event, after: Event, force: bool) -> tuple[str, str] | None:
        """What `step_that_fails` says; it is asked once for all records that differ in no more
        than their versions and stand to each other alike.
        """
        newer = max(0, min(distance(before.version or 0, after.version or 0), 2))
        brokers = before.owner, before.source, after.owner, after.source
        key = (id(before.state), id(after.state), *brokers, before.force, force, newer)
        if key not in self._steps:
            self._steps[key] = step_that_fails(self.rules, before, after, force)
        return self._steps[key]

    def _step(self, life: Life, before: Event, sight: Sight) -> Finding | None:
        """May this be the next record? (OWN-1, OWN-4)"""
        after = sight.event
        failed = self._failed(before, after, bool(after.force))
        if failed is None:
            return None
        clause, why = failed
        sentence = f"{describe(before)} is followed by {describe(after)}: {why}"
        if after.force is None and self._failed(before, after, True) is None:
            return Finding(
                sight.at, "force", f"{sentence}; unless forced, which the log does not say"
            )
        if self.removals.between(before, after) or self._over_a_removal(before):
            return Finding(sight.at, "order", f"{sentence}; unless it was removed in between")
        return Finding(sight.at, "step", sentence, clause)

    def _over_a_removal(self, before: Event) -> bool:
        """Where versions go on, may what follows be the first record after a removal?"""
        return self.counted and before.state not in ACTIVE and self.removals.any

    def rivals(self, ordered: Sequence[Event], at: int) -> Iterator[Finding]:
        """After a violation: did somebody else see another owner by the same version?"""
        for later in range(at + 1, len(ordered)):
            if ordered[later].version == ordered[at].version:
                finding = self.take(Sight(ordered[later], later))
                if finding is not None and finding.kind == DOUBLE:
                    yield finding
                    return

    def _removed(self, life: Life, sight: Sight) -> Finding | None:
        """Was this a record that may be removed? (OWN-6)"""
        version = sight.event.version
        removed = None if version is None else life.records.get(version)
        if removed is None or not self._must_stay(removed.event):
            return None
        if self.removals.between(removed.event, sight.event):
            return None
        sentence = f"{describe(removed.event)} is removed while in use"
        return Finding(sight.at, "removal", sentence, "OWN-6")

    def _must_stay(self, event: Event) -> bool:
        return event.state in ACTIVE and not self.rules.edition.tombstones_unconditional

    def _suppose_removal(self, life: Life, sight: Sight) -> None:
        last = life.last
        if last is not None:
            sure = not self.removals.between(last, sight.event)
            removal = "no removal is logged" if sure else "no removal in between is sure"
            sentence = (
                f"after {describe(last)} versions begin anew with {describe(sight.event)}, and "
                f"{removal}"
            )
            self.unknown.append(Finding(sight.at, "restart", sentence))
        self.lives.begin_another()

    def look_back(self) -> None:
        """At the end: versions that are missing, and records that were first seen too late."""
        for number, life in enumerate(self.lives.all):
            versions = sorted(life.records, key=rank)
            if number and versions:
                self._beginning(versions[0], life, self.lives.all[number - 1])
            for one, two in pairwise(versions):
                if rank(two) != rank(one) + 1:
                    before, after = life.records[one].event, life.records[two].event
                    between = f"between {describe(before)} and {describe(after)}"
                    sentence = f"{missing(one, two)} missing {between}"
                    self.unknown.append(Finding(life.records[two].at, "gap", sentence))
            self._lateness(life, versions)
            self._ending(life)

    def _ending(self, life: Life) -> None:
        """A removal of a record in use, or of one that is missing."""
        last = life.last
        if life.ended is None or last is None:
            return
        removal, at = life.ended
        if removal.version is None and self._must_stay(last):
            sentence = f"{describe(last)} is in use when it is removed, or a later one is missing"
            self.unknown.append(Finding(at, "removal", sentence))
        if removal.version is not None and removal.version not in life.records:
            sentence = f"version {removal.version}, which is removed, is missing"
            self.unknown.append(Finding(at, "gap", sentence))

    def _beginning(self, version: int, life: Life, before: Life) -> None:
        """A node's first record has the next version, in 4.0 version 1 (OWN-3, OWN-40).

        In a topic any may be the first (OWN-1).
        """
        first = rank(FIRST_VERSION)
        if self.counted:
            first = rank(version) if before.end is None else before.end + 1
        if rank(version) != first and self.rules.storage is Storage.NODES:
            sentence = f"after the removal, versions before {version} are missing"
            self.unknown.append(Finding(life.records[version].at, "gap", sentence))

    def _lateness(self, life: Life, versions: Sequence[int]) -> None:
        earliest = None
        for version in reversed(versions):
            event, at = life.records[version]
            if earliest is not None and event.time > earliest.time + self.rules.skew:
                sentence = (
                    f"{describe(event)} is first seen {event.time - earliest.time:,} ms after "
                    f"{describe(earliest)}, which comes later: clocks differ by more than "
                    f"{self.rules.skew:,} ms, or earlier sights of it are missing"
                )
                self.unknown.append(Finding(at, "late", sentence))
            if earliest is None or event.time < earliest.time:
                earliest = event

    def spans(self) -> list[Span]:
        """Who owned the bundle, and when, as far as is known."""
        return [
            span
            for number, life in enumerate(self.lives.all)
            for span in spans_of(life, number == self.lives.latest, self.removals)
        ]


def began_anew(life: Life, version: int) -> bool:
    """May the record have been removed unseen, and versions begin again? Only after its end."""
    last = life.last
    return last is not None and last.state not in ACTIVE and rank(version) < rank(last.version or 0)


def disagreement(known: Event, sight: Sight, edition: Edition) -> Finding:
    """Two records with one version. With two owners at once, two brokers serve (OWN-7)."""
    event = sight.event
    double = (
        known.state is State.OWNED and event.state is State.OWNED and known.owner != event.owner
    )
    if double:
        sentence = (
            f"two brokers own the bundle by version {event.version}: {known.owner} as "
            f"{known.broker} saw it, {event.owner} as {event.broker} saw it"
        )
        clause = "OWN-7" if belongs("OWN-7", edition.name) else "OWN-2"
        return Finding(sight.at, DOUBLE, sentence, clause)
    sentence = (
        f"{known.broker} saw {describe(known)}, {event.broker} saw {describe(event)}: of one "
        f"version one record stands"
    )
    return Finding(sight.at, "disagreement", sentence, "OWN-2")


@lru_cache(maxsize=64)
def belongs(clause: str, edition: str) -> bool:
    """Is the clause one of this edition?"""
    editions = spec.clause(clause).editions
    return not editions or edition in editions


def step_that_fails(
    rules: Rules, before: Event, after: Event, force: bool
) -> tuple[str, str] | None:
    """The clause by which `after` may not be the next record, and why; None if it may."""
    current, update = record_of(before, bool(before.force)), record_of(after, force)
    accepted = ruling(rules.storage, current, update, rules.edition).accepted
    if accepted:
        return None
    if accepted is None:
        return "OWN-4", "the record before names no owner to compare with"
    if not in_table(rules.storage, before.state, after.state):
        return "OWN-1", "not in the table of transitions"
    return "OWN-4", "the brokers do not fit"


def version_before(version: int) -> int:
    """The version before."""
    return LARGEST_VERSION if version == SMALLEST_VERSION else version - 1


def version_after(version: int) -> int:
    """The version after."""
    return SMALLEST_VERSION if version == LARGEST_VERSION else version + 1


def missing(one: int, two: int) -> str:
    """The versions between two."""
    first, last = version_after(one), version_before(two)
    return f"version {first} is" if first == last else f"versions {first} to {last} are"


def spans_of(life: Life, goes_on: bool, removals: Removals) -> list[Span]:
    """The times of owners in one life; none where it is not known when they ended."""
    found = []
    for version, (event, at) in life.records.items():
        if event.state is not State.OWNED or event.owner is None:
            continue
        after = life.records.get(version_after(version))
        if after is not None:
            if not removals.between(event, after.event):
                found.append(Span(event.owner, event.time, after.event.time, at))
        elif version == life.newest and goes_on and not removals.after(event):
            found.append(Span(event.owner, event.time, None, at))
    return found


QUESTIONS: Final = ()
