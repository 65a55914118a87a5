"""The cases of `operate limits measure`: which limit, and how it is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.operate.plan.planning import RequestedLimit
from evenkeel.operate.tables import read_table

READ_BATCH: Final = 100
LEVELS: Final = ("subscription", "topic", "broker")


@dataclass(frozen=True, slots=True)
class LimitCase:
    """A limit at a level, and how it is used."""

    name: str
    level: str
    messages: int | None = None
    bytes: int | None = None
    period: int = 1
    batch: int = 1
    size: int = 100
    consumers: int = 1
    subscriptions: int = 1
    partitions: int = 1
    queue: int = 1000
    worst: bool = False
    """The worst schedule of `operate limits plan`: a redelivery is read as well as what is new."""

    def request_plan(self, by_entry: bool, precise: bool, brokers: int) -> RequestedLimit:
        """As `operate limits plan` is asked. A shared subscription reads twice at once.

        A broker's limit is one for each broker, and all may have topics of the case; but it is not
        known how many each has, so that all reads are granted to each.
        """
        entry = self.batch * (self.size + 60) + 200
        shared, own = 1, self.partitions
        if self.level == "subscription":
            own *= self.subscriptions
        elif self.level == "topic":
            shared = self.subscriptions
        else:
            shared, own = self.subscriptions * self.partitions, min(brokers, self.partitions)
        return RequestedLimit(
            messages=self.messages,
            bytes=self.bytes,
            period=self.period,
            batch=self.batch,
            average_bytes=self.batch * self.size,
            largest_bytes=entry,
            entries=min(READ_BATCH, self.queue * self.consumers),
            reads=2 * shared,
            partitions=own,
            by_entry=by_entry,
            precise=precise,
        )

    def of_one_read(self) -> int:
        """Entries for which a read asks when the whole quota is left."""
        quota = self.messages or max((self.bytes or 1) // (self.batch * self.size), 1)
        return min(quota, READ_BATCH)

    def size_backlog(self, seconds: float) -> int:
        """Messages of a topic that last for so long, and for the burst at the beginning."""
        limit = self.messages or max((self.bytes or 1) // self.size, 1)
        burst = 4 * self.batch * min(READ_BATCH, self.queue * self.consumers, limit)
        return min(int(limit / self.period * seconds * 1.5) * self.batch + burst, 60_000)


CASES: Final = tuple(LimitCase(**one) for one in read_table("live/cases.toml")["cases"])
