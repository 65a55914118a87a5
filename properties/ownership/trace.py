"""Judge recorded ownership events: a log is not the answer to a question, so it has its own
judge.
"""

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
from evenkeel_engine import spec
from evenkeel_engine.content import list_lineage


class Event(NamedTuple):
    """One event of one bundle. A tuple, since logs have millions of them.

    `time` in ms by the clock of `broker`, which saw it. A removal is in state Init; its `version`
    is that of the removed record, None if not known. `force` is None if the log does not say.
    `place` is the position in the log.
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
        """Whether the record was removed."""
        return self.state is State.INIT


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules for a log: where records are stored, the edition, and by how many ms the clocks of
    two brokers may differ.
    """

    storage: Storage
    edition: Edition
    skew: int


class Status(Enum):
    """The verdict on a log, or on a bundle of it."""

    EXPLAINED = "explained"
    UNKNOWN = "unknown"
    VIOLATED = "violated"


@dataclass(frozen=True, slots=True)
class Finding:
    """Why a bundle's events are not explained.

    `at` is the event that shows it, counted from 0 in the order of judging, and `place` its
    position in the log; `clause` is the violated clause, None if nothing is violated and only
    events are missing.
    """

    at: int
    kind: str
    sentence: str
    clause: str | None = None
    place: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """The time for which a record named this broker as the owner: ms, `until` None if there is no
    end.

    `at` is the event with which it began.
    """

    owner: str
    since: int
    until: int | None
    at: int


@dataclass(frozen=True, slots=True)
class TraceVerdict:
    """What was found about one bundle.

    `explained` counts the events before the first unexplained one; `around` are those near that
    one, the first of them number `around_from`. `spans` are the times of its owners.
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
    """The events by time; at equal times in the order of the log."""
    return sorted(events, key=attrgetter("time", "place"))


def same_record(one: Event, other: Event) -> bool:
    """Whether both events report equal records. An unknown `force` equals either."""
    return (
        one.state is other.state
        and one.owner == other.owner
        and one.source == other.source
        and (one.force == other.force or one.force is None or other.force is None)
    )


def rank(version: int) -> int:
    """A version's rank in the order of assignment: the smallest follows the largest (OWN-2)."""
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
class RecordHistory:
    """The records between two removals by version, each as first seen; the first and the last
    version.

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
        """The rank of the newest version known of it; that may be the version of its removal."""
        removed = None if self.ended is None else self.ended.event.version
        known = [rank(version) for version in (self.newest, removed) if version is not None]
        return max(known, default=None)

    def takes_next(self, version_rank: int) -> bool:
        """Whether a version of this rank would be the next, or the first."""
        return self.newest is None or version_rank == rank(self.newest) + 1

    def has_room(self, event: Event, skew: int) -> bool:
        """Whether the record may be an unseen one of this history, which has ended.

        It may if its version is between those that were seen, or next to them.
        """
        if self.oldest is None or self.newest is None or event.version in self.records:
            return False
        in_time = self.ended is None or event.time <= self.ended.event.time + skew
        return (
            in_time and rank(self.oldest) - 1 <= rank(event.version or 0) <= rank(self.newest) + 1
        )

    def has(self, event: Event) -> bool:
        """Whether this record is known."""
        known = None if event.version is None else self.records.get(event.version)
        return known is not None and same_record(known.event, event)


class ReadUpTo(NamedTuple):
    """How far a broker has read: a history, and the rank of the version that it saw last in it."""

    history: int
    rank: int | None


Fits = Callable[[Event, Event], bool]
"""Whether the second record may follow the first."""


class RecordHistories:
    """All histories of a bundle's record, and how far each broker has read.

    `read_again`: a broker that restarts reads records of earlier histories again, as in a topic.
    `counted`: versions continue from history to history (OWN-40), so that they identify it.
    """

    def __init__(self, fits: Fits, read_again: bool, counted: bool) -> None:
        self.all = [RecordHistory()]
        self._fits, self._read_again, self._counted = fits, read_again, counted
        self._seen: dict[str, ReadUpTo] = {}

    @property
    def latest(self) -> int:
        """The number of the latest history."""
        return len(self.all) - 1

    def saw(self, event: Event, history: int) -> None:
        """The broker has read this record."""
        self._seen[event.broker] = ReadUpTo(history, rank(event.version or 0))

    def goes_back(self, event: Event) -> bool:
        """Whether its broker has seen a later version just before."""
        seen = self._seen.get(event.broker)
        return seen is not None and seen.rank is not None and rank(event.version or 0) < seen.rank

    def history_of(self, event: Event, skew: int) -> int:
        """The history to which a record belongs.

        If versions continue over removals, they identify it. Else it is one that has the record,
        without going back; else the latest, if the record is next there and fits; else one that its
        broker may still be reading, and where it fits or has room; else one that has it and that
        the broker read again; else the latest.
        """
        latest = self.latest
        if latest == 0:
            return 0
        version = rank(event.version or 0)
        if self._counted:
            return self._history_until(version)
        seen = self._seen.get(event.broker) or self._first_sight(event)
        for number in range(seen.history, latest + 1):
            continues = number > seen.history or seen.rank is None or version >= seen.rank
            if continues and self.all[number].has(event):
                return number
        last = self.all[latest].last
        if last is not None and self.all[latest].takes_next(version) and self._fits(last, event):
            return latest
        room = [
            number
            for number in range(seen.history, latest)
            if (number > seen.history or seen.rank is None or version >= seen.rank)
            and self.all[number].has_room(event, skew)
        ]
        if room:
            return next((number for number in room if self._fits_in(number, event)), room[0])
        if seen.history == latest and not self._read_again:
            return latest
        return self._history_with(event, latest)

    def _history_until(self, version: int) -> int:
        """The first history that had this version, or a later one, at its end; else the latest."""
        for number, history in enumerate(self.all[:-1]):
            if history.end is not None and version <= history.end:
                return number
        return self.latest

    def _fits_in(self, number: int, event: Event) -> bool:
        """Whether the record fits the one before and the one after it."""
        records, version = self.all[number].records, event.version or 0
        before, after = records.get(version - 1), records.get(version + 1)
        if before is None and after is None:
            return False
        return (before is None or self._fits(before.event, event)) and (
            after is None or self._fits(event, after.event)
        )

    def _first_sight(self, event: Event) -> ReadUpTo:
        """Where a broker without events may be: not before the last history but one."""
        return ReadUpTo(self._history_with(event, self.latest - 1), None)

    def _history_with(self, event: Event, otherwise: int) -> int:
        """The latest history that has this record."""
        for number in range(self.latest, -1, -1):
            if self.all[number].has(event):
                return number
        return otherwise

    def removal(self, sight: Sight) -> RecordHistory | None:
        """Add a removal. Return the history that it ends, None if it was known to have ended."""
        event, latest = sight.event, self.latest
        history, seen = self.all[latest], self._seen.get(event.broker)
        if history.newest is None or self._sees_late(event, history):
            behind = latest if history.newest is None or seen is None else seen.history + 1
            self._seen[event.broker] = ReadUpTo(min(behind, latest), None)
            return None
        history.ended = sight
        self.begin_another()
        self._seen[event.broker] = ReadUpTo(latest + 1, None)
        return history

    def _sees_late(self, event: Event, history: RecordHistory) -> bool:
        """Whether it is the removal of an earlier history, seen late.

        It certainly is if its broker saw the last record of that history, and none later. A broker
        that did not, or without events, may report the latest, if that can be removed.
        """
        if self._counted and event.version is not None:
            return self._history_until(rank(event.version)) < self.latest
        seen = self._seen.get(event.broker)
        if self.latest == 0 or (seen is not None and seen.history == self.latest):
            return False
        newest = None if seen is None else self.all[seen.history].newest
        if seen is not None and newest is not None and seen.rank == rank(newest):
            return True
        return not removable(history, event)

    def begin_another(self) -> None:
        """Begin another history."""
        self.all.append(RecordHistory())


def removable(history: RecordHistory, removal: Event) -> bool:
    """Whether this removal could have ended this history."""
    last = history.last
    if last is None:
        return False
    return (
        last.state not in ACTIVE if removal.version is None else removal.version in history.records
    )


_NAME: Final = re.compile(r"(.+/.+)/0x([0-9a-fA-F]{1,8})_0x([0-9a-fA-F]{1,8})")


class Range(NamedTuple):
    """The hashes of a bundle: from `low` up to `high`, without it."""

    namespace: str
    low: int
    high: int
    bundle: str


def range_of(bundle: str) -> Range | None:
    """The range in a name such as `t/n/0x00000000_0x40000000`; None if there is none."""
    if (match := _NAME.fullmatch(bundle)) is None:
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

    Returns the bundle that caused it, and the finding; None if it never lasts longer than clocks
    may differ, or if the edition does not promise it.
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
    """The time in ms for which both are owned; negative if never."""
    ends = [end for end in (one.until, two.until) if end is not None]
    return min(ends, default=float("inf")) - max(one.since, two.since)


class Side(Enum):
    """Whether a removal was before or after a record was seen."""

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
        """Whether any record was removed."""
        return bool(self._all)

    def between(self, one: Event, two: Event) -> bool:
        """Whether the record may have been removed between the two, which do not count."""
        if not self._times:
            return False
        early, late = sorted((one.time, two.time))
        begin = bisect_left(self._times, early - self._skew)
        return any(
            removal not in (one, two) and not self._apart(removal, one, two)
            for removal in self._all[begin : bisect_right(self._times, late + self._skew)]
        )

    def after(self, one: Event) -> bool:
        """Whether the record may have been removed at any later time."""
        begin = bisect_left(self._times, one.time - self._skew)
        return any(self._side(removal, one) is not Side.BEFORE for removal in self._all[begin:])

    def _apart(self, removal: Event, one: Event, two: Event) -> bool:
        side = self._side(removal, one)
        return side is not Side.UNSURE and side is self._side(removal, two)

    def _side(self, removal: Event, event: Event) -> Side:
        """The side by the clocks: exact for one broker, up to the skew for two."""
        here, there = (removal.time, removal.place), (event.time, event.place)
        if removal.broker != event.broker and abs(removal.time - event.time) <= self._skew:
            return Side.UNSURE
        return Side.BEFORE if here < there else Side.AFTER


DOUBLE: Final = "double ownership"
"""The kind of a finding about two owners."""

AROUND: Final = 3
"""How many events before and after the unexplained one are shown."""


def judge_bundle(bundle: str, events: Sequence[Event], rules: Rules) -> TraceVerdict:
    """Judge the events of one bundle, in any order.

    The first violation ends it, and then there are no spans, since later events cannot be
    interpreted.
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
) -> TraceVerdict:
    """The verdict with the events around the violation, else around the first finding."""
    found = sorted(
        (replace(finding, place=ordered[finding.at].place) for finding in findings),
        key=lambda finding: finding.at,
    )
    if not found:
        return TraceVerdict(bundle, len(ordered), len(ordered), (), spans=tuple(spans))
    first = next((finding for finding in found if finding.clause), found[0])
    begin = max(first.at - AROUND, 0)
    around = tuple(ordered[begin : first.at + AROUND + 1])
    return TraceVerdict(bundle, len(ordered), first.at, tuple(found), begin, around, tuple(spans))


def with_finding(verdict: TraceVerdict, events: Sequence[Event], finding: Finding) -> TraceVerdict:
    """The verdict with one more finding about the same events."""
    return verdict_of(verdict.bundle, in_order(events), [*verdict.findings, finding])


class _Judge:
    """Judges the events in order. `unknown` collects findings that are no violations."""

    def __init__(self, rules: Rules, removals: Removals) -> None:
        self.rules = rules
        self.removals = removals
        self.counted = not rules.edition.versions_restart
        self.histories = RecordHistories(self._fits, rules.storage is Storage.TOPIC, self.counted)
        self.unknown: list[Finding] = []
        self._steps: dict[tuple[object, ...], tuple[str, str] | None] = {}

    def take(self, sight: Sight) -> Finding | None:
        """Judge one more event. Return what it violates, if anything."""
        event = sight.event
        if event.removal:
            ended = self.histories.removal(sight)
            return None if ended is None else self._check_removal(ended, sight)
        number, version = self.histories.history_of(event, self.rules.skew), event.version or 0
        history = self.histories.all[number]
        known = history.records.get(version)
        finding = None
        if known is None:
            history.add(version, sight)
            finding = self._next_to_neighbours(history, version, sight)
            if finding is None and history.ended is not None:
                finding = self._check_removal(history, history.ended)
        elif not same_record(known.event, event):
            restarts = number == self.histories.latest and has_restarted(history, version)
            again = not restarts and self._reads_again(event)
            if not restarts and not again and not self.removals.between(known.event, event):
                return find_disagreement(known.event, sight, self.rules.edition)
            if self.counted:
                sentence = f"{describe(event)} has the version of {describe(known.event)}"
                return Finding(sight.at, "restart", f"{sentence}, which is over", "OWN-40")
            if again:
                sentence = f"{describe(event)} was read again, and no broker saw it before"
                self.unknown.append(Finding(sight.at, "again", sentence))
                return None
            self._suppose_removal(history, sight)
            number = self.histories.latest
            self.histories.all[number].add(version, sight)
        self.histories.saw(event, number)
        return finding

    def _reads_again(self, event: Event) -> bool:
        """Whether the broker reads earlier records again, as with a topic after a restart."""
        return self.rules.storage is Storage.TOPIC and self.histories.goes_back(event)

    def _next_to_neighbours(
        self, history: RecordHistory, version: int, sight: Sight
    ) -> Finding | None:
        before = history.records.get(version_before(version))
        finding = None if before is None else self._step(history, before.event, sight)
        after = history.records.get(version_after(version))
        if finding is None and after is not None:
            finding = self._step(history, sight.event, Sight(after.event, sight.at))
        if finding is not None and finding.clause is None:
            self.unknown.append(finding)
        return finding

    def _fits(self, before: Event, after: Event) -> bool:
        force = after.force is None or after.force
        return self._find_failure(before, after, force) is None

    def _find_failure(self, before: Event, after: Event, force: bool) -> tuple[str, str] | None:
        """`step_that_fails`, cached for records that differ only in versions of the same order."""
        newer = max(0, min(distance(before.version or 0, after.version or 0), 2))
        brokers = before.owner, before.source, after.owner, after.source
        key = (id(before.state), id(after.state), *brokers, before.force, force, newer)
        if key not in self._steps:
            self._steps[key] = step_that_fails(self.rules, before, after, force)
        return self._steps[key]

    def _step(self, history: RecordHistory, before: Event, sight: Sight) -> Finding | None:
        """Check whether this may be the next record (OWN-1, OWN-4)."""
        after = sight.event
        if (failed := self._find_failure(before, after, bool(after.force))) is None:
            return None
        clause, why = failed
        sentence = f"{describe(before)} is followed by {describe(after)}: {why}"
        if after.force is None and self._find_failure(before, after, True) is None:
            return Finding(
                sight.at, "force", f"{sentence}; unless forced, which the log does not say"
            )
        if self.removals.between(before, after) or self._over_a_removal(before):
            return Finding(sight.at, "order", f"{sentence}; unless it was removed in between")
        return Finding(sight.at, "step", sentence, clause)

    def _over_a_removal(self, before: Event) -> bool:
        """Whether the next record may be the first one after a removal, where versions continue."""
        return self.counted and before.state not in ACTIVE and self.removals.any

    def rivals(self, ordered: Sequence[Event], at: int) -> Iterator[Finding]:
        """After a violation: findings of brokers that saw another owner with the same version."""
        for later in range(at + 1, len(ordered)):
            if ordered[later].version == ordered[at].version:
                finding = self.take(Sight(ordered[later], later))
                if finding is not None and finding.kind == DOUBLE:
                    yield finding
                    return

    def _check_removal(self, history: RecordHistory, sight: Sight) -> Finding | None:
        """Check whether this record may be removed (OWN-6)."""
        version = sight.event.version
        removed = None if version is None else history.records.get(version)
        if removed is None or not self._must_not_be_removed(removed.event):
            return None
        if self.removals.between(removed.event, sight.event):
            return None
        sentence = f"{describe(removed.event)} is removed while in use"
        return Finding(sight.at, "removal", sentence, "OWN-6")

    def _must_not_be_removed(self, event: Event) -> bool:
        return event.state in ACTIVE and not self.rules.edition.tombstones_unconditional

    def _suppose_removal(self, history: RecordHistory, sight: Sight) -> None:
        last = history.last
        if last is not None:
            sure = not self.removals.between(last, sight.event)
            removal = "no removal is logged" if sure else "no removal in between is sure"
            sentence = (
                f"after {describe(last)} versions restart with {describe(sight.event)}, and "
                f"{removal}"
            )
            self.unknown.append(Finding(sight.at, "restart", sentence))
        self.histories.begin_another()

    def look_back(self) -> None:
        """At the end: missing versions, and records that were first seen too late."""
        for number, history in enumerate(self.histories.all):
            versions = sorted(history.records, key=rank)
            if number and versions:
                self._beginning(versions[0], history, self.histories.all[number - 1])
            for one, two in pairwise(versions):
                if rank(two) != rank(one) + 1:
                    before, after = history.records[one].event, history.records[two].event
                    between = f"between {describe(before)} and {describe(after)}"
                    sentence = f"{missing(one, two)} missing {between}"
                    self.unknown.append(Finding(history.records[two].at, "gap", sentence))
            self._lateness(history, versions)
            self._ending(history)

    def _ending(self, history: RecordHistory) -> None:
        """The removal of a record in use, or of a missing one."""
        last = history.last
        if history.ended is None or last is None:
            return
        removal, at = history.ended
        if removal.version is None and self._must_not_be_removed(last):
            sentence = f"{describe(last)} is in use when it is removed, or a later one is missing"
            self.unknown.append(Finding(at, "removal", sentence))
        if removal.version is not None and removal.version not in history.records:
            sentence = f"version {removal.version}, which is removed, is missing"
            self.unknown.append(Finding(at, "gap", sentence))

    def _beginning(self, version: int, history: RecordHistory, before: RecordHistory) -> None:
        """A node's first record has the next version, in 4.0 version 1 (OWN-3, OWN-40).

        In a topic any version may be the first (OWN-1).
        """
        first = rank(FIRST_VERSION)
        if self.counted:
            first = rank(version) if before.end is None else before.end + 1
        if rank(version) != first and self.rules.storage is Storage.NODES:
            sentence = f"after the removal, versions before {version} are missing"
            self.unknown.append(Finding(history.records[version].at, "gap", sentence))

    def _lateness(self, history: RecordHistory, versions: Sequence[int]) -> None:
        earliest = None
        for version in reversed(versions):
            event, at = history.records[version]
            if earliest is not None and event.time > earliest.time + self.rules.skew:
                sentence = (
                    f"{describe(event)} is first seen {event.time - earliest.time:,} ms after "
                    f"{describe(earliest)}, which comes later: clocks differ by more than "
                    f"{self.rules.skew:,} ms, or earlier events about it are missing"
                )
                self.unknown.append(Finding(at, "late", sentence))
            if earliest is None or event.time < earliest.time:
                earliest = event

    def spans(self) -> list[Span]:
        """The owners of the bundle with their times, as far as they are known."""
        return [
            span
            for number, history in enumerate(self.histories.all)
            for span in spans_of(history, number == self.histories.latest, self.removals)
        ]


def has_restarted(history: RecordHistory, version: int) -> bool:
    """Whether the record may have been removed unseen and versions restarted after its end."""
    last = history.last
    return last is not None and last.state not in ACTIVE and rank(version) < rank(last.version or 0)


def find_disagreement(known: Event, sight: Sight, edition: Edition) -> Finding:
    """The finding about two records with one version. Two owners: two brokers serve (OWN-7)."""
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
        f"version one record is stored"
    )
    return Finding(sight.at, "disagreement", sentence, "OWN-2")


@lru_cache(maxsize=64)
def belongs(clause: str, edition: str) -> bool:
    """Whether an edition has a clause."""
    return spec.find_clause(clause).holds_in(*list_lineage(edition))


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
    """The versions between two, as text."""
    first, last = version_after(one), version_before(two)
    return f"version {first} is" if first == last else f"versions {first} to {last} are"


def spans_of(history: RecordHistory, continues: bool, removals: Removals) -> list[Span]:
    """The times of owners in one history; none if it is not known when they ended."""
    found = []
    for version, (event, at) in history.records.items():
        if event.state is not State.OWNED or event.owner is None:
            continue
        if (after := history.records.get(version_after(version))) is not None:
            if not removals.between(event, after.event):
                found.append(Span(event.owner, event.time, after.event.time, at))
        elif version == history.newest and continues and not removals.after(event):
            found.append(Span(event.owner, event.time, None, at))
    return found


QUESTIONS: Final = ()
