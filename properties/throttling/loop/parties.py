"""The subscriptions of a loop trial as far as they are known."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.properties.throttling.loop.trial import Delivered, LoopTrial
from evenkeel.reference.throttling.loop_state import Sort

Amount = tuple[int, int]
"""Units and bytes of a delivery."""


@dataclass(slots=True)
class Party:
    """One subscription.

    `permits` None: unknown since the consumer changed. `uncharged`: deliveries that no charge was
    seen of; `writing`: those that were not written yet, exclusive only. `look_at`: when it looks
    again. `batches`: the sizes of its topic's entries in messages. Where subscriptions without
    backlog are exempt: `there` is how many entries its topic had when its read was asked for,
    `spared` deliveries that need not be charged, `seen` the entries that were delivered; `rested`
    says that all of these are acknowledged, `calm` that nothing was to be delivered again so far,
    `active` that the storage's flag says that it keeps up. `reading`: reads, replays (True) or not,
    that may be outstanding. `asked`: how many entries its reads asked for before the last one.
    """

    number: int
    topic: int
    sort: Sort
    batches: set[int]
    permits: int | None = 0
    uncharged: list[Amount] = field(default_factory=list)
    writing: list[Amount] = field(default_factory=list)
    look_at: int | None = None
    there: int = 0
    spared: list[Amount] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    rested: bool = True
    calm: bool = True
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
        uniform = self.sort is Sort.SHARED and len(self.batches) == 1
        return self.permits if uniform else None

    def written(self, succeeded: bool) -> Amount | None:
        """The oldest delivery was written: it, if it has not been charged though it must be."""
        if self.sort is Sort.SHARED or not self.writing:
            return None
        oldest = self.writing.pop(0)
        missing = oldest in self.uncharged and len(self.uncharged) > len(self.writing)
        if not missing:
            return None
        self.uncharged.remove(oldest)
        return oldest if succeeded else None


def parties_of(trial: LoopTrial) -> list[Party]:
    """The subscriptions, numbered through all topics."""
    found: list[Party] = []
    for place, topic in enumerate(trial.topics):
        for sort in topic.subscriptions:
            batches = {entry.messages for entry in topic.entries}
            found.append(Party(len(found), place, sort, batches))
    return found
