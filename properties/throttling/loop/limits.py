"""The limits of a loop trial: what may be left of them, and how much they may let through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from evenkeel.properties.throttling.courses import Courses
from evenkeel.properties.throttling.loop.parties import Party
from evenkeel.properties.throttling.loop.trial import Charged, LoopTrial, ReadIssued
from evenkeel.reference.throttling.loop_state import Entry
from evenkeel.reference.throttling.rates import DispatchRate, Level

Key = tuple[Level, int, str]
"""A level, which of its limiters, and a dimension."""


def keys_of(party: Party) -> tuple[tuple[Level, int], ...]:
    """The limiters that hold for a subscription."""
    return (
        (Level.BROKER, 0),
        (Level.TOPIC, party.topic),
        (Level.SUBSCRIPTION, party.number),
    )


class Limited:
    """Every limiter and dimension with a limit, followed for every beginning of periods."""

    def __init__(self, trial: LoopTrial, parties: list[Party], times: tuple[int, ...]) -> None:
        self.trial, self.parties, self.times = trial, parties, times
        self.courses: dict[Key, Courses] = {}
        self.unknown: set[Key] = set()
        for level in Level:
            self.configure(level, getattr(trial.rates, level.value), 0)

    def configure(self, level: Level, rate: DispatchRate, now: int) -> None:
        """Another rate for a level; what was charged without a limit is not known afterwards."""
        limiters = {key for party in self.parties for key in keys_of(party) if key[0] is level}
        for at, number in limiters:
            for name in ("messages", "bytes"):
                key = (at, number, name)
                before = self.courses.pop(key, None)
                limit = getattr(rate, name)
                if limit <= 0:
                    if before is not None or now:
                        self.unknown.add(key)
                    continue
                courses = Courses(limit, rate.period * 1000, self.times)
                courses.begin(now, before.taken() if before else ())
                courses.open = key in self.unknown or (before is not None and before.open)
                self.courses[key] = courses

    def advance(self, now: int) -> None:
        """Time has come to `now`."""
        for courses in self.courses.values():
            courses.advance(now)

    def of(self, subscription: int) -> Iterator[tuple[Key, Courses]]:
        """The limits that hold for a subscription, and are known."""
        for level, number in keys_of(self.parties[subscription]):
            for name in ("messages", "bytes"):
                key = (level, number, name)
                if key in self.courses:
                    yield key, self.courses[key]

    def charge(self, event: Charged) -> None:
        """A delivery is charged on all levels."""
        for key, courses in self.of(event.subscription):
            courses.deliver(event.units if key[2] == "messages" else event.bytes)
        for level, number in keys_of(self.parties[event.subscription]):
            for name in ("messages", "bytes"):
                if (level, number, name) not in self.courses:
                    self.unknown.add((level, number, name))

    def read(self, event: ReadIssued) -> Iterator[tuple[str, str]]:
        """A read is issued: for each limit what is wrong, or nothing, and a word for it."""
        for (level, _, name), courses in self.of(event.subscription):
            if courses.open:
                continue
            most = courses.possible()[-1]
            asked = event.entries if name == "messages" else 1
            what = f"a read of {event.entries} entries, with at most {most} {name} left of the "
            wrong = most < 1 or asked > max(1, most)
            yield (f"{what}{level.value}'s quota" if wrong else ""), name

    def may_be_used_up(self, subscription: int) -> bool:
        """Whether some limit may have nothing left."""
        found = [courses for _, courses in self.of(subscription)]
        return any(courses.open or courses.possible()[0] == 0 for courses in found)


@dataclass(slots=True)
class Tally:
    """One limiter's messages: its limit, its deliveries since, and the reads under way."""

    rate: DispatchRate
    deliveries: list[tuple[int, int]] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0
    widest: int = 0


class Window:
    """The bound of any window (THR-50) on every limiter of messages."""

    def __init__(self, trial: LoopTrial, parties: list[Party]) -> None:
        self.trial, self.parties = trial, parties
        self.now = 0
        self.lost = False
        entries = [entry.messages for topic in trial.topics for entry in topic.entries]
        self.batch = max(entries, default=1)
        self.tallies: dict[tuple[Level, int], Tally] = {}
        for level in Level:
            self.begin(level, getattr(trial.rates, level.value))

    def begin(self, level: Level, rate: DispatchRate) -> None:
        """A level's limiters, with nothing delivered yet."""
        for party in self.parties:
            for key in keys_of(party):
                if key[0] is level:
                    self.tallies[key] = Tally(rate)

    def lose(self) -> None:
        """The bound says nothing any more.

        Deliveries may go uncharged, reads be lost, or debts be forgiven by another rate.
        """
        self.lost = True

    def publish(self, topic: int, entries: tuple[Entry, ...]) -> None:
        """New entries may be larger."""
        self.batch = max([self.batch, *(entry.messages for entry in entries)])

    def of(self, subscription: int) -> Iterator[Tally]:
        """The limiters of messages that hold for a subscription."""
        for key in keys_of(self.parties[subscription]):
            if self.tallies[key].rate.messages > 0:
                yield self.tallies[key]

    def issued(self, subscription: int, entries: int) -> None:
        """A read is under way until it is charged."""
        for tally in self.of(subscription):
            tally.under_way += 1
            tally.most_under_way = max(tally.most_under_way, tally.under_way)
            tally.widest = max(tally.widest, entries)

    def charged(self, subscription: int) -> None:
        """A read is over."""
        for tally in self.of(subscription):
            tally.under_way -= 1

    def deliver(self, subscription: int, units: int) -> str | None:
        """A delivery: what is wrong with the windows that end now, if something is."""
        if self.lost:
            return None
        for tally in self.of(subscription):
            tally.deliveries.append((self.now, units))
            wrong = self.exceeded(tally)
            if wrong is not None:
                return wrong
        return None

    def exceeded(self, tally: Tally) -> str | None:
        """The window ending now in which too much was delivered, if there is one."""
        quota, period = tally.rate.messages, tally.rate.period * 1000
        batch = 1 if self.trial.settings.by_entry else self.batch
        excess = min(quota, tally.widest) * max(0, tally.most_under_way * batch - 1)
        together = 0
        for time, units in reversed(tally.deliveries):
            together += units
            ends = (self.now - time) // period + 1
            bound = (ends + 1) * quota + excess
            if together > bound:
                return f"{together} delivered since {time} ms, of {quota} in {period}: {bound} fit"
        return None
