"""Judge the dispatch loop event by event.

Nothing here runs the loop: the reported reads, deliveries and charges are compared with what a
right subject can do, with limits followed for every possible beginning of periods (`Limits`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from evenkeel.properties.kit.clause import Case, in_full
from evenkeel.properties.kit.judge import monitor, require_results
from evenkeel.properties.kit.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel.properties.kit.run import MonitorRun, Sentence, fill
from evenkeel.properties.throttling.judge_parts import PeriodAlignments
from evenkeel.properties.throttling.loop import trials as do
from evenkeel.properties.throttling.loop.trials import (
    Blocked,
    Charged,
    Delivered,
    Ignored,
    LoopAnswer,
    LoopCommand,
    LoopEvent,
    LoopTrial,
    ReadIssued,
    SeenEvents,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling.loop import Entry, Idle, Sort
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
        self.alignments.begin(now, before.taken() if before else ())
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
    by which a read was estimated; `smallest`: the fewest messages of an entry.
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
        """Whether some limit may be used up."""
        return any(
            quota.alignments is not None
            and (quota.alignments.open or quota.alignments.possible()[0] == 0)
            for quota in self.held[subscription]
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
                    yield in_windows, self.exceeded(quota, deliveries, excess)

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


Amount = tuple[int, int]
"""Units and bytes of a delivery."""


@dataclass(slots=True, eq=False)
class Due:
    """A delivery, and the levels at which it was not charged yet; `spared`: it need not be.

    `limited`: the levels that had a limit at the time of delivery, and ever since.
    """

    amount: Amount
    spared: bool
    limited: AbstractSet[Level]
    levels: set[Level] = field(default_factory=lambda: set(Level))

    @property
    def owed(self) -> AbstractSet[Level]:
        """The levels at which it must still be charged."""
        return self.limited & self.levels


ENDING: Final = frozenset({Idle.NO_PERMITS, Idle.CONSUMER_CHANGED})
"""Reasons why a completed read may be over although nothing of it was delivered."""


@dataclass(slots=True)
class Subscription:
    """One subscription.

    `permits` None: unknown since the consumer changed. `due`: deliveries that are not charged yet;
    `writing`: those that were not written yet, exclusive only. `look_at`: when it looks again.
    `batches`: the sizes of its topic's entries in messages. `stored` is the number of entries in
    its topic when its read was issued, `seen` the entries that were delivered; `rested`: all of
    these are acknowledged, `calm`: no redelivery was requested so far, `short`: the permits were
    once not enough, `active`: the storage's flag says that it keeps up, `gone`: how many deliveries
    may be lost with a consumer while they were written. `reading`: reads, replays (True) or not,
    that may be outstanding. `asked`: the number of entries that its reads before the last one
    requested. `done`: the number of acknowledged entries; None: unknown. `again`: entries that
    certainly must be redelivered, `perhaps`: entries that may be, too; `known`: there are no
    others. `averaged`: the consumer got something, `failed`: not all of it was written. `clause` is
    that of the place where entries continue.

    `unordered`: the consumer of a shared subscription changed, or any during a read: all entries
    from `done` on must come, in any order. `droppable`: the reads that were under way then and may
    be dropped. `dry`: the outstanding normal read found nothing, `alone`: the last read was issued
    while no other was outstanding. `asked_for`: the number of entries that its reads asked for and
    that were not delivered.
    """

    number: int
    topic: int
    sort: Sort
    batches: set[int]
    permits: int | None = 0
    due: list[Due] = field(default_factory=list)
    writing: list[Due] = field(default_factory=list)
    look_at: int | None = None
    stored: int = 0
    seen: set[int] = field(default_factory=set)
    rested: bool = True
    calm: bool = True
    done: int | None = 0
    again: set[int] = field(default_factory=set)
    perhaps: set[int] = field(default_factory=set)
    known: bool = True
    unordered: bool = False
    droppable: set[bool] = field(default_factory=set)
    dry: bool = False
    alone: bool = False
    averaged: bool = False
    failed: bool = False
    clause: str = "THR-60"
    short: bool = False
    active: bool = False
    gone: int = 0
    reading: set[bool] = field(default_factory=set)
    asked: int = 0
    last: int = 0
    asked_for: int = 0

    def issue(self, replay: bool, entries: int) -> None:
        """Record an issued read."""
        self.alone = not self.reading
        self.reading.add(replay)
        self.asked_for += entries
        if not replay:
            self.dry = False
            self.asked, self.last = self.asked + self.last, entries

    def can_take(self) -> bool:
        """Whether the consumer certainly has permits."""
        return self.permits is not None and self.permits > 0

    def has_all(self, stored: int) -> bool:
        """Whether every stored entry of its topic was delivered."""
        return self.seen >= set(range(stored))

    def could_read(self, stored: int) -> bool:
        """Whether it certainly has permits and entries and no read under way.

        A normal read that can find nothing any more does not stop a replay.
        """
        all_came = self.has_all(stored)
        left = bool(self.again) or ((self.calm or self.unordered) and not all_came)
        idle = (self.again and all_came) or (self.unordered and self.dry)
        replays = idle and self.sort is Sort.SHARED
        under_way = self.reading - {False} if replays else self.reading
        return self.can_take() and not under_way and left

    def could_deliver(self, replay: bool, stored: int) -> bool:
        """Whether its outstanding read certainly finds an entry that the consumer can take."""
        by_replay = self.sort is Sort.SHARED and True in self.reading
        unread = self.asked < stored and not by_replay and not self.has_all(stored)
        found = self.calm and (replay or (unread and not self.unordered))
        found = found or (replay and bool(self.again))
        left = self.unordered and not self.has_all(stored)
        found = found or (left and self.alone and self.reading == {replay})
        return self.can_take() and replay in self.reading and found

    def end_read(self, replay: bool, came: bool, reasons: AbstractSet[Idle]) -> None:
        """Record that a read came back, with entries or for these reasons without."""
        gone = Idle.NO_SUCH_READ in reasons and not self.calm
        if came or gone or reasons & ENDING:
            self.reading.discard(replay)
            self.droppable.discard(replay)
        self.dry = self.dry or (not replay and Idle.NO_ENTRIES in reasons)

    def flow(self, permits: int) -> None:
        """Add permits."""
        if self.permits is not None:
            self.permits += permits

    def is_settled(self) -> bool:
        """Whether it is known which entries are delivered and acknowledged, and nothing is under
        way.
        """
        waits = self.short and self.sort is Sort.SHARED
        return self.calm and not waits and not self.reading and self.done is not None

    def continue_at(self, entry: int) -> None:
        """Continue at an entry; all before that one are acknowledged."""
        self.seen, self.asked, self.last, self.done = set(range(entry)), entry, 0, entry
        self.rested, self.short, self.calm, self.known = True, False, True, True
        self.unordered = False
        self.again.clear()
        self.perhaps.clear()
        self.reading.clear()
        self.droppable.clear()
        self.clause = "THR-66"

    def change_consumer(self) -> None:
        """Change the consumer: the new one, without permits, gets all entries that were not
        acknowledged; in any order if the subscription is shared or a read was under way, which may
        be dropped when it comes back.
        """
        self.averaged, self.gone = False, len(self.writing)
        if self.done is not None and not self.reading:
            self.continue_at(self.done)
            self.permits, self.dry = 0, False
            self.unordered = self.sort is Sort.SHARED
            return
        self.clause, self.calm, self.known = "THR-66", False, False
        self.droppable = set(self.reading)
        self.again.clear()
        if self.done is None:
            self.permits = None
        else:
            self.permits, self.seen = 0, set(range(self.done))
            self.unordered, self.dry, self.alone = True, False, False

    def redeliver(self, entry: int) -> None:
        """Request an entry again; an exclusive subscription redelivers all from there on; those
        before that are not acknowledged may come, too. If the entry was not delivered, or is
        acknowledged, there need be no effect; nor a second one if it was requested before.
        """
        waits = self.done is not None and entry >= self.done and entry in self.seen
        exclusive = self.sort is Sort.EXCLUSIVE
        if exclusive and waits and self.done is not None and self.is_settled():
            first = self.done
            self.continue_at(entry)
            self.done, self.perhaps = first, set(range(first, entry))
            return
        self.clause, self.calm = "THR-66", False
        self.known = self.known and not exclusive
        if waits and self.known and entry not in self.again:
            self.again.add(entry)
        else:
            self.perhaps.add(entry)

    def acknowledge(self) -> None:
        """Acknowledge all entries up to the first one that must be redelivered."""
        waits = self.short and self.sort is Sort.SHARED
        exact = self.calm and not waits and self.has_no_gap() and True not in self.reading
        exact = exact and not self.perhaps
        self.done = len(self.seen) if exact and self.done is not None else None
        self.rested, self.unordered = True, self.unordered and self.calm

    def unwritten(self) -> None:
        """Drop the deliveries that were being written: lost with the consumer, they need not be
        charged.
        """
        self.due = [due for due in self.due if due not in self.writing]
        self.writing.clear()
        self.gone = 0

    def had_backlog(self, event: Delivered) -> bool:
        """Whether the delivered entries were stored when their read was issued."""
        return event.again or any(entry < self.stored for entry in event.entries)

    def has_no_backlog(self, stored: int) -> bool:
        """Whether all stored entries of its topic are certainly delivered and acknowledged."""
        return self.calm and self.rested and self.seen >= set(range(stored))

    def looks_before(self, until: int) -> bool:
        """Whether it must look again by then."""
        return self.look_at is not None and self.look_at <= until

    def deliver(self, event: Delivered) -> int | None:
        """Record a delivery; return the permits left, if the clause about them applies."""
        self.seen.update(event.entries)
        self.asked_for -= len(event.entries)
        self.rested, self.averaged = False, True
        if self.calm:
            last = max(event.entries, default=-1)
            self.perhaps = {entry for entry in self.perhaps if entry > last}
        if self.again and event.again:
            self.again.difference_update(event.entries)
            self.calm = self.known and not self.again and not self.perhaps
        if self.permits is None:
            return None
        self.permits -= event.messages
        self.short = self.short or self.permits <= 0
        uniform = self.sort is Sort.SHARED and len(self.batches) == 1
        return self.permits if uniform else None

    def in_order(self) -> bool:
        """Whether the deliveries so far have no gap, if nothing can have caused one."""
        waits = self.short and self.sort is Sort.SHARED
        return waits or self.unordered or not self.calm or self.has_no_gap()

    def has_no_gap(self) -> bool:
        """Whether the delivered entries are the first ones of the topic."""
        return max(self.seen, default=-1) < len(self.seen)

    def settle(self, stored: int) -> None:
        """Demand the order of the topic again once all entries came and no read is under way."""
        if self.unordered and self.calm and not self.reading and self.has_all(stored):
            self.unordered, self.asked, self.last = False, len(self.seen), 0

    def is_new(self, event: Delivered) -> bool:
        """Whether the entries were not delivered before, or may be redelivered."""
        repeated = self.seen.intersection(event.entries) - self.again - self.perhaps
        return self.failed or not self.known or not repeated

    def can_be(self, reason: Idle) -> bool:
        """Whether a reason to do nothing may be true, while no redelivery was requested."""
        match reason:
            case Idle.NO_PERMITS:
                return self.permits is None or self.permits <= 0
            case Idle.READ_OUTSTANDING:
                return bool(self.reading)
            case Idle.NOTHING_WRITTEN:
                return len(self.writing) <= self.gone
            case Idle.CONSUMER_CHANGED:
                return False
        return True

    def expect(self, amount: Amount, spared: bool, limited: AbstractSet[Level]) -> None:
        """Expect a charge for a delivery at the levels that have a limit."""
        due = Due(amount, spared, limited)
        self.due.append(due)
        if self.sort is Sort.EXCLUSIVE:
            self.writing.append(due)

    def charge(self, amount: Amount, levels: AbstractSet[Level]) -> Due | None:
        """The delivery that a charge is for, first of those that must be charged; None if there is
        none.
        """
        found = sorted(self.due, key=lambda due: due.spared)
        due = next((due for due in found if due.amount == amount and due.levels >= levels), None)
        if due is not None:
            due.levels -= levels
            if not due.levels:
                self.due.remove(due)
        return due

    def written(self) -> list[Due]:
        """The delivery that was written: the oldest, or, if some may be lost, one that was charged;
        if none was, it is unknown which it was.
        """
        if not self.gone:
            return [self.writing.pop(0)]
        charged = [one for one in self.writing if not any(one is due for due in self.due)]
        known = charged[:1]
        over = known[0] if known else self.writing[0]
        self.writing = [one for one in self.writing if one is not over]
        return known

    def limit_only(self, limited: AbstractSet[Level]) -> None:
        """Record that only these levels have a limit now."""
        for due in self.due:
            due.limited &= limited

    def owed(self, succeeded: bool | None) -> list[Due]:
        """The deliveries that must have been charged by now, and were not at a level with a limit.

        Shared: all. Exclusive: the oldest, once it was written; `succeeded` None: none was.
        """
        over = self.due
        if self.sort is Sort.EXCLUSIVE:
            over = self.written() if self.writing and succeeded is not None else []
        over = [due for due in over if not due.spared and due in self.due]
        for due in over:
            self.due.remove(due)
        return [due for due in over if due.owed and succeeded is not False]


def subscriptions_of(trial: LoopTrial) -> list[Subscription]:
    """The subscriptions, numbered through all topics."""
    found: list[Subscription] = []
    for place, topic in enumerate(trial.topics):
        for sort in topic.subscriptions:
            batches = {entry.messages for entry in topic.entries}
            found.append(Subscription(len(found), place, sort, batches))
    return found


class LoopMonitor:
    """The state of a broker as it follows from commands and events.

    `charges_known`: false if a flag decides what is charged, so that deliveries do not show it.
    """

    def __init__(
        self, run: MonitorRun, trial: LoopTrial, edition: Edition, looks: AbstractSet[int]
    ) -> None:
        self.trial = trial
        self.limited = trial.settings.non_backlog
        self.by_flag = edition.backlog_by_cursor_flag
        self.charges_known = self.limited or not self.by_flag
        self.stored = [list(topic.entries) for topic in trial.topics]
        self.run = run
        self.now = 0
        self.subscriptions = subscriptions_of(trial)
        self.limits = Limits(trial, self.subscriptions, moments(trial, looks))
        run.facts = self.facts

    def facts(self) -> Iterator[str]:
        """What is known at this moment: the limits with what is left, and each subscription."""
        limits = [quota for quota in self.limits.quotas if quota.alignments is not None]
        yield from (f"{quota.level.value} {quota.name}: {quota.alignments}" for quota in limits)
        if not limits:
            yield "no level has a limit"
        for sub in self.subscriptions:
            yield f"subscription {sub.number} has {sub.permits} permits"
            for due in sub.due:
                units, size = due.amount
                yield f"not charged yet: {units} units, {size} bytes of subscription {sub.number}"

    def command(self, command: LoopCommand, events: tuple[LoopEvent, ...]) -> None:
        """Judge one command and its events."""
        if isinstance(command, do.AdvanceLoop):
            self.advance(command.millis, events)
            return
        self.before(command)
        self.progress(command, events)
        for event in events:
            self.event(event)
        self.after(command)

    def progress(self, command: LoopCommand, events: tuple[LoopEvent, ...]) -> None:
        """Check that a subscription that can read does, and that entries read are delivered."""
        match command:
            case do.ReadNow(subscription):
                self.must_read(self.sub(subscription), events)
            case do.Complete(subscription, replay):
                sub = self.sub(subscription)
                came = any(isinstance(event, Delivered) for event in events)
                reasons = {event.reason for event in events if isinstance(event, Ignored)}
                dropped = replay in sub.droppable and Idle.CONSUMER_CHANGED in reasons
                if sub.could_deliver(replay, self.entry_count(sub)) and not dropped:
                    sentence = "subscription {} has permits, and what it read is not delivered"
                    self.run.require(
                        sub.clause, came, self.at_now(sentence, sub.number), "not delivered"
                    )
                sub.end_read(replay, came, reasons)
            case _:
                pass

    def must_read(self, sub: Subscription, events: Iterable[LoopEvent]) -> None:
        """Check that a subscription with certain permits, entries and quota issues a read."""
        if sub.could_read(self.entry_count(sub)) and self.has_quota(sub):
            asked = [event.replay for event in events if isinstance(event, ReadIssued)]
            sentence = "subscription {} has {} permits, entries and quota, and does not read"
            self.run.require(
                sub.clause,
                bool(asked),
                self.at_now(sentence, sub.number, sub.permits),
                "not read",
            )
            if asked and sub.again and sub.has_all(self.entry_count(sub)):
                sentence = "subscription {} must deliver {} again, and reads something else"
                values = sub.number, sorted(sub.again)
                self.run.require(
                    "THR-66", True in asked, self.at_now(sentence, *values), "not again"
                )

    def has_quota(self, sub: Subscription) -> bool:
        """Whether no limit of a subscription can be used up, if all charges are known."""
        if not self.limited:
            return not self.limits.at_levels(sub.number)
        return not self.limits.may_be_used_up(sub.number)

    def before(self, command: LoopCommand) -> None:
        """Apply a command before its events."""
        match command:
            case do.Flow(subscription, permits):
                self.sub(subscription).flow(permits)
            case do.PublishEntries(topic, entries):
                topic %= len(self.trial.topics)
                self.limits.publish(topic, entries)
                self.stored[topic].extend(entries)
                for sub in self.subscriptions:
                    if sub.topic == topic:
                        sub.batches |= {entry.messages for entry in entries}
                        sub.dry = False
            case do.ConfigureLevel(level, rate):
                self.limits.configure(level, rate)
            case do.ChangeConsumer(subscription):
                self.sub(subscription).change_consumer()
                self.limits.lost = True
            case do.Seek(subscription, entry):
                sub = self.sub(subscription)
                sub.continue_at(entry % (self.entry_count(sub) + 1))
                self.limits.lost = True
            case do.Redeliver(subscription, entry):
                sub = self.sub(subscription)
                sub.redeliver(entry % max(1, self.entry_count(sub)))
            case do.SetActive(subscription, active):
                self.sub(subscription).active = active
            case do.Acknowledge(subscription):
                self.sub(subscription).acknowledge()
            case _:
                pass

    def sub(self, subscription: int) -> Subscription:
        """The subscription of a command."""
        return self.subscriptions[subscription % len(self.subscriptions)]

    def entry_count(self, sub: Subscription) -> int:
        """The number of entries in its topic."""
        return len(self.stored[sub.topic])

    def after(self, command: LoopCommand) -> None:
        """Check what must have been charged after a command; `charged` records the charges."""
        for sub in self.subscriptions:
            sub.settle(self.entry_count(sub))
        if isinstance(command, do.ConfigureLevel):
            for sub in self.subscriptions:
                sub.limit_only(self.limits.at_levels(sub.number))
        written = command if isinstance(command, do.Written) else None
        if written is not None and not written.succeeded:
            self.limits.lost = self.sub(written.subscription).failed = True
        for sub in self.subscriptions if self.charges_known else ():
            if sub.due or sub.writing:
                mine = written is not None and self.sub(written.subscription) is sub
                succeeded = written.succeeded if written is not None and mine else None
                for due in sub.owed(succeeded):
                    levels = " and ".join(level.value for level in Level if level in due.owed)
                    sentence = "{} units and {} bytes are not charged to the {}"
                    self.run.require(
                        "THR-40", False, self.at_now(sentence, *due.amount, levels), "not charged"
                    )

    def advance(self, millis: int, events: tuple[LoopEvent, ...]) -> None:
        """Advance the time; check that subscriptions that are due look again, each at its time."""
        until = self.now + millis
        for event in events:
            sub = self.subscriptions[event.subscription]
            if sub.looks_before(until):
                self.at(max(self.now, sub.look_at or 0))
                sub.look_at = None
                self.run.require("THR-45", True)
                self.must_read(sub, (event,))
            self.event(event)
        for sub in self.subscriptions:
            if sub.looks_before(until):
                sentence = "subscription {} had to look again at {} ms, and did not"
                self.run.require(
                    "THR-45", False, self.at_now(sentence, sub.number, sub.look_at), "never"
                )
                sub.look_at = None
        self.at(until)

    def at(self, now: int) -> None:
        """Advance the time to `now`."""
        self.now = now
        self.limits.advance(now)

    def event(self, event: LoopEvent) -> None:
        """Judge one event."""
        match event:
            case ReadIssued():
                self.issued(event)
            case Blocked():
                self.blocked(event)
            case Delivered():
                self.delivered(event)
            case Charged():
                if self.charges_known:
                    self.charged(event)
            case Ignored():
                self.ignored(event)

    def ignored(self, event: Ignored) -> None:
        """Check that the reason for doing nothing may be true."""
        sub = self.subscriptions[event.subscription]
        if sub.calm:
            right = sub.can_be(event.reason)
            sentence = "subscription {} reports: {}, which is not true"
            self.run.require(
                sub.clause,
                right,
                self.at_now(sentence, sub.number, event.reason.value),
                "reason",
            )
        if event.reason is Idle.NOTHING_WRITTEN and sub.gone:
            sub.unwritten()

    def issued(self, event: ReadIssued) -> None:
        sub = self.subscriptions[event.subscription]
        sub.issue(event.replay, event.entries)
        settings = self.trial.settings
        if not settings.precise:
            known = settings.max_batch if sub.permits is None else max(sub.permits, 0)
            most = min(settings.max_batch, known)
            sentence = "{} entries are read at once, and at most {} may be"
            self.run.require(
                "THR-31", event.entries <= most, self.at_now(sentence, event.entries, most)
            )
        if not event.replay:
            sub.stored = self.entry_count(sub)
        if self.limited:
            self.divided(sub, event)
            for clause, sentence, kind in self.limits.read(event):
                self.run.require(clause, not sentence, self.at_now("{}", sentence), kind)
            if self.limits.used_up_elsewhere(event.subscription):
                self.run.require("THR-61", True)
        elif self.is_exempt(sub):
            self.run.require("THR-29", True)

    def divided(self, sub: Subscription, event: ReadIssued) -> None:
        """Check precise flow control, if all entries have equal sizes and the consumer got some."""
        settings = self.trial.settings
        if settings.precise and not settings.by_entry and sub.averaged and sub.permits:
            batch, *others = sub.batches
            left = self.limits.messages_left(sub.number)
            if left is not None and not others:
                messages = min(left, sub.permits)
                holds = event.entries <= max(1, -(-messages // batch))
                sentence = "{} entries of {} messages are read, for {} messages"
                self.run.require(
                    "THR-30", holds, self.at_now(sentence, event.entries, batch, messages)
                )

    def is_exempt(self, sub: Subscription) -> bool:
        """Whether a subscription certainly has no backlog, or the flag says so."""
        return sub.active if self.by_flag else sub.has_no_backlog(self.entry_count(sub))

    def blocked(self, event: Blocked) -> None:
        """Check a subscription that found no quota."""
        sub = self.subscriptions[event.subscription]
        once = sub.look_at is None or event.reread_at == sub.look_at
        sentence = "a look is due at {} ms, and another at {} ms"
        self.run.require(
            "THR-45", once, self.at_now(sentence, sub.look_at, event.reread_at), "twice"
        )
        latest = self.limits.look_by(sub.number) if self.limited else None
        if sub.look_at is None and latest is not None:
            sentence = "subscription {} looks again at {} ms, with quotas for a period by {} ms"
            values = sub.number, event.reread_at, latest
            self.run.require(
                "THR-28", event.reread_at <= latest, self.at_now(sentence, *values), "late"
            )
        sub.look_at = event.reread_at
        if self.limited:
            can = self.limits.may_be_used_up(event.subscription)
            self.run.require(
                "THR-41", can, self.at_now("no quota is found, though none can be used up")
            )
            if not can and self.limits.used_up_elsewhere(event.subscription):
                self.run.require(
                    "THR-61",
                    False,
                    self.at_now(
                        "subscription {} is blocked by another topic's or subscription's quota",
                        sub.number,
                    ),
                )
        elif self.is_exempt(sub):
            self.run.require(
                "THR-29",
                False,
                self.at_now("subscription {} is blocked without a backlog", sub.number),
            )

    def delivered(self, event: Delivered) -> None:
        """Check entries that went to a consumer."""
        sub = self.subscriptions[event.subscription]
        stored = self.stored[sub.topic]
        known = all(0 <= entry < len(stored) for entry in event.entries)
        entries = [stored[entry] for entry in event.entries] if known else []
        sums = sum(e.messages for e in entries), sum(e.bytes for e in entries)
        right = known and sums == (event.messages, event.bytes)
        self.run.require(
            "THR-40", right, self.at_now("{}: its entries are {}", event, sums), "sums"
        )
        clause = sub.clause
        sentence = "subscription {} is delivered {}; delivered before: {}, to be redelivered: {}"
        before = sub.number, event.entries, sorted(sub.seen), sorted(sub.again)
        self.run.require(clause, sub.is_new(event), self.at_now(sentence, *before), "twice")
        read = len(event.entries) <= sub.asked_for
        sentence = "subscription {} is delivered {}, and its reads asked for {} entries more"
        asked = self.at_now(sentence, sub.number, event.entries, sub.asked_for)
        self.run.require("THR-60", read, asked, "not read")
        self.limits.send(sub, entries)
        overdrawn = sub.deliver(event)
        sentence = "subscription {} was delivered {}, and none between"
        self.run.require(
            clause, sub.in_order(), self.at_now(sentence, sub.number, sorted(sub.seen)), "gap"
        )
        if overdrawn is not None:
            batch = max(sub.batches)
            sentence = "{} messages leave {} permits, with {} in an entry"
            values = event.messages, overdrawn, batch
            self.run.require("THR-43", overdrawn > -batch, self.at_now(sentence, *values))
        units = len(event.entries) if self.trial.settings.by_entry else event.messages
        spared = not self.limited and not sub.had_backlog(event)
        sub.expect((units, event.bytes), spared, self.limits.at_levels(sub.number))
        if self.limited:
            for clause, wrong in self.limits.deliver(event, units):
                self.run.require(clause, not wrong, self.at_now("{}", wrong))

    def charged(self, event: Charged) -> None:
        """Check that a charge is for a delivery, once at every level."""
        sub = self.subscriptions[event.subscription]
        amount = (event.units, event.bytes)
        due = sub.charge(amount, frozenset(event.levels)) if event.levels else None
        clause = "THR-42" if self.trial.settings.by_entry else "THR-40"
        sentence = "{} units and {} bytes are charged, but not charged yet are {}"
        waits = [waiting.amount for waiting in sub.due]
        self.run.require(
            clause, due is not None, self.at_now(sentence, *amount, waits), "not delivered"
        )
        if due is not None and not due.spared:
            self.run.require("THR-40", True)
        elif due is None and sub.due:
            sub.due.pop(0)
        if self.limited:
            self.limits.charge(event)

    def at_now(self, template: str, *values: object) -> Sentence:
        """The template with these values as a sentence, with the time."""
        return fill(f"at {self.now} ms: {template}", *values)


def looks_of(observed: LoopAnswer) -> set[int]:
    """The times at which the subject reports that it looks again."""
    seen = (result.events for result in observed.results if isinstance(result, SeenEvents))
    return {event.reread_at for events in seen for event in events if isinstance(event, Blocked)}


def moments(trial: LoopTrial, looks: AbstractSet[int]) -> tuple[int, ...]:
    """The times of possible observations: of the commands, and of looks before the last of them."""
    steps = (c.millis if isinstance(c, do.AdvanceLoop) else 0 for c in trial.commands)
    commands = {0, *accumulate(steps)}
    return tuple(sorted(commands | {look for look in looks if 0 < look < max(commands)}))


@monitor(
    "throttling.loop",
    *("THR-28", "THR-29", "THR-30", "THR-31", "THR-37", "THR-39", "THR-40", "THR-41", "THR-42"),
    *("THR-43", "THR-44", "THR-45", "THR-49", "THR-50", "THR-51", "THR-52", "THR-53", "THR-60"),
    *("THR-61", "THR-66"),
)
def judge_loop(run: MonitorRun, case: Case[LoopTrial, LoopAnswer]) -> None:
    require_results(run, case, "THR-44")
    trial, observed = case.trial, case.observation
    looks = looks_of(observed) if isinstance(observed, LoopAnswer) else set[int]()
    world = LoopMonitor(run, trial, case.edition, looks)
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        run.require("THR-40", False, world.at_now("the loop {}", in_full(observed)), "shape")
        return
    for command, result in zip(trial.commands, observed.results, strict=True):
        if isinstance(result, CommandRefused | CommandBroke):
            run.require("THR-40", False, world.at_now("{}: {}", command, result), "failed")
            return
        if any(not 0 <= e.subscription < len(world.subscriptions) for e in result.events):
            run.require("THR-40", False, world.at_now("{}: no such subscription", command), "shape")
            return
        world.command(command, result.events)
    for clause, wrong in world.limits.over() if world.limited else ():
        run.require(clause, not wrong, world.at_now("{}", wrong), "periods")
