"""The subscriptions of a loop trial as far as they are known."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from evenkeel.properties.throttling.loop.trial import Delivered, LoopTrial
from evenkeel.reference.throttling.loop import Idle, Sort
from evenkeel.reference.throttling.rates import Level

Amount = tuple[int, int]
"""Units and bytes of a delivery."""


@dataclass(slots=True, eq=False)
class Due:
    """A delivery, and the levels at which no charge was seen of it; `spared`: it needs none.

    `limited`: the levels that had a limit when it was made, and ever since.
    """

    amount: Amount
    spared: bool
    limited: AbstractSet[Level]
    levels: set[Level] = field(default_factory=lambda: set(Level))

    @property
    def owed(self) -> AbstractSet[Level]:
        """The levels at which it must be charged still."""
        return self.limited & self.levels


@dataclass(slots=True)
class Party:
    """One subscription.

    `permits` None: unknown since the consumer changed. `due`: deliveries that are not charged yet;
    `writing`: those that were not written yet, exclusive only. `look_at`: when it looks again.
    `batches`: the sizes of its topic's entries in messages. `there` is how many entries its topic
    had when its read was asked for, `seen` the entries that were delivered; `rested` says that all
    of these are acknowledged, `calm` that nothing was to be delivered again so far, `short` that
    the permits once did not do, `active` that the storage's flag says that it keeps up, `gone` how
    many deliveries may be lost with a consumer while they were written. `reading`: reads, replays
    (True) or not, that may be outstanding. `asked`: how many entries its reads asked for before the
    last one. `done`: so many entries are acknowledged; None: unknown. `again`: entries that are to
    come again, for sure; `known`: there are no others. `averaged`: the consumer got something,
    `failed`: not all of it was written. `clause` says where entries go on.
    """

    number: int
    topic: int
    sort: Sort
    batches: set[int]
    permits: int | None = 0
    due: list[Due] = field(default_factory=list)
    writing: list[Due] = field(default_factory=list)
    look_at: int | None = None
    there: int = 0
    seen: set[int] = field(default_factory=set)
    rested: bool = True
    calm: bool = True
    done: int | None = 0
    again: set[int] = field(default_factory=set)
    known: bool = True
    averaged: bool = False
    failed: bool = False
    clause: str = "THR-60"
    short: bool = False
    active: bool = False
    gone: int = 0
    reading: set[bool] = field(default_factory=set)
    asked: int = 0
    last: int = 0

    def issue(self, replay: bool, entries: int) -> None:
        """A read is asked for."""
        self.reading.add(replay)
        if not replay:
            self.asked, self.last = self.asked + self.last, entries

    def can_take(self) -> bool:
        """Whether the consumer has permits, for sure."""
        return self.permits is not None and self.permits > 0

    def has_all(self, stored: int) -> bool:
        """Whether every entry that its topic stores was delivered once."""
        return self.seen >= set(range(stored))

    def could_read(self, stored: int) -> bool:
        """Whether it has permits and entries and no read under way, for sure."""
        left = bool(self.again) or (self.calm and not self.has_all(stored))
        return self.can_take() and not self.reading and left

    def could_deliver(self, replay: bool, stored: int) -> bool:
        """Whether its outstanding read finds an entry that the consumer can take, for sure."""
        found = self.calm and (replay or self.asked < stored)
        found = found or (replay and bool(self.again))
        return self.can_take() and replay in self.reading and found

    def flow(self, permits: int) -> None:
        """The consumer can take more."""
        if self.permits is not None:
            self.permits += permits

    def is_settled(self) -> bool:
        """Whether it is known which entries are delivered and acknowledged, and nothing is under
        way.
        """
        waits = self.short and self.sort is Sort.SHARED
        return self.calm and not waits and not self.reading and self.done is not None

    def go_on(self, entry: int) -> None:
        """It goes on from an entry; all before that one is done with."""
        self.seen, self.asked, self.last, self.done = set(range(entry)), entry, 0, entry
        self.rested, self.short, self.calm, self.known = True, False, True, True
        self.again.clear()
        self.reading.clear()
        self.clause = "THR-66"

    def change_consumer(self) -> None:
        """Another consumer, without permits, is to get all that was not acknowledged; what it can
        take is not known where a read was under way.
        """
        self.averaged, self.gone = False, len(self.writing)
        if self.done is not None and self.is_settled():
            self.go_on(self.done)
            self.permits = 0
        else:
            self.permits, self.done, self.calm, self.known = None, None, False, False
            self.again.clear()

    def redeliver(self, entry: int) -> None:
        """An entry is to come again; of an exclusive one's all from there on, or all that are not
        acknowledged. If it was not delivered, or is acknowledged itself, nothing need come of that.
        """
        waits = self.done is not None and entry >= self.done and entry in self.seen
        first = waits and entry == self.done
        if self.sort is Sort.EXCLUSIVE and first and self.done is not None and self.is_settled():
            self.go_on(self.done)
            return
        self.clause, self.calm = "THR-66", False
        exact = self.sort is Sort.SHARED and self.done is not None and not self.short
        self.known = self.known and exact and True not in self.reading
        if self.known and self.done is not None and entry >= self.done and entry in self.seen:
            self.again.add(entry)

    def acknowledge(self) -> None:
        """All up to the first entry that is to come again is done with."""
        waits = self.short and self.sort is Sort.SHARED
        exact = self.calm and not waits and self.in_order() and True not in self.reading
        self.done = len(self.seen) if exact and self.done is not None else None
        self.rested = True

    def unwritten(self) -> None:
        """What was being written is gone with the consumer, and need not be charged."""
        self.due = [due for due in self.due if due not in self.writing]
        self.writing.clear()
        self.gone = 0

    def had_backlog(self, event: Delivered) -> bool:
        """Whether what is delivered was waiting when its read was asked for."""
        return event.again or any(entry < self.there for entry in event.entries)

    def has_no_backlog(self, stored: int) -> bool:
        """Whether all entries that its topic stores are delivered and acknowledged, for sure."""
        return self.calm and self.rested and self.seen >= set(range(stored))

    def looks_before(self, until: int) -> bool:
        """Whether it is to look again by then."""
        return self.look_at is not None and self.look_at <= until

    def deliver(self, event: Delivered) -> int | None:
        """A delivery: the permits left, where the clause about them says something."""
        self.seen.update(event.entries)
        self.rested, self.averaged = False, True
        if self.again and event.again:
            self.again.difference_update(event.entries)
            self.calm = self.known and not self.again
        if self.permits is None:
            return None
        self.permits -= event.messages
        self.short = self.short or self.permits <= 0
        uniform = self.sort is Sort.SHARED and len(self.batches) == 1
        return self.permits if uniform else None

    def in_order(self) -> bool:
        """Whether what was delivered so far has no gap, where nothing can have made one."""
        waits = self.short and self.sort is Sort.SHARED
        return waits or not self.calm or max(self.seen, default=-1) < len(self.seen)

    def is_new(self, event: Delivered) -> bool:
        """Whether what is delivered was not before, or may be again."""
        free = event.again or self.failed or not self.calm
        return free or self.seen.isdisjoint(event.entries)

    def is_what_was_asked(self, event: Delivered) -> bool:
        """Whether a replay has something of what is to come again, where nothing else is."""
        free = not event.again or not self.again or not self.known or self.short
        return free or not self.again.isdisjoint(event.entries)

    def can_be(self, reason: Idle) -> bool:
        """Whether a reason to do nothing may be true, while nothing was to come again."""
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
        """A delivery is to be charged at the levels that have a limit."""
        due = Due(amount, spared, limited)
        self.due.append(due)
        if self.sort is Sort.EXCLUSIVE:
            self.writing.append(due)

    def charge(self, amount: Amount, levels: AbstractSet[Level]) -> Due | None:
        """What a charge is for, first of what must be charged; None: nothing."""
        found = sorted(self.due, key=lambda due: due.spared)
        due = next((due for due in found if due.amount == amount and due.levels >= levels), None)
        if due is not None:
            due.levels -= levels
            if not due.levels:
                self.due.remove(due)
        return due

    def written(self) -> list[Due]:
        """The delivery that was written: the oldest, or where some may be lost one that was
        charged; if none was, nobody can tell which of them it was.
        """
        if not self.gone:
            return [self.writing.pop(0)]
        charged = [one for one in self.writing if not any(one is due for due in self.due)]
        known = charged[:1]
        over = known[0] if known else self.writing[0]
        self.writing = [one for one in self.writing if one is not over]
        return known

    def limit_only(self, limited: AbstractSet[Level]) -> None:
        """Only these levels have a limit now."""
        for due in self.due:
            due.limited &= limited

    def owed(self, succeeded: bool | None) -> list[Due]:
        """What must have been charged by now, and was not at a level with a limit.

        Shared: all. Exclusive: the oldest, once it was written; `succeeded` None: nothing was.
        """
        over = self.due
        if self.sort is Sort.EXCLUSIVE:
            over = self.written() if self.writing and succeeded is not None else []
        over = [due for due in over if not due.spared and due in self.due]
        for due in over:
            self.due.remove(due)
        return [due for due in over if due.owed and succeeded is not False]


def parties_of(trial: LoopTrial) -> list[Party]:
    """The subscriptions, numbered through all topics."""
    found: list[Party] = []
    for place, topic in enumerate(trial.topics):
        for sort in topic.subscriptions:
            batches = {entry.messages for entry in topic.entries}
            found.append(Party(len(found), place, sort, batches))
    return found
