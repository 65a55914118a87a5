"""Recorded ownership events, the order in which they are judged, and what is found about them.

An event says that a record, or the removal of one, took effect in some broker's view. What was
written and did not stand is no event. The file format: spec/trace.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter
from typing import NamedTuple

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.records import (
    FIRST_VERSION,
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
