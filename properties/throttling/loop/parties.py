"""The subscriptions of a loop trial as far as they are known."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from evenkeel.properties.throttling.loop.trial import Delivered, LoopTrial
from evenkeel.reference.throttling.loop_state import Idle, Sort
from evenkeel.reference.throttling.rates import Level

Amount = tuple[int, int]
"""Units and bytes of a delivery."""


@dataclass(slots=True, eq=False)
class Due:
    """A delivery, and the levels at which no charge was seen of it; `spared`: it needs none."""

    amount: Amount
    spared: bool
    levels: set[Level] = field(default_factory=lambda: set(Level))


@dataclass(slots=True)
class Party:
    """One subscription.

    `permits` None: unknown since the consumer changed. `due`: deliveries that are not charged yet;
    `writing`: those that were not written yet, exclusive only. `look_at`: when it looks again.
    `batches`: the sizes of its topic's entries in messages. `there` is how many entries its topic
    had when its read was asked for, `seen` the entries that were delivered; `rested` says that all
    of these are acknowledged, `calm` that nothing was to be delivered again so far, `short` that
    the permits once did not do, `active` that the storage's flag says that it keeps up. `reading`:
    reads, replays (True) or not, that may be outstanding. `asked`: how many entries its reads asked
    for before the last one.
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
    short: bool = False
    active: bool = False
    reading: set[bool] = field(default_factory=set)
    asked: int = 0
    last: int = 0

    def issue(self, replay: bool, entries: int) -> None:
        """A read is asked for."""
        self.reading.add(replay)
        if not replay:
            self.asked, self.last = self.asked + self.last, entries

    def can_take(self) -> bool:
        """Whether the consumer has permits, and nothing was to come again so far, for sure."""
        return self.calm and self.permits is not None and self.permits > 0

    def could_read(self, stored: int) -> bool:
        """Whether it has permits and entries and no read under way, for sure."""
        return self.can_take() and not self.reading and not self.seen >= set(range(stored))

    def could_deliver(self, replay: bool, stored: int) -> bool:
        """Whether its outstanding read finds an entry that the consumer can take, for sure."""
        found = replay or self.asked < stored
        return self.can_take() and replay in self.reading and found

    def flow(self, permits: int) -> None:
        """The consumer can take more."""
        if self.permits is not None:
            self.permits += permits

    def change_consumer(self) -> None:
        """Nobody knows what the new consumer can take."""
        self.permits = None
        self.calm = False

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
        self.rested = False
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

    def can_be(self, reason: Idle) -> bool:
        """Whether a reason to do nothing may be true, while nothing was to come again."""
        match reason:
            case Idle.NO_PERMITS:
                return self.permits is None or self.permits <= 0
            case Idle.READ_OUTSTANDING:
                return bool(self.reading)
            case Idle.NOTHING_WRITTEN:
                return not self.writing
            case Idle.CONSUMER_CHANGED:
                return False
        return True

    def expect(self, amount: Amount, spared: bool) -> None:
        """A delivery is to be charged."""
        due = Due(amount, spared)
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

    def owed(self, limited: AbstractSet[Level], succeeded: bool | None) -> list[Due]:
        """What must have been charged by now, and was not at one of these levels.

        Shared: all. Exclusive: the oldest, once it was written; `succeeded` None: nothing was.
        """
        over = self.due
        if self.sort is Sort.EXCLUSIVE:
            over = [self.writing.pop(0)] if self.writing and succeeded is not None else []
        over = [due for due in over if not due.spared and due in self.due]
        for due in over:
            self.due.remove(due)
        return [due for due in over if due.levels & limited and succeeded is not False]


def parties_of(trial: LoopTrial) -> list[Party]:
    """The subscriptions, numbered through all topics."""
    found: list[Party] = []
    for place, topic in enumerate(trial.topics):
        for sort in topic.subscriptions:
            batches = {entry.messages for entry in topic.entries}
            found.append(Party(len(found), place, sort, batches))
    return found
