"""One subscription of the dispatch loop, as it follows from commands and events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from evenkeel.properties.throttling.loop.trials import Delivered, LoopTrial
from evenkeel.reference.throttling.loop import Idle, Sort
from evenkeel.reference.throttling.rates import Level

Amount = tuple[int, int]
"""Units and bytes of a delivery."""


@dataclass(slots=True, eq=False)
class Due:
    """A delivery, and the levels at which it was not charged yet; `spared`: it need not be.

    `limited`: the levels that had a limit at the time of delivery, and ever since. `asked_for`: the
    entries that its read asked for.
    """

    amount: Amount
    spared: bool
    limited: AbstractSet[Level]
    asked_for: int
    levels: set[Level] = field(default_factory=lambda: set(Level))

    @property
    def owed(self) -> AbstractSet[Level]:
        """The levels at which it must still be charged."""
        return self.limited & self.levels


MANY_SENDS: Final = 100


@dataclass(slots=True)
class Sends:
    """What a consumer was sent: all its `entries`, and `times` deliveries at last, of whose `same`
    entries each holds `alike` messages.
    """

    entries: int = 0
    alike: int = 0
    times: int = 0
    same: int = 0

    def add(self, messages: Sequence[int]) -> None:
        """Count a delivery, given the messages of each entry."""
        self.entries += len(messages)
        if set(messages) != {self.alike}:
            self.alike, self.times, self.same = messages[0] if len({*messages}) == 1 else 0, 0, 0
        if self.alike:
            self.times, self.same = self.times + 1, self.same + len(messages)

    def mostly(self, stored: Iterable[int]) -> int:
        """The messages of an entry, if many deliveries held the same: at least half of all that was
        sent, and of all that is stored, so that any average is half as large at least. Else 0.
        """
        if self.times < MANY_SENDS or 2 * self.same < self.entries:
            return 0
        are = [one == self.alike for one in stored]
        return self.alike if 2 * sum(are) >= len(are) else 0


ENDING: Final = frozenset({Idle.NO_PERMITS, Idle.CONSUMER_CHANGED, Idle.OVERTAKEN})
"""Reasons why a completed read may be over although nothing of it was delivered."""


@dataclass(slots=True)
class Subscription:
    """One subscription.

    `permits` None: unknown since the consumer changed. `due`: deliveries that are not charged yet;
    `writing`: those that were not written yet, exclusive only. `look_at`: when it looks again,
    `waits`: it found no quota, and did not read since.
    `batches`: the sizes of its topic's entries in messages. `stored` is the number of entries in
    its topic when its read was issued, `seen` the entries that were delivered; `rested`: all of
    these are acknowledged, `calm`: no redelivery was requested so far, `short`: the permits were
    once not enough, `active`: the storage's flag says that it keeps up, `gone`: how many deliveries
    may be lost with a consumer while they were written. `reading`: reads, replays (True) or not,
    that may be outstanding. `asked`: the number of entries that its reads before the last one
    requested. `done`: the number of acknowledged entries; None: unknown. `again`: entries that
    certainly must be redelivered, `perhaps`: entries that may be, too, and how often; `known`:
    there are no others; `behind`: what an exclusive consumer had after the entry that it asked for
    again, and need not get again. `averaged`: the consumer got something, `sends`: what, `failed`:
    not all of it was written. `clause` is that of the place where entries continue.

    `unordered`: the consumer of a shared subscription changed, or any during a read: all entries
    from `done` on must come, in any order. `droppable`: the reads that were under way then and
    may be dropped; `overtaken`: those since which entries were asked for again, with the first of
    these; `doubled`: sorts of which two are under way. `latest`: the last entry that the last
    replay can bring. `back`: an exclusive consumer asked during the reads under way, and may be
    taken back when they are over; `stale`: the read that came back last was one of them. `dry`:
    the outstanding normal read found nothing, `empty`: it once did, and may be over, `alone`: the
    last read was issued while no other was outstanding. `came`: how often each entry came to a
    consumer that was new during a read, where it comes `times` at most: regularly, of each read
    that was under way, and once for each later request. `asked_for`: the number of entries that its
    reads asked for and that were not delivered, `wants`: those that the last read of each sort
    asked for.
    """

    number: int
    topic: int
    sort: Sort
    batches: set[int]
    permits: int | None = 0
    due: list[Due] = field(default_factory=list)
    writing: list[Due] = field(default_factory=list)
    look_at: int | None = None
    waits: bool = False
    stored: int = 0
    seen: set[int] = field(default_factory=set)
    rested: bool = True
    calm: bool = True
    done: int | None = 0
    again: set[int] = field(default_factory=set)
    perhaps: Counter[int] = field(default_factory=Counter)
    behind: set[int] = field(default_factory=set)
    known: bool = True
    unordered: bool = False
    droppable: set[bool] = field(default_factory=set)
    overtaken: dict[bool, int] = field(default_factory=dict)
    latest: int = -1
    back: bool = False
    stale: bool = False
    doubled: set[bool] = field(default_factory=set)
    dry: bool = False
    empty: bool = False
    alone: bool = False
    came: Counter[int] = field(default_factory=Counter)
    times: int = 1
    averaged: bool = False
    sends: Sends = field(default_factory=Sends)
    failed: bool = False
    clause: str = "THR-60"
    short: bool = False
    active: bool = False
    gone: int = 0
    reading: set[bool] = field(default_factory=set)
    asked: int = 0
    last: int = 0
    asked_for: int = 0
    wants: dict[bool, int] = field(default_factory=dict)

    def issue(self, replay: bool, entries: int) -> None:
        """Record an issued read."""
        self.alone, self.waits = not self.reading, False
        if replay in self.reading and (replay or not self.empty):
            self.doubled.add(replay)
        else:
            self.overtaken.pop(replay, None)
        self.reading.add(replay)
        self.asked_for += entries
        self.wants[replay] = entries
        if replay:
            self.latest = max(self.again | self.perhaps.keys(), default=-1)
        else:
            self.dry = self.empty = False
            self.asked, self.last = self.asked + self.last, entries

    def wait(self, look_at: int) -> None:
        """Record that it found no quota, and looks again at this time."""
        self.look_at, self.waits = look_at, True

    def under_way(self) -> int:
        """The entries of all reads that may be under way, or whose delivery is not charged yet."""
        reads = sum(self.wants[replay] for replay in self.reading)
        return reads + sum(due.asked_for for due in self.due)

    def can_take(self) -> bool:
        """Whether the consumer certainly has permits."""
        return self.permits is not None and self.permits > 0

    def has_all(self, stored: int) -> bool:
        """Whether every stored entry of its topic was delivered, and need not be again."""
        return self.seen | self.behind >= set(range(stored))

    def has_backlog(self, stored: int) -> bool:
        """Whether some stored entries were certainly not delivered yet, and the storage's flag does
        not say that it keeps up.
        """
        return self.known and not self.active and not self.has_all(stored)

    def could_read(self, stored: int) -> bool:
        """Whether it certainly has permits and entries and no read under way.

        A normal read that can find nothing any more does not stop a replay.
        """
        all_came = self.has_all(stored)
        left = bool(self.again) or ((self.calm or self.unordered) and not all_came)
        idle = (self.again and all_came) or ((self.unordered or self.may_wait()) and self.dry)
        replays = idle and self.sort is Sort.SHARED
        under_way = self.reading - {False} if replays else self.reading
        return self.can_take() and not under_way and left

    def could_deliver(self, replay: bool, stored: int) -> bool:
        """Whether its outstanding read certainly finds an entry that the consumer can take.

        What is asked for again is nothing to a normal read; only an exclusive one goes back for it.
        """
        exclusive = self.sort is Sort.EXCLUSIVE
        unread = (exclusive or self.asked < stored) and (exclusive or True not in self.reading)
        unread = unread and not self.has_all(stored) and not self.unordered
        found = (self.calm or (self.known and not self.may_wait())) and unread
        found = found or (replay and (self.calm or bool(self.again)))
        behind = self.unordered or (self.calm and self.may_wait())
        left = behind and not self.has_all(stored)
        found = found or (left and self.alone and self.reading == {replay})
        return self.can_take() and replay in self.reading and found

    def excuses(self, replay: bool) -> AbstractSet[Idle]:
        """The reasons that may be true why nothing is delivered of a read that comes back, though
        it found something.
        """
        gone = {Idle.CONSUMER_CHANGED, Idle.OVERTAKEN}  # what was not acknowledged comes again
        true = gone if replay in self.droppable else set[Idle]()
        if replay in self.overtaken and self.may_overtake(replay, self.overtaken[replay]):
            true |= {Idle.OVERTAKEN, Idle.NO_SUCH_READ} if self.back else {Idle.OVERTAKEN}
        return true if replay or not self.empty else {*true, Idle.NO_SUCH_READ}

    def may_overtake(self, replay: bool, entry: int) -> bool:
        """Whether a read under way can bring entries after this one only.

        A normal read begins after all that was delivered, where none of it waits or comes again.
        """
        if not self.known or self.unordered or self.may_wait():
            return True
        return entry < (self.latest if replay else len(self.seen))

    def end_read(self, replay: bool, came: bool, reasons: AbstractSet[Idle]) -> None:
        """Record that a read came back, with entries or for these reasons without."""
        self.stale = replay in self.overtaken
        over = self.back or not self.calm or (self.empty and not replay)
        gone = Idle.NO_SUCH_READ in reasons and over
        if replay in self.doubled:
            self.doubled.discard(replay)
        elif came or gone or reasons & ENDING:
            self.reading.discard(replay)
            self.droppable.discard(replay)
            self.overtaken.pop(replay, None)
        if not replay and Idle.NO_ENTRIES in reasons:
            self.dry = self.empty = True
        self.short = self.short or (not replay and Idle.OVERTAKEN in reasons)

    def flow(self, permits: int) -> None:
        """Add permits."""
        if self.permits is not None:
            self.permits += permits

    def is_settled(self) -> bool:
        """Whether it is known which entries are delivered and acknowledged, and nothing is under
        way.
        """
        still = self.calm and not self.may_wait() and not self.reading
        return still and self.done is not None

    def continue_at(self, entry: int) -> None:
        """Continue at an entry; all before that one are acknowledged."""
        self.seen, self.asked, self.last, self.done = set(range(entry)), entry, 0, entry
        self.rested, self.short, self.calm, self.known = True, False, True, True
        self.unordered = self.back = False
        self.again.clear()
        self.perhaps.clear()
        self.behind.clear()
        for reads in (self.reading, self.droppable, self.doubled):
            reads.clear()
        self.clause = "THR-66"

    def change_consumer(self) -> None:
        """Change the consumer: the new one, without permits, gets all entries that were not
        acknowledged; in any order if the subscription is shared or a read was under way, which may
        be dropped when it comes back.
        """
        self.averaged, self.sends, self.gone = False, Sends(), len(self.writing)
        if self.done is not None and not self.reading:
            self.continue_at(self.done)
            self.permits, self.dry = 0, False
            self.unordered = self.sort is Sort.SHARED
            return
        self.clause, self.calm, self.known = "THR-66", False, False
        self.droppable = set(self.reading)
        self.came.clear()
        self.times = 1 + len(self.reading) + len(self.doubled)
        self.overtaken.clear()
        self.again.clear()
        if self.done is None:
            self.permits = None
        else:
            self.permits, self.seen = 0, set(range(self.done))
            self.unordered, self.dry, self.alone = True, False, False

    def redeliver(self, entry: int) -> None:
        """Request an entry again. If the entry was not delivered, or is acknowledged, there need be
        no effect; nor a second one if it was requested before.
        """
        waits = self.done is not None and entry >= self.done and entry in self.seen
        for read in self.reading:
            self.overtaken[read] = min(entry, self.overtaken.get(read, entry))
        self.clause = "THR-66"
        self.times += 1
        if self.sort is Sort.EXCLUSIVE:
            self.take_back(entry, waits)
            return
        self.calm = False
        if waits and self.known and entry not in self.again:
            self.again.add(entry)
        else:
            self.perhaps[entry] = 1

    def take_back(self, entry: int, waits: bool) -> None:
        """Exclusive: deliver an entry again that waits, perhaps with those after it; those before
        that are not acknowledged may come, too. Where that is not certain, each may, one time.
        """
        first = self.done or 0
        if waits and self.is_settled():
            after = {one for one in self.seen | self.behind if one > entry}
            self.continue_at(entry)
            self.done, self.perhaps, self.behind = first, Counter(range(first, entry)), after
            return
        self.perhaps.update(one for one in self.seen if one >= first)
        self.back = bool(self.reading)

    def acknowledge(self) -> None:
        """Acknowledge all entries up to the first one that must be redelivered."""
        exact = self.calm and not self.may_wait() and self.has_no_gap() and True not in self.reading
        exact = exact and not self.perhaps and not self.behind
        self.done = len(self.seen) if exact and self.done is not None else None
        self.rested, self.unordered = True, self.unordered and self.calm

    def drop_written(self) -> None:
        """Drop the deliveries so far: where none is being written, they were written, or lost with
        the consumer, and need not be charged.
        """
        self.due.clear()
        self.writing.clear()
        self.gone = 0

    def had_backlog(self, event: Delivered) -> bool:
        """Whether the delivered entries were stored when their read was issued."""
        return event.again or any(entry < self.stored for entry in event.entries)

    def has_no_backlog(self, stored: int) -> bool:
        """Whether all stored entries of its topic are certainly delivered and acknowledged."""
        certain = self.calm and not self.perhaps and not self.behind
        return certain and self.rested and self.has_all(stored)

    def looks_before(self, until: int) -> bool:
        """Whether it must look again by then."""
        return self.look_at is not None and self.look_at <= until

    def leave_out(self, event: Delivered, most: int) -> None:
        """Record that entries may wait, of which at most this many are dispatched at once."""
        fewer = len(event.entries) < self.wants.get(event.again, 0)
        self.short = self.short or (fewer and len(event.entries) == most)

    def deliver(self, event: Delivered) -> int | None:
        """Record a delivery; return the permits left, if the clause about them applies."""
        self.come(set(event.entries))
        self.asked_for -= len(event.entries)
        self.rested, self.averaged = False, True
        if self.again and event.again:
            self.again.difference_update(event.entries)
            self.calm = self.known and not self.again and not self.perhaps
        if self.permits is None:
            return None
        self.permits -= event.messages
        self.short = self.short or self.permits <= 0
        return self.permits if self.sort is Sort.SHARED and len(self.batches) == 1 else None

    def come(self, entries: AbstractSet[int]) -> None:
        """Record which entries came. What comes for the first time of a read that was under way at
        an exclusive consumer's request may come again, one time.
        """
        if self.back and self.stale:
            self.perhaps += Counter(entries - self.seen)
            self.perhaps -= Counter(entries & self.seen)
        elif self.calm:
            last = max(entries, default=-1)
            self.perhaps = Counter({e: times for e, times in self.perhaps.items() if e > last})
        self.seen.update(entries, (e for e in self.behind if e < max(entries, default=0)))
        self.behind -= self.seen
        self.came.update(entries)

    def in_order(self) -> bool:
        """Whether the deliveries so far have no gap, if nothing can have caused one."""
        return self.may_wait() or self.unordered or not self.calm or self.has_no_gap()

    def may_wait(self) -> bool:
        """Whether entries may wait for which no permit was left."""
        return self.short and self.sort is Sort.SHARED

    def has_no_gap(self) -> bool:
        """Whether the delivered entries are the first ones of the topic."""
        return max(self.seen, default=-1) < len(self.seen)

    def settle(self, stored: int) -> None:
        """Demand the order of the topic again once all entries came and no read is under way."""
        self.back = self.back and bool(self.reading)
        behind = self.unordered or self.may_wait()
        if behind and self.calm and not self.reading and self.has_all(stored):
            self.unordered, self.short = False, False
            self.asked, self.last = len(self.seen), 0

    def is_new(self, event: Delivered) -> bool:
        """Whether the entries were not delivered before, or may be redelivered."""
        if not self.known:
            return self.failed or all(self.came[entry] < self.times for entry in event.entries)
        repeated = self.seen.intersection(event.entries) - self.again - self.perhaps.keys()
        return self.failed or not repeated

    def can_be(self, reason: Idle) -> bool:
        """Whether a reason to do nothing may be true, of which no read that came back is one."""
        match reason:
            case Idle.NO_PERMITS:
                return self.permits is None or self.permits <= 0
            case Idle.READ_OUTSTANDING:
                return bool(self.reading)
            case Idle.NOTHING_WRITTEN:
                return len(self.writing) <= self.gone
            case Idle.NO_SUCH_READ | Idle.CONSUMER_CHANGED | Idle.OVERTAKEN:
                return False
        return True

    def expect(
        self, amount: Amount, again: bool, spared: bool, limited: AbstractSet[Level]
    ) -> None:
        """Expect a charge for a delivery at the levels that have a limit."""
        due = Due(amount, spared, limited, self.wants.get(again, 0))
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

    def take_written(self) -> list[Due]:
        """The delivery that was written: the oldest, or, if some may be lost, one that was charged;
        if none was, it is unknown which it was.
        """
        if not self.gone:
            return [self.writing.pop(0)]
        known = [one for one in self.writing if not any(one is due for due in self.due)][:1]
        over = known[0] if known else self.writing[0]
        self.writing = [one for one in self.writing if one is not over]
        return known

    def limit_only(self, limited: AbstractSet[Level]) -> None:
        """Record that only these levels have a limit now."""
        for due in self.due:
            due.limited &= limited

    def list_owed(self, succeeded: bool | None) -> list[Due]:
        """The deliveries that must have been charged by now, and were not at a level with a limit.

        Shared: all. Exclusive: the oldest, once it was written; `succeeded` None: none was.
        """
        over = self.due
        if self.sort is Sort.EXCLUSIVE:
            over = self.take_written() if self.writing and succeeded is not None else []
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
