"""Dispatch rates compared with the proved bounds.

Probes read how many messages each subscription was delivered so far. What came between two probes
came within the time from the beginning of the first to the end of the second; that many periods,
rounded up, have a bound (THR-50; in 4.0, whose bucket may be refilled late, THR-54). A limit counts
between two looks at it that show the same. Of all probes before only that one is kept from which
most came beyond the rate.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.findings import Found
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import overdelivery
from evenkeel.reference.throttling.overdelivery import Setting

SETTLED: Final = 5_000
"""Milliseconds in which every broker has taken a change of a limit."""
READS: Final = 2
"""Reads under way at once for a subscription at most: what is new, and what is delivered again."""
OUT: Final = 3


@dataclass(frozen=True, slots=True)
class Limit:
    """Of one level at one place: messages in a number of seconds."""

    messages: int
    bytes: int
    seconds: int


@dataclass(slots=True)
class SeenLimit:
    """A limit, since when all brokers have it, and when it was last looked at."""

    limit: Limit
    since: int
    until: int


@dataclass(slots=True)
class LimitLine:
    """What one place was delivered, from the probe that is kept on. `breach`: what is above a
    bound, until a look at the limit shows that it still stands.
    """

    names: frozenset[str]
    began: int
    first: int
    last: int
    breach: Found | None = None


@dataclass(slots=True)
class Rates:
    """What a recording tells of limits and deliveries."""

    edition: Edition
    batch: int | None
    brokers: dict[str, Any] = field(default_factory=dict)
    seen: dict[tuple[str, ...], SeenLimit] = field(default_factory=dict)
    lines: dict[tuple[str, ...], LimitLine] = field(default_factory=dict)
    windows: int = 0
    worst: float = 0.0
    """The largest share of a bound that was delivered."""
    found: dict[tuple[str, ...], Found] = field(default_factory=dict)
    unknown: dict[str, dict[str, int]] = field(default_factory=dict)
    """Why: the limits of which nothing is known, and since when."""

    def list_findings(self) -> list[Found]:
        """What is above a bound, and, once for each reason, what cannot be decided."""
        return [
            *self.found.values(),
            *(
                Found("rate", f"{len(places)} limits, such as {first}", why, at, at)
                for why, places in self.unknown.items()
                for first, at in [next(iter(places.items()))]
            ),
        ]

    def take(self, entry: Entry) -> None:
        """One more entry."""
        if entry.source == "limit":
            self.take_limit(entry)
        elif entry.broker is not None:
            self.take_serving(entry, entry.broker)

    # Limits.

    def take_limit(self, entry: Entry) -> None:
        """What is in force now."""
        if entry.subject is None:
            if entry.data != self.brokers:
                self.lines.clear()  # how limits are kept is another
            self.brokers = entry.data
            self.look(("broker",), entry.data["broker"], entry)
            return
        self.look(("topic", entry.subject), entry.data["topic"], entry)
        for name, rate in entry.data["subscriptions"].items():
            self.look(("subscription", entry.subject, name), rate, entry)

    def look(self, key: tuple[str, ...], rate: list[int], entry: Entry) -> None:
        """A limit as it is now: what was delivered under it until now is compared with it."""
        limit, before = Limit(*rate), self.seen.get(key)
        if before is None or before.limit != limit:
            self.seen[key] = SeenLimit(limit, entry.time + SETTLED, entry.time)
            for one in [one for one in self.lines if one[: len(key)] == key]:
                del self.lines[one]
        else:
            before.until = entry.began
            for one, line in self.lines.items():
                if one[: len(key)] == key and line.breach is not None:
                    self.found.setdefault(one, line.breach)
        self.say_unknown(key, limit, entry)

    def say_unknown(self, key: tuple[str, ...], limit: Limit, entry: Entry) -> None:
        """What the recording cannot tell of this limit."""
        why = ""
        if limit.messages and self.batch is None:
            why = "how many messages a batch has at most is not known (record --batch)"
        elif limit.messages and not self.brokers.get("always", True):
            why = "consumers without a backlog are not limited"
        elif limit.bytes:
            why = "a limit of bytes is not judged: sizes of entries are not recorded"
        if why:
            self.unknown.setdefault(why, {}).setdefault(" ".join(key), entry.time)

    # Deliveries.

    def take_serving(self, entry: Entry, broker: str) -> None:
        """What each subscription was delivered until now."""
        if entry.data is None:
            return
        totals = {
            (topic, name): count
            for topic, counts in entry.data.items()
            for name, count in counts[OUT].items()
        }
        self.forget(broker, totals)
        for (topic, name), count in totals.items():
            self.add(("subscription", topic, name), broker, {name: count}, entry)
        for topic, counts in entry.data.items():
            self.add(("topic", topic), broker, counts[OUT], entry)
        names = {f"{topic} {name}": count for (topic, name), count in totals.items()}
        self.add(("broker",), broker, names, entry)

    def forget(self, broker: str, totals: Mapping[tuple[str, str], int]) -> None:
        """Topics that the broker does not have open any more: its counts would start from 0."""
        topics = {topic for topic, _ in totals}
        for key in [key for key in self.lines if key[-1] == broker and key[0] != "broker"]:
            if key[1] not in topics:
                del self.lines[key]

    def add(
        self, level: tuple[str, ...], broker: str, counts: Mapping[str, int], entry: Entry
    ) -> None:
        """What was delivered under one limit, by subscription, and its bound."""
        seen, key = self.seen.get(level), (*level, broker)
        reported = self.batch is not None and self.brokers.get("always", True)
        if seen is None or not seen.limit.messages or not reported or entry.began < seen.since:
            self.lines.pop(key, None)
            return
        total, names = sum(counts.values()), frozenset(counts)
        line = self.lines.get(key)
        if line is None or line.names != names or total < line.last or not names:
            self.lines[key] = LimitLine(names, entry.began, total, total)
            return
        line.last = total
        self.hold(level, line, seen.limit, entry)
        rate = seen.limit.messages / (seen.limit.seconds * 1000)
        # Windows that begin at the probe kept are the worst, but for what is rounded up.
        if total - rate * entry.began <= line.first - rate * line.began:
            line.first, line.began = total, entry.began

    def hold(self, level: tuple[str, ...], line: LimitLine, limit: Limit, entry: Entry) -> None:
        """One window against its bounds."""
        took = entry.time - line.began
        periods = max(math.ceil(took / (limit.seconds * 1000)), 1)
        delivered = line.last - line.first
        for clause, bound in self.list_bounds(limit, len(line.names), periods):
            if delivered > bound and line.breach is None:
                sentence = (
                    f"{delivered:,} messages in {took / 1000:.1f} s, where a limit of "
                    f"{limit.messages:,} in {limit.seconds} s lets {bound:,} through at most"
                )
                line.breach = Found(
                    "rate", " ".join(level), sentence, line.began, entry.time, clause
                )
        self.worst = max(self.worst, delivered / bound)
        self.windows += 1

    def list_bounds(
        self, limit: Limit, subscriptions: int, periods: int
    ) -> Iterator[tuple[str, int]]:
        """The clauses with their bounds, the one that is worse to break first."""
        by_entry, batch = self.brokers.get("by_entry", False), self.batch or 1
        entries = max(self.brokers.get("entries") or limit.messages, 1)
        setting = Setting(
            limit.messages, entries, 1 if by_entry else batch, READS * max(subscriptions, 1)
        )
        each = batch if by_entry else 1
        if self.edition.quotas_by_mechanism:
            yield "THR-54", overdelivery.most_of_bucket(setting, periods) * each
        yield "THR-50", overdelivery.most_in_window(setting, periods) * each


def judge_rates(entries: Iterable[Entry], batch: int | None, edition: Edition) -> Rates:
    """All that probes tell, of sources limit and serving."""
    rates = Rates(edition, batch)
    for entry in entries:
        rates.take(entry)
    return rates
