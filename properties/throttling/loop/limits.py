"""The limits of a loop trial: what may be left of them, and how much they may let through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from evenkeel.properties.throttling.courses import Courses
from evenkeel.properties.throttling.loop.parties import Party
from evenkeel.properties.throttling.loop.trial import Charged, Delivered, LoopTrial, ReadIssued
from evenkeel.reference.throttling.loop import Entry
from evenkeel.reference.throttling.rates import LEVELS, DispatchRate, Level

DIMENSIONS: Final = ("messages", "bytes")


@dataclass(slots=True)
class Quota:
    """One dimension of one limiter.

    `courses`: what may be left, for every beginning of periods; None without a limit. `unknown`:
    what was charged without a limit is not known once there is one. Since the beginning:
    `deliveries`, when and how much; reads `under_way`, issued and not yet charged, and how many at
    most; the `widest` read in entries; `charged_by` which subscriptions.
    """

    level: Level
    name: str
    limit: int = -1
    period: int = 1000
    courses: Courses | None = None
    unknown: bool = False
    deliveries: list[tuple[int, int]] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0
    widest: int = 0
    charged_by: set[int] = field(default_factory=set)

    def configure(self, rate: DispatchRate, now: int, times: tuple[int, ...]) -> None:
        before, self.courses = self.courses, None
        self.limit, self.period = getattr(rate, self.name), rate.period * 1000
        if self.limit <= 0:
            self.unknown = self.unknown or before is not None or now > 0
            return
        self.courses = Courses(self.limit, self.period, times)
        self.courses.begin(now, before.taken() if before else ())
        self.courses.open = self.unknown or (before is not None and before.open)

    def charge(self, event: Charged) -> None:
        self.under_way -= 1
        self.charged_by.add(event.subscription)
        if self.courses is None:
            self.unknown = True
        else:
            self.courses.deliver(event.units if self.name == "messages" else event.bytes)

    def issue(self, entries: int) -> None:
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        self.widest = max(self.widest, entries)


@dataclass(slots=True)
class Stored:
    """The entries of a topic."""

    entries: int = 0
    bytes: int = 0

    @property
    def average(self) -> int | None:
        """Bytes of an entry, as published; None while there is none."""
        return max(1, self.bytes // self.entries) if self.entries else None


class Limits:
    """Every limiter and dimension, and how much each may let through in a window of time.

    `lost`: windows say nothing any more, since deliveries may go uncharged, reads be lost, or debts
    be forgiven. `largest`: of all entries, in units and in bytes; `estimate`: the least average
    size by which a read was estimated; `smallest`: the fewest messages of an entry.
    """

    def __init__(self, trial: LoopTrial, parties: list[Party], times: tuple[int, ...]) -> None:
        self.settings, self.parties, self.times, self.now = trial.settings, parties, times, 0
        self.stored = [Stored() for _ in trial.topics]
        self.largest = {"messages": 1, "bytes": 1}
        self.smallest = trial.settings.max_bytes
        self.estimate = trial.settings.max_bytes
        for topic, start in enumerate(trial.topics):
            self.publish(topic, start.entries)
        self.held: list[tuple[Quota, ...]] = []
        made: dict[tuple[Level, int], tuple[Quota, ...]] = {}
        for party in parties:
            keys = tuple(zip(LEVELS, (0, party.topic, party.number), strict=True))
            for key in keys:
                if key not in made:
                    made[key] = tuple(Quota(key[0], name) for name in DIMENSIONS)
            self.held.append(tuple(quota for key in keys for quota in made[key]))
        self.quotas = [quota for both in made.values() for quota in both]
        for level in LEVELS:
            self.configure(level, getattr(trial.rates, level.value))
        self.lost = False

    def configure(self, level: Level, rate: DispatchRate) -> None:
        """Another rate for a level."""
        self.lost = True
        for quota in self.quotas:
            if quota.level is level:
                quota.configure(rate, self.now, self.times)

    def publish(self, topic: int, entries: tuple[Entry, ...]) -> None:
        """More entries are stored."""
        stored, largest = self.stored[topic], self.largest
        for entry in entries:
            stored.entries, stored.bytes = stored.entries + 1, stored.bytes + entry.bytes
            units = 1 if self.settings.by_entry else entry.messages
            largest["messages"] = max(largest["messages"], units)
            largest["bytes"] = max(largest["bytes"], entry.bytes)
            self.smallest = min(self.smallest, entry.messages)

    def advance(self, now: int) -> None:
        """Time has come to `now`."""
        self.now = now
        for quota in self.quotas:
            if quota.courses is not None:
                quota.courses.advance(now)

    def at_levels(self, subscription: int) -> set[Level]:
        """The levels at which something limits a subscription."""
        return {quota.level for quota in self.held[subscription] if quota.courses is not None}

    def messages_left(self, subscription: int) -> int | None:
        """How many messages may be left to a subscription at most; None: no limit, or unknown."""
        left = [
            quota.courses.possible()[-1]
            for quota in self.held[subscription]
            if quota.name == "messages" and quota.courses is not None and not quota.courses.open
        ]
        return min(left, default=None)

    def look_by(self, subscription: int) -> int | None:
        """When, at the latest, all quotas of a subscription were there for a whole period; None:
        unknown.
        """
        held = [(q.courses, q.period) for q in self.held[subscription] if q.courses is not None]
        if not held or any(courses.open for courses, _ in held):
            return None
        return max(courses.back(self.now) for courses, _ in held) + max(p for _, p in held)

    def may_be_used_up(self, subscription: int) -> bool:
        """Whether some limit may have nothing left."""
        return any(
            quota.courses is not None and (quota.courses.open or quota.courses.possible()[0] == 0)
            for quota in self.held[subscription]
        )

    def used_up_elsewhere(self, subscription: int) -> bool:
        """Whether a quota has nothing left, for sure, that is no limit of this subscription."""
        mine = self.held[subscription]
        return any(
            quota.courses is not None
            and not quota.courses.open
            and quota.courses.possible()[-1] == 0
            and all(quota is not own for own in mine)
            for quota in (self.quotas if len(self.parties) > 1 else ())
        )

    def charge(self, event: Charged) -> None:
        """A delivery is charged."""
        for quota in self.held[event.subscription]:
            if quota.level in event.levels:
                quota.charge(event)

    def read(self, event: ReadIssued) -> Iterator[tuple[str, str, str]]:
        """A read is issued: for each rule its clause, what is wrong or nothing, and a word."""
        fits: int | None = None
        for quota in self.held[event.subscription]:
            quota.issue(event.entries)
            if quota.courses is None or quota.courses.open:
                continue
            most = quota.courses.possible()[-1]
            asked = event.entries if quota.name == "messages" else event.quota_bytes
            if quota.name == "bytes":
                fits = most if fits is None else min(fits, most)
            what = f"a read of {event.entries} entries and {event.quota_bytes} bytes, with at most "
            wrong = most < 1 or asked > max(1, most)
            what += f"{most} {quota.name} left of the {quota.level.value}'s quota"
            yield "THR-39", (what if wrong else ""), quota.name
            if most < 1 and event.subscription not in quota.charged_by:
                yield "THR-61", f"{what}, which others have used up", quota.name
        size = self.stored[self.parties[event.subscription].topic].average
        self.estimate = min(self.estimate, size or 1)
        if fits is None:
            return  # by the documents only a limit in bytes is divided
        most = 1 if size is None else max(1, -(-fits // size))
        if most < self.settings.max_batch:
            each = "of an unknown size" if size is None else f"of {size} bytes on average"
            what = f"a read of {event.entries} entries {each}, for {fits} bytes"
            yield "THR-37", (what if event.entries > most else ""), "too many"

    def deliver(self, event: Delivered, units: int) -> Iterator[tuple[str, str]]:
        """A delivery: for each window that ends now its clause, and what is wrong or nothing."""
        if self.lost:
            return
        for quota in self.held[event.subscription]:
            if quota.limit > 0:
                amount = units if quota.name == "messages" else event.bytes
                quota.deliveries.append((self.now, amount))
                clause = "THR-50" if quota.name == "messages" else "THR-51"
                yield clause, self.exceeded(quota, quota.deliveries, self.excess(quota))
                if quota.name == "messages" and self.settings.by_entry:
                    yield "THR-53", self.too_many_entries(quota)
                elif self.is_exact(quota):
                    later, over = quota.deliveries[1:], self.largest["messages"] - 1
                    yield "THR-52", self.exceeded(quota, later, over)

    def is_exact(self, quota: Quota) -> bool:
        """Whether precise flow control knows how many messages each entry holds, one read at a
        time: of one subscription, from its second delivery on, and all entries of one size.
        """
        alike = self.settings.precise and self.smallest == self.largest["messages"]
        one = quota.level is Level.SUBSCRIPTION and quota.most_under_way == 1
        return quota.name == "messages" and alike and one and len(quota.deliveries) > 1

    def too_many_entries(self, quota: Quota) -> str:
        """Entries as any units, of which each has one; no estimate is wrong then."""
        return self.exceeded(quota, quota.deliveries, quota.widest * (quota.most_under_way - 1))

    def over(self) -> Iterator[tuple[str, str]]:
        """At the end: wherever periods begin, too much was delivered in some of them in a row."""
        for quota in self.quotas if not self.lost else ():
            if quota.limit > 0 and quota.deliveries:
                begins = sorted(
                    {
                        (2 * time + step) % (2 * quota.period)
                        for time, _ in quota.deliveries
                        for step in (0, 1)
                    }
                )
                wrong = [self.in_periods(quota, begin) for begin in begins]
                yield ("THR-49" if quota.name == "messages" else "THR-51"), min(wrong, key=len)

    def in_periods(self, quota: Quota, begin: int) -> str:
        """The periods in a row in which too much was delivered; empty if there are none. `begin`
        in half milliseconds, so that one may lie between two commands.
        """
        excess, runs = self.excess(quota), dict[int, int]()
        for time, amount in quota.deliveries:
            period = (2 * time - begin) // (2 * quota.period)
            for first in (*runs, period):
                runs.setdefault(first, 0)
            for first in runs:
                runs[first] += amount
                bound = (period - first + 1) * quota.limit + excess
                if runs[first] > bound:
                    what = f"{runs[first]} {quota.name} delivered in {period - first + 1} periods"
                    return f"{what} of {quota.limit}: {bound} fit"
        return ""

    def excess(self, quota: Quota) -> int:
        """By how much the reads under way may go beyond what was left.

        One of them was for as many entries as were estimated to fit, bytes rounded either way and
        at least one entry; the others may have seen the same, and be as wide.
        """
        largest, entries, others = self.largest[quota.name], quota.widest, quota.most_under_way - 1
        if quota.name == "messages":
            entries = min(entries, quota.limit)
            return entries * (largest - 1) + max(0, others) * entries * largest
        first = max(largest - 1, entries * (largest - self.estimate) + self.estimate)
        return first + max(0, others) * entries * largest

    def exceeded(self, quota: Quota, deliveries: list[tuple[int, int]], excess: int) -> str:
        """The window ending now in which too much was delivered; empty if there is none."""
        together = 0
        for time, amount in reversed(deliveries):
            together += amount
            ends = (self.now - time) // quota.period + 1
            bound = (ends + 1) * quota.limit + excess
            if together > bound:
                what = f"{together} {quota.name} delivered since {time} ms"
                return f"{what}, of {quota.limit} in {quota.period} ms: {bound} fit"
        return ""
