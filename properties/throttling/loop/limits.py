"""The limits of the dispatch loop, followed for every possible beginning of periods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from evenkeel.properties.throttling.judge_parts import PeriodAlignments
from evenkeel.properties.throttling.loop.subscription import Subscription
from evenkeel.properties.throttling.loop.trials import Charged, Delivered, LoopTrial, ReadIssued
from evenkeel.reference.throttling.loop import Entry
from evenkeel.reference.throttling.rates import LEVELS, DispatchRate, Level

DIMENSIONS: Final = ("messages", "bytes")


@dataclass(slots=True)
class Quota:
    """One dimension of one limiter.

    `alignments`: what may be left, for every beginning of periods; None without a limit. `unknown`:
    charges without a limit are not known once there is one. Since the beginning: `deliveries`,
    times and amounts; reads `under_way`, issued and not yet charged, and the largest number of
    them; the `widest` read in entries; `charged_by` which subscriptions.
    """

    level: Level
    name: str
    limit: int = -1
    period: int = 1000
    alignments: PeriodAlignments | None = None
    unknown: bool = False
    deliveries: list[tuple[int, int]] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0
    widest: int = 0
    charged_by: set[int] = field(default_factory=set)

    def configure(self, rate: DispatchRate, now: int, times: tuple[int, ...]) -> None:
        before, self.alignments = self.alignments, None
        self.limit, self.period = getattr(rate, self.name), rate.period * 1000
        if self.limit <= 0:
            self.unknown = self.unknown or before is not None or now > 0
            return
        self.alignments = PeriodAlignments(self.limit, self.period, times)
        self.alignments.begin(now, before.list_carried(self.limit, self.period) if before else ())
        self.alignments.open = self.unknown or (before is not None and before.open)

    def charge(self, event: Charged) -> None:
        self.under_way -= 1
        self.charged_by.add(event.subscription)
        if self.alignments is None:
            self.unknown = True
        else:
            self.alignments.deliver(event.units if self.name == "messages" else event.bytes)

    def issue(self, entries: int) -> None:
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        self.widest = max(self.widest, entries)


@dataclass(slots=True)
class Counted:
    """Some entries, and their bytes."""

    entries: int = 0
    bytes: int = 0

    def count(self, sizes: Iterable[int]) -> None:
        """Count more entries."""
        for size in sizes:
            self.entries, self.bytes = self.entries + 1, self.bytes + size

    @property
    def average(self) -> int | None:
        """The average size in bytes; None while there is no entry."""
        return max(1, self.bytes // self.entries) if self.entries else None


class Limits:
    """Every limiter and dimension, and how much each may allow in a window of time.

    `lost`: windows are no longer checked, since deliveries may be uncharged, reads lost, or debts
    forgiven. `largest`: of all entries, in units and in bytes; `estimate`: the least average size
    by which a read was estimated; `smallest`, `fullest`: the fewest and the most messages of an
    entry.
    """

    def __init__(
        self, trial: LoopTrial, subscriptions: list[Subscription], times: tuple[int, ...]
    ) -> None:
        self.settings, self.subscriptions, self.times, self.now = (
            trial.settings,
            subscriptions,
            times,
            0,
        )
        self.stored = [Counted() for _ in trial.topics]
        self.published = [Counted() for _ in trial.topics]
        self.sent_by_topic = [Counted() for _ in trial.topics]
        self.sent = [Counted() for _ in subscriptions]
        self.largest = {"messages": 1, "bytes": 1}
        self.smallest = trial.settings.max_bytes
        self.fullest = 1
        self.estimate = trial.settings.max_bytes
        for topic, start in enumerate(trial.topics):
            self.store(topic, start.entries)
        self.held: list[tuple[Quota, ...]] = []
        made: dict[tuple[Level, int], tuple[Quota, ...]] = {}
        for sub in subscriptions:
            keys = tuple(zip(LEVELS, (0, sub.topic, sub.number), strict=True))
            for key in keys:
                if key not in made:
                    made[key] = tuple(Quota(key[0], name) for name in DIMENSIONS)
            self.held.append(tuple(quota for key in keys for quota in made[key]))
        self.quotas = [quota for both in made.values() for quota in both]
        for level in LEVELS:
            self.configure(level, getattr(trial.rates, level.value))
        self.lost = False

    def configure(self, level: Level, rate: DispatchRate) -> None:
        """Set another rate for a level."""
        self.lost = True
        for quota in self.quotas:
            if quota.level is level:
                quota.configure(rate, self.now, self.times)

    def store(self, topic: int, entries: tuple[Entry, ...]) -> None:
        """Store more entries."""
        largest = self.largest
        self.stored[topic].count(entry.bytes for entry in entries)
        for entry in entries:
            units = 1 if self.settings.by_entry else entry.messages
            largest["messages"] = max(largest["messages"], units)
            largest["bytes"] = max(largest["bytes"], entry.bytes)
            self.smallest = min(self.smallest, entry.messages)
            self.fullest = max(self.fullest, entry.messages)

    def publish(self, topic: int, entries: tuple[Entry, ...]) -> None:
        """Store entries that are published."""
        self.store(topic, entries)
        self.published[topic].count(entry.bytes for entry in entries)

    def send(self, sub: Subscription, entries: Iterable[Entry]) -> None:
        """Count entries that went to a consumer."""
        sizes = [entry.bytes for entry in entries]
        self.sent_by_topic[sub.topic].count(sizes)
        self.sent[sub.number].count(sizes)

    def least_size(self, sub: Subscription) -> int | None:
        """The least average size that entries may be taken to have; None: unknown.

        A backlog may count as published or not. If it does not, and nothing was published since,
        the topic's or the subscription's entries that were sent tell.
        """
        published = self.published[sub.topic]
        sent = (self.sent_by_topic[sub.topic], self.sent[sub.number])
        counts = (self.stored[sub.topic], *((published,) if published.entries else sent))
        return min((one.average for one in counts if one.average is not None), default=None)

    def advance(self, now: int) -> None:
        """Advance the time to `now`."""
        self.now = now
        for quota in self.quotas:
            if quota.alignments is not None:
                quota.alignments.advance(now)

    def at_levels(self, subscription: int) -> set[Level]:
        """The levels at which a subscription has a limit."""
        return {quota.level for quota in self.held[subscription] if quota.alignments is not None}

    def messages_left(self, subscription: int) -> int | None:
        """The most messages that a subscription may have left; None: no limit, or unknown."""
        left = [
            quota.alignments.possible()[-1]
            for quota in self.held[subscription]
            if quota.name == "messages"
            and quota.alignments is not None
            and not quota.alignments.open
        ]
        return min(left, default=None)

    def look_by(self, subscription: int) -> int | None:
        """The latest time by which all quotas of a subscription were available for a whole period;
        None: unknown.
        """
        held = [
            (q.alignments, q.period) for q in self.held[subscription] if q.alignments is not None
        ]
        if not held or any(alignments.open for alignments, _ in held):
            return None
        return max(alignments.back(self.now) for alignments, _ in held) + max(p for _, p in held)

    def may_be_used_up(self, subscription: int) -> bool:
        """Whether some limit may be used up; with what is reserved, in precise mode."""
        return any(
            quota.alignments is not None
            and (quota.alignments.open or quota.alignments.possible()[0] <= self.bound_taken(quota))
            for quota in self.held[subscription]
        )

    def bound_taken(self, quota: Quota) -> int:
        """The most messages that may be taken off a quota before they are charged (THR-41)."""
        if quota.name == "bytes" or not self.settings.precise:
            return 0
        return self.fullest * sum(
            sub.under_way()
            for sub in self.subscriptions
            if any(quota is own for own in self.held[sub.number])
        )

    def used_up_elsewhere(self, subscription: int) -> bool:
        """Whether a quota that does not limit this subscription is certainly used up."""
        mine = self.held[subscription]
        return any(
            quota.alignments is not None
            and not quota.alignments.open
            and quota.alignments.possible()[-1] == 0
            and all(quota is not own for own in mine)
            for quota in (self.quotas if len(self.subscriptions) > 1 else ())
        )

    def charge(self, event: Charged) -> None:
        """Charge a delivery."""
        for quota in self.held[event.subscription]:
            if quota.level in event.levels:
                quota.charge(event)

    def read(self, event: ReadIssued) -> Iterator[tuple[str, str, str]]:
        """Check an issued read: for each rule its clause, the error or an empty text, and the
        kind.
        """
        fits: int | None = None
        for quota in self.held[event.subscription]:
            quota.issue(event.entries)
            if quota.alignments is None or quota.alignments.open:
                continue
            most = quota.alignments.possible()[-1]
            asked = event.entries if quota.name == "messages" else event.quota_bytes
            if quota.name == "bytes":
                fits = most if fits is None else min(fits, most)
            what = f"a read of {event.entries} entries and {event.quota_bytes} bytes, with at most "
            wrong = most < 1 or asked > max(1, most)
            what += f"{most} {quota.name} left of the {quota.level.value}'s quota"
            yield "THR-39", (what if wrong else ""), quota.name
            if most < 1 and event.subscription not in quota.charged_by:
                yield "THR-61", f"{what}, which others have used up", quota.name
        size = self.least_size(self.subscriptions[event.subscription])
        self.estimate = min(self.estimate, size or 1)
        if fits is None:
            return  # by the documents only a limit in bytes is divided by the entry size
        most = 1 if size is None else max(1, -(-fits // size))
        if most < self.settings.max_batch:
            each = "of an unknown size" if size is None else f"of {size} bytes on average"
            what = f"a read of {event.entries} entries {each}, for {fits} bytes"
            yield "THR-37", (what if event.entries > most else ""), "too many"

    def deliver(self, event: Delivered, units: int) -> Iterator[tuple[str, str]]:
        """Check a delivery: for each window that ends now its clause, and the error or an empty
        text.
        """
        if self.lost:
            return
        for quota in self.held[event.subscription]:
            if quota.limit > 0:
                amount = units if quota.name == "messages" else event.bytes
                quota.deliveries.append((self.now, amount))
                for clause, deliveries, excess in self.bounds(quota):
                    in_windows = "THR-50" if clause == "THR-49" else clause
                    yield in_windows, self.find_excess(quota, deliveries, excess)

    def bounds(self, quota: Quota) -> Iterator[tuple[str, list[tuple[int, int]], int]]:
        """The bounds of over-delivery: clause, the deliveries that it is about, and by how much
        they may exceed the quotas of whole periods.
        """
        excess = self.excess(quota)
        yield ("THR-49" if quota.name == "messages" else "THR-51"), quota.deliveries, excess
        if quota.name == "messages" and self.settings.by_entry:
            yield "THR-53", quota.deliveries, excess
        elif self.is_exact(quota):
            yield "THR-52", quota.deliveries[1:], self.largest["messages"] - 1

    def is_exact(self, quota: Quota) -> bool:
        """Whether precise flow control knows the messages in each entry: with one read at a time of
        one subscription, from its second delivery on, and all entries of one size.
        """
        alike = self.settings.precise and self.smallest == self.largest["messages"]
        one = quota.level is Level.SUBSCRIPTION and quota.most_under_way == 1
        return quota.name == "messages" and alike and one and len(quota.deliveries) > 1

    def over(self) -> Iterator[tuple[str, str]]:
        """At the end: check that some beginning of periods explains what was delivered in all of
        them.
        """
        for quota in self.quotas if not self.lost else ():
            if quota.limit > 0 and quota.deliveries:
                begins = sorted(
                    {
                        (2 * time + step) % (2 * quota.period)
                        for time, _ in quota.deliveries
                        for step in (0, 1)
                    }
                )
                for clause, deliveries, excess in self.bounds(quota):
                    wrong = [self.in_periods(quota, deliveries, excess, one) for one in begins]
                    yield clause, min(wrong, key=len)

    def in_periods(
        self, quota: Quota, deliveries: list[tuple[int, int]], excess: int, begin: int
    ) -> str:
        """The periods in a row in which too much was delivered; empty if there are none. `begin` is
        in half milliseconds, so that it may lie between two commands.
        """
        runs = dict[int, int]()
        for time, amount in deliveries:
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
        """How far the reads under way may exceed what was left.

        One of them was for as many entries as were estimated to fit, with bytes rounded either way
        and at least one entry; the others may have seen the same quota, and be as wide.
        """
        largest, entries, others = self.largest[quota.name], quota.widest, quota.most_under_way - 1
        if quota.name == "messages":
            entries = min(entries, quota.limit)
            return entries * (largest - 1) + max(0, others) * entries * largest
        first = max(largest, entries * (largest - self.estimate) + self.estimate) - 1
        return first + max(0, others) * entries * largest

    def find_excess(self, quota: Quota, deliveries: list[tuple[int, int]], excess: int) -> str:
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
