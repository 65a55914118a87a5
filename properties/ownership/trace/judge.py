"""Does the specification explain what was seen of one bundle?

A violation is only what no log with some events missing could explain, given that removals are
logged and that a record stands until the log says otherwise: two records with one version, and a
record that must not follow the one whose version is next before its own. Everything else that
does not fit is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from evenkeel import spec
from evenkeel.properties.ownership.succession import distance, in_table, ruling
from evenkeel.properties.ownership.trace.events import (
    Event,
    Finding,
    Rules,
    Span,
    Verdict,
    describe,
    in_order,
    rank,
    record_of,
    same_record,
)
from evenkeel.properties.ownership.trace.lives import Life, Lives, Sight
from evenkeel.properties.ownership.trace.removals import Removals
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.records import (
    ACTIVE,
    FIRST_VERSION,
    LARGEST_VERSION,
    SMALLEST_VERSION,
    State,
    Storage,
)

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
