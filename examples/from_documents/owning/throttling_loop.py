"""throttling.loop: reading, delivering and charging.

Followed: document 004, "How message dispatch throttling works?" (quota, read, delivery and
charge, in this order), "Throttling levels" (all levels at once), "Limitations".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.throttling_counters import Quota
from examples.from_documents.owning.throttling_reads import read_size, round_amount
from examples.from_documents.owning.wire import Json, Refusal, Skip, refuse


@dataclass
class Read:
    """A read issued to storage; in precise mode about so many messages are `reserved` for it."""

    entries: list[int]
    quota_bytes: int
    consumer: int
    reserved: int


@dataclass
class Subscription:
    """A subscription, its one consumer and its reads."""

    number: int
    topic: int
    sort: str
    quota: Quota
    permits: int = 0
    next: int = 0
    again: set[int] = field(default_factory=set)
    unacknowledged: set[int] = field(default_factory=set)
    normal: Read | None = None
    replay: Read | None = None
    writing: list[tuple[int, int, int]] = field(default_factory=list)
    active: bool = False
    consumer: int = 0
    sent: tuple[int, int] = (0, 0)
    reread: int | None = None


class Loop:
    """One trial."""

    def __init__(self, interpretations: Interpretations, trial: Json) -> None:
        self.interpretations = interpretations
        self.settings = trial["settings"]
        self.rates = dict(trial["rates"])
        self.now = 0
        self.broker = self.quota("broker")
        self.stored: list[list[tuple[int, int]]] = []
        self.topics: list[Quota] = []
        self.subscriptions: list[Subscription] = []
        for index, topic in enumerate(trial["topics"]):
            self.stored.append([(e["messages"], e["bytes"]) for e in topic["entries"]])
            self.topics.append(self.quota("topic"))
            for sort in topic["subscriptions"]:
                number = len(self.subscriptions)
                quota = self.quota("subscription")
                self.subscriptions.append(Subscription(number, index, sort, quota))

    def quota(self, level: str) -> Quota:
        """A fresh quota of a level."""
        return Quota(self.interpretations, self.rates[level])

    def quotas(self, sub: Subscription) -> dict[str, Quota]:
        """The quotas that a subscription's deliveries count against."""
        both = {"broker": self.broker, "topic": self.topics[sub.topic]}
        return {**both, "subscription": sub.quota}

    def throttles(self, sub: Subscription) -> bool:
        """Whether limits apply to a subscription now."""
        enabled = self.settings["dispatchThrottlingOnNonBacklogConsumerEnabled"]
        return bool(enabled) or not sub.active

    def step(self, command: Json) -> list[Json]:
        """One command and its events."""
        what = command["do"]
        if what == "advance":
            return self.advance(int(command["millis"]))
        if what == "configure":
            self.configure(str(command["level"]), command["rate"])
            looks = self.interpretations.looks_after_configuring
            due = [s for s in self.subscriptions if looks and s.reread is not None]
            return [event for sub in due for event in self.look_again(sub)]
        if what == "publish":
            topic = int(command["topic"]) % len(self.stored)
            self.stored[topic] += [(e["messages"], e["bytes"]) for e in command["entries"]]
            return []
        sub = self.subscriptions[int(command["subscription"]) % len(self.subscriptions)]
        if what == "read":
            return self.read(sub)
        if what == "complete":
            return self.complete(sub, bool(command["replay"]))
        if what == "written":
            return self.end_writing(sub, bool(command["succeeded"]))
        self.change(sub, command)
        return []

    def change(self, sub: Subscription, command: Json) -> None:
        """The commands that only change a subscription."""
        what = command["do"]
        stored = len(self.stored[sub.topic])
        if what == "flow":
            sub.permits += int(command["permits"])
        elif what == "redeliver" and stored:
            self.redeliver(sub, int(command["entry"]) % stored)
        elif what == "acknowledge":
            first = min(sub.again, default=sub.next)
            sub.unacknowledged = {entry for entry in sub.unacknowledged if entry >= first}
        elif what == "seek":
            sub.next = int(command["entry"]) % (stored + 1)
            sub.again, sub.unacknowledged = set(), set()
            sub.normal = sub.replay = None
        elif what == "change_consumer":
            sub.consumer += 1
            sub.permits, sub.sent = 0, (0, 0)
            if self.interpretations.writes_end_with_consumer:
                sub.writing = []
            for entry in sorted(sub.unacknowledged, reverse=True):
                self.redeliver(sub, entry)
        elif what == "set_active":
            sub.active = bool(command["active"])

    def redeliver(self, sub: Subscription, entry: int) -> None:
        """Deliver an entry again; a single consumer goes back to it."""
        if entry not in sub.unacknowledged:
            return
        if sub.sort == "shared":
            sub.again.add(entry)
        else:
            first = min(sub.unacknowledged) if self.interpretations.goes_back_to_first else entry
            sub.next = min(sub.next, first)
            sub.unacknowledged = {e for e in sub.unacknowledged if e < sub.next}
            sub.normal = None

    def configure(self, level: str, rate: Json) -> None:
        """Set another rate at one level."""
        quotas = [sub.quota for sub in self.subscriptions]
        if level == "broker":
            quotas = [self.broker]
        elif level == "topic":
            quotas = self.topics
        for quota in quotas:
            quota.configure(rate)
        self.rates[level] = rate

    # -- reading ------------------------------------------------------------------------------

    def read(self, sub: Subscription) -> list[Json]:
        """The subscription checks its quotas and issues a read if it can."""
        replays = bool(sub.again) and sub.sort == "shared"
        new = sub.normal is None and sub.next < len(self.stored[sub.topic])
        if self.interpretations.replays_last and new:
            replays = False
        reason = self.idle(sub, replays)
        if reason is not None:
            return [{"do": "ignored", "subscription": sub.number, "reason": reason}]
        quotas = list(self.quotas(sub).values()) if self.throttles(sub) else []
        blocking = [q for q in quotas if q.blocks() or self.messages_left(sub, q) == 0]
        if blocking:
            wait = self.interpretations.reread_after
            if self.interpretations.rereads_at_period_end:
                wait = max(quota.until_next() for quota in blocking)
            if sub.reread is None or not self.interpretations.keeps_first_look:
                sub.reread = self.now + wait
            return [{"do": "blocked", "subscription": sub.number, "reread_at": sub.reread}]
        sub.reread = None
        return [self.issue(sub, replays, quotas)]

    def idle(self, sub: Subscription, replays: bool) -> str | None:
        """The reason why nothing is read; None if there is none."""
        if sub.permits <= 0:
            return "no permits"
        if (sub.replay if replays else sub.normal) is not None:
            return "a read is outstanding"
        if not replays and sub.next >= len(self.stored[sub.topic]):
            return "there is nothing to deliver"
        return None

    def issue(self, sub: Subscription, replays: bool, quotas: list[Quota]) -> Json:
        """Issue a read to storage."""
        messages = [left for q in quotas if (left := self.messages_left(sub, q)) is not None]
        sizes = [q.sides[1].left for q in quotas if q.sides[1].limit > 0]
        size = min([int(self.settings["dispatcherMaxReadSizeBytes"]), *sizes])
        sent, entries_sent = sub.sent
        average = -(-sent // entries_sent) if entries_sent else 0
        entries = read_size(self.interpretations, self.settings, sub.permits, average, messages)
        if sizes or self.interpretations.divides_largest_read:
            entries = min(entries, self.entries_within(sub, size))
        again = sorted(sub.again)[:entries]
        entries = len(again) if replays else entries
        precise = self.settings["preciseDispatcherFlowControl"]
        reserves = self.interpretations.reserves_in_precise_mode and precise
        reserved = entries * average if reserves else 0
        if replays:
            sub.replay = Read(again, size, sub.consumer, reserved)
        else:
            chosen = list(range(sub.next, sub.next + entries)) if entries < 10**5 else []
            chosen = chosen or list(range(sub.next, len(self.stored[sub.topic])))
            sub.normal = Read(chosen, size, sub.consumer, reserved)
        return {
            "do": "read_issued",
            "subscription": sub.number,
            "replay": replays,
            "entries": entries,
            "quota_bytes": size,
        }

    def messages_left(self, sub: Subscription, quota: Quota) -> int | None:
        """The messages that are left for a subscription, without those that are reserved."""
        if quota.sides[0].limit <= 0:
            return None
        sharing = [one for one in self.subscriptions if quota in self.quotas(one).values()]
        reserved = 0
        for one in sharing:
            reserved += sum(read.reserved for read in (one.normal, one.replay) if read is not None)
            reserved += sum(reserved for _, _, reserved in one.writing)
        return max(0, quota.sides[0].left - reserved)

    def entries_within(self, sub: Subscription, size: int) -> int:
        """The estimated number of entries with this many bytes ("Limitations", 1a)."""
        stored = self.stored[sub.topic]
        if not stored:
            return 1
        average = Fraction(sum(entry[1] for entry in stored), len(stored))
        return max(1, round_amount(size / average, self.interpretations.entries_rounding))

    # -- delivering ---------------------------------------------------------------------------

    def complete(self, sub: Subscription, replay: bool) -> list[Json]:
        """A read is completed."""
        read = sub.replay if replay else sub.normal
        if read is None:
            reason = "no such read is outstanding"
            return [{"do": "ignored", "subscription": sub.number, "reason": reason}]
        if replay:
            sub.replay = None
        else:
            sub.normal = None
        reason = "the consumer changed since the read"
        if read.consumer != sub.consumer:
            return [{"do": "ignored", "subscription": sub.number, "reason": reason}]
        if sub.permits <= 0 and self.interpretations.delivers_within_permits:
            return [{"do": "ignored", "subscription": sub.number, "reason": "no permits"}]
        entries = self.fitting(sub, read, replay)
        if not entries:
            reason = "there is nothing to deliver"
            return [{"do": "ignored", "subscription": sub.number, "reason": reason}]
        return self.deliver(sub, entries, read, replay)

    def fitting(self, sub: Subscription, read: Read, replay: bool) -> list[int]:
        """The entries of a read that the consumer can take; one in any case."""
        stored = self.stored[sub.topic]
        chosen: list[int] = []
        size = messages = 0
        for entry in read.entries:
            if entry >= len(stored) or (replay and entry not in sub.again):
                continue
            size += stored[entry][1]
            full = self.interpretations.delivers_within_permits and messages >= sub.permits
            if chosen and (size > read.quota_bytes or full):
                break
            messages += stored[entry][0]
            chosen.append(entry)
        return chosen

    def deliver(
        self, sub: Subscription, entries: list[int], read: Read, replay: bool
    ) -> list[Json]:
        """Deliver entries to the consumer and charge them, now or when they are written."""
        stored = self.stored[sub.topic]
        messages = sum(stored[entry][0] for entry in entries)
        size = sum(stored[entry][1] for entry in entries)
        sub.permits -= messages
        sub.sent = (sub.sent[0] + messages, sub.sent[1] + len(entries))
        sub.unacknowledged.update(entries)
        if replay:
            sub.again.difference_update(entries)
        else:
            sub.next = entries[-1] + 1
        event: Json = {
            "do": "delivered",
            "subscription": sub.number,
            "again": replay,
            "entries": entries,
            "messages": messages,
            "bytes": size,
        }
        counts_entries = self.settings["dispatchThrottlingOnBatchMessageEnabled"]
        units = len(entries) if counts_entries else messages
        if sub.sort == "shared":
            return [event, *self.charge(sub, units, size)]
        sub.writing.append((units, size, read.reserved))
        return [event]

    def end_writing(self, sub: Subscription, succeeded: bool) -> list[Json]:
        """The connection has written a delivery, or failed to."""
        if not sub.writing:
            reason = "nothing was being written"
            return [{"do": "ignored", "subscription": sub.number, "reason": reason}]
        units, size, _ = sub.writing.pop(0)
        return self.charge(sub, units, size) if succeeded else []

    def charge(self, sub: Subscription, units: int, size: int) -> list[Json]:
        """Charge all levels, whether or not limits apply now."""
        levels = []
        for level, quota in self.quotas(sub).items():
            quota.consume(units, size)
            if self.interpretations.charges_name_all or any(s.limit > 0 for s in quota.sides):
                levels.append(level)
        base = {"do": "charged", "subscription": sub.number, "units": units, "bytes": size}
        if self.interpretations.charges_together:
            return [{**base, "levels": levels}] if levels else []
        return [{**base, "levels": [level]} for level in levels]

    # -- time ---------------------------------------------------------------------------------

    def advance(self, millis: int) -> list[Json]:
        """Time passes, and subscriptions look again when they have announced it."""
        end = self.now + millis
        events: list[Json] = []
        while True:
            due = [s for s in self.subscriptions if s.reread is not None and s.reread <= end]
            if not due:
                break
            sub = min(due, key=lambda s: (s.reread or 0, s.number))
            self.pass_to(sub.reread or 0)
            events += self.look_again(sub)
        self.pass_to(end)
        return events

    def look_again(self, sub: Subscription) -> list[Json]:
        """A subscription that found no quota looks again."""
        sub.reread = None
        return self.read(sub)

    def pass_to(self, instant: int) -> None:
        """Advance all periods to an instant."""
        passed = instant - self.now
        self.now = instant
        for quota in (self.broker, *self.topics, *(s.quota for s in self.subscriptions)):
            quota.pass_time(passed)


def loop(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to throttling.loop."""
    if trial["settings"]["mechanism"] != "classic" and interpretations.only_classic:
        raise Skip("a single mechanism keeps quotas")
    world = Loop(interpretations, trial)
    results: list[Json] = []
    for command in trial["commands"]:
        try:
            results.append({"do": "seen", "events": world.step(command)})
        except Refusal as refusal:
            results.append(refuse(refusal.reason))
    return {"results": results}
