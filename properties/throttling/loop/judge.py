"""Following the dispatch loop event by event.

Nothing here runs the loop: what a subject says it read, delivered and charged is held against what
a right one can do, with limits followed for every possible beginning of periods (`limits`).
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from itertools import accumulate
from typing import Final

from evenkeel.properties.clause import Case, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.exact import exact
from evenkeel.properties.judging.judge import monitor
from evenkeel.properties.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel.properties.throttling.loop import commands as do
from evenkeel.properties.throttling.loop.commands import LoopCommand
from evenkeel.properties.throttling.loop.limits import Limits
from evenkeel.properties.throttling.loop.parties import Party, parties_of
from evenkeel.properties.throttling.loop.trial import (
    Blocked,
    Charged,
    Delivered,
    Ignored,
    LoopAnswer,
    LoopEvent,
    LoopTrial,
    ReadIssued,
    SeenEvents,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling.loop import Idle
from evenkeel.reference.throttling.rates import Level

ENDING: Final = frozenset({Idle.NO_PERMITS, Idle.CONSUMER_CHANGED})
"""Why a read that came back may be over although nothing of it was delivered."""


class LoopMonitor:
    """What is known of a broker after some commands.

    `charges_tell`: where a flag decides who is charged, what was delivered does not tell.
    """

    def __init__(
        self, trial: LoopTrial, edition: Edition, findings: Findings, looks: AbstractSet[int]
    ) -> None:
        self.trial = trial
        self.limited = trial.settings.non_backlog
        self.by_flag = edition.backlog_by_cursor_flag
        self.charges_tell = self.limited or not self.by_flag
        self.stored = [list(topic.entries) for topic in trial.topics]
        self.findings = findings
        self.now = 0
        self.parties = parties_of(trial)
        self.limits = Limits(trial, self.parties, moments(trial, looks))

    def command(self, command: LoopCommand, events: tuple[LoopEvent, ...]) -> None:
        """One command and what was seen of it."""
        if isinstance(command, do.AdvanceLoop):
            self.advance(command.millis, events)
            return
        self.before(command)
        self.progress(command, events)
        for event in events:
            self.event(event)
        self.after(command)

    def progress(self, command: LoopCommand, events: tuple[LoopEvent, ...]) -> None:
        """A subscription that can read does, and what was read is delivered."""
        match command:
            case do.ReadNow(subscription):
                self.must_read(self.party(subscription), events)
            case do.Complete(subscription, replay):
                party = self.party(subscription)
                came = any(isinstance(event, Delivered) for event in events)
                if party.could_deliver(replay, self.there(party)):
                    sentence = "subscription {} has permits, and what it read is not delivered"
                    self.note(party.clause, came, "not delivered", sentence, party.number)
                if came or any(isinstance(e, Ignored) and e.reason in ENDING for e in events):
                    party.reading.discard(replay)
            case _:
                pass

    def must_read(self, party: Party, events: Iterable[LoopEvent]) -> None:
        """It looks: with permits, entries and quota for sure, it asks for a read."""
        if party.could_read(self.there(party)) and self.has_quota(party):
            asked = [event.replay for event in events if isinstance(event, ReadIssued)]
            sentence = "subscription {} has {} permits, entries and quota, and does not read"
            self.note(party.clause, bool(asked), "not read", sentence, party.number, party.permits)
            if asked and party.again and party.has_all(self.there(party)):
                sentence = "subscription {} is to deliver {} again, and reads something else"
                values = party.number, sorted(party.again)
                self.note("THR-66", True in asked, "not again", sentence, *values)

    def has_quota(self, party: Party) -> bool:
        """Whether no limit that holds for it can be used up; charges tell, where all are seen."""
        if not self.limited:
            return not self.limits.at_levels(party.number)
        return not self.limits.may_be_used_up(party.number)

    def before(self, command: LoopCommand) -> None:
        """What a command changes before anything is seen of it."""
        match command:
            case do.Flow(subscription, permits):
                self.party(subscription).flow(permits)
            case do.PublishEntries(topic, entries):
                topic %= len(self.trial.topics)
                self.limits.publish(topic, entries)
                self.stored[topic].extend(entries)
                for party in self.parties:
                    if party.topic == topic:
                        party.batches |= {entry.messages for entry in entries}
            case do.ConfigureLevel(level, rate):
                self.limits.configure(level, rate)
            case do.ChangeConsumer(subscription):
                self.party(subscription).change_consumer()
                self.limits.lost = True
            case do.Seek(subscription, entry):
                party = self.party(subscription)
                party.go_on(entry % (self.there(party) + 1))
                self.limits.lost = True
            case do.Redeliver(subscription, entry):
                party = self.party(subscription)
                party.redeliver(entry % max(1, self.there(party)))
            case do.SetActive(subscription, active):
                self.party(subscription).active = active
            case do.Acknowledge(subscription):
                self.party(subscription).acknowledge()
            case _:
                pass

    def party(self, subscription: int) -> Party:
        """The subscription that a command means."""
        return self.parties[subscription % len(self.parties)]

    def there(self, party: Party) -> int:
        """How many entries its topic has."""
        return len(self.stored[party.topic])

    def after(self, command: LoopCommand) -> None:
        """What must have been charged once a command is over; that it was, `charged` notes."""
        if isinstance(command, do.ConfigureLevel):
            for party in self.parties:
                party.limit_only(self.limits.at_levels(party.number))
        written = command if isinstance(command, do.Written) else None
        if written is not None and not written.succeeded:
            self.limits.lost = self.party(written.subscription).failed = True
        for party in self.parties if self.charges_tell else ():
            if party.due or party.writing:
                mine = written is not None and self.party(written.subscription) is party
                succeeded = written.succeeded if written is not None and mine else None
                for due in party.owed(succeeded):
                    levels = " and ".join(level.value for level in Level if level in due.owed)
                    sentence = "{} units and {} bytes are not charged to the {}"
                    self.note("THR-40", False, "not charged", sentence, *due.amount, levels)

    def advance(self, millis: int, events: tuple[LoopEvent, ...]) -> None:
        """Time goes on, and subscriptions that are due look again, each at its time."""
        until = self.now + millis
        for event in events:
            party = self.parties[event.subscription]
            if party.looks_before(until):
                self.at(max(self.now, party.look_at or 0))
                party.look_at = None
                self.findings.add("THR-45", None)
                self.must_read(party, (event,))
            self.event(event)
        for party in self.parties:
            if party.looks_before(until):
                sentence = "subscription {} was to look again at {} ms, and did not"
                self.note("THR-45", False, "never", sentence, party.number, party.look_at)
                party.look_at = None
        self.at(until)

    def at(self, now: int) -> None:
        """Time has come to `now`."""
        self.now = now
        self.limits.advance(now)

    def event(self, event: LoopEvent) -> None:
        """Something is seen."""
        match event:
            case ReadIssued():
                self.issued(event)
            case Blocked():
                self.blocked(event)
            case Delivered():
                self.delivered(event)
            case Charged():
                if self.charges_tell:
                    self.charged(event)
            case Ignored():
                self.ignored(event)

    def ignored(self, event: Ignored) -> None:
        """Nothing is done: the reason must be one that can be so."""
        party = self.parties[event.subscription]
        if party.calm:
            right = party.can_be(event.reason)
            sentence = "subscription {} says: {}, which is not so"
            self.note(party.clause, right, "reason", sentence, party.number, event.reason.value)
        if event.reason is Idle.NOTHING_WRITTEN and party.gone:
            party.unwritten()

    def issued(self, event: ReadIssued) -> None:
        party = self.parties[event.subscription]
        party.issue(event.replay, event.entries)
        settings = self.trial.settings
        if not settings.precise:
            sentence = "{} entries are read at once, and {} may be"
            holds = event.entries <= settings.max_batch
            self.note("THR-31", holds, "", sentence, event.entries, settings.max_batch)
        if not event.replay:
            party.there = self.there(party)
        if self.limited:
            self.divided(party, event)
            for clause, sentence, kind in self.limits.read(event):
                self.note(clause, not sentence, kind, "{}", sentence)
            if self.limits.used_up_elsewhere(event.subscription):
                self.findings.add("THR-61", None)
        elif self.is_exempt(party):
            self.findings.add("THR-29", None)

    def divided(self, party: Party, event: ReadIssued) -> None:
        """Precise flow control, where all entries hold the same and the consumer got some."""
        settings = self.trial.settings
        if settings.precise and not settings.by_entry and party.averaged and party.permits:
            batch, *others = party.batches
            left = self.limits.messages_left(party.number)
            if left is not None and not others:
                messages = min(left, party.permits)
                holds = event.entries <= max(1, -(-messages // batch))
                sentence = "{} entries of {} messages are read, for {} messages"
                self.note("THR-30", holds, "", sentence, event.entries, batch, messages)

    def is_exempt(self, party: Party) -> bool:
        """Whether a subscription has no backlog, for sure, or is said to have none."""
        return party.active if self.by_flag else party.has_no_backlog(self.there(party))

    def blocked(self, event: Blocked) -> None:
        """A subscription found no quota."""
        party = self.parties[event.subscription]
        once = party.look_at is None or event.reread_at == party.look_at
        sentence = "a look is due at {} ms, and another at {} ms"
        self.note("THR-45", once, "twice", sentence, party.look_at, event.reread_at)
        latest = self.limits.look_by(party.number) if self.limited else None
        if party.look_at is None and latest is not None:
            sentence = "subscription {} looks again at {} ms, with quotas for a period by {} ms"
            values = party.number, event.reread_at, latest
            self.note("THR-28", event.reread_at <= latest, "late", sentence, *values)
        party.look_at = event.reread_at
        if self.limited:
            can = self.limits.may_be_used_up(event.subscription)
            self.note("THR-41", can, "", "no quota is found, though none can be used up")
            if not can and self.limits.used_up_elsewhere(event.subscription):
                self.note(
                    "THR-61",
                    False,
                    "",
                    "subscription {} is blocked by another topic's or subscription's quota",
                    party.number,
                )
        elif self.is_exempt(party):
            self.note(
                "THR-29", False, "", "subscription {} is blocked without a backlog", party.number
            )

    def delivered(self, event: Delivered) -> None:
        """Entries went to a consumer."""
        party = self.parties[event.subscription]
        stored = self.stored[party.topic]
        known = all(0 <= entry < len(stored) for entry in event.entries)
        entries = [stored[entry] for entry in event.entries] if known else []
        sums = sum(e.messages for e in entries), sum(e.bytes for e in entries)
        right = known and sums == (event.messages, event.bytes)
        self.note("THR-40", right, "sums", "{}: its entries are {}", event, sums)
        clause = party.clause
        for right, kind in (
            (party.is_new(event), "twice"),
            (party.is_what_was_asked(event), "not again"),
        ):
            sentence = "subscription {} is delivered {}; before it was {}, again are to come {}"
            before = party.number, event.entries, sorted(party.seen), sorted(party.again)
            self.note(clause, right, kind, sentence, *before)
        overdrawn = party.deliver(event)
        sentence = "subscription {} was delivered {}, and none between"
        self.note(clause, party.in_order(), "gap", sentence, party.number, sorted(party.seen))
        if overdrawn is not None:
            batch = max(party.batches)
            sentence = "{} messages leave {} permits, with {} in an entry"
            values = event.messages, overdrawn, batch
            self.note("THR-43", overdrawn > -batch, "", sentence, *values)
        units = len(event.entries) if self.trial.settings.by_entry else event.messages
        spared = not self.limited and not party.had_backlog(event)
        party.expect((units, event.bytes), spared, self.limits.at_levels(party.number))
        if self.limited:
            for clause, wrong in self.limits.deliver(event, units):
                self.note(clause, not wrong, "", "{}", wrong)

    def charged(self, event: Charged) -> None:
        """Quotas are charged: what was delivered, once at every level."""
        party = self.parties[event.subscription]
        amount = (event.units, event.bytes)
        due = party.charge(amount, frozenset(event.levels)) if event.levels else None
        clause = "THR-42" if self.trial.settings.by_entry else "THR-40"
        sentence = "{} units and {} bytes are charged, but not charged yet are {}"
        waits = [waiting.amount for waiting in party.due]
        self.note(clause, due is not None, "not delivered", sentence, *amount, waits)
        if due is not None and not due.spared:
            self.findings.add("THR-40", None)
        elif due is None and party.due:
            party.due.pop(0)
        if self.limited:
            self.limits.charge(event)

    def note(self, clause: str, holds: bool, kind: str, template: str, *values: object) -> None:
        if holds:
            self.findings.add(clause, None)
        else:
            self.findings.check(clause, False, kind, f"at {self.now} ms: {template}", *values)


def looks_of(observed: LoopAnswer) -> set[int]:
    """When the subject says that it looks again."""
    seen = (result.events for result in observed.results if isinstance(result, SeenEvents))
    return {event.reread_at for events in seen for event in events if isinstance(event, Blocked)}


def moments(trial: LoopTrial, looks: AbstractSet[int]) -> tuple[int, ...]:
    """When something may be seen: at the commands, and at the looks before the last of them."""
    steps = (c.millis if isinstance(c, do.AdvanceLoop) else 0 for c in trial.commands)
    commands = {0, *accumulate(steps)}
    return tuple(sorted(commands | {look for look in looks if 0 < look < max(commands)}))


@monitor(
    "throttling.loop",
    *("THR-28", "THR-29", "THR-30", "THR-31", "THR-37", "THR-39", "THR-40", "THR-41", "THR-42"),
    *("THR-43", "THR-44", "THR-45", "THR-49", "THR-50", "THR-51", "THR-52", "THR-53", "THR-60"),
    *("THR-61", "THR-66"),
)
def loop(case: Case[LoopTrial, LoopAnswer], findings: Findings) -> None:
    exact(findings, "THR-44", case)
    trial, observed = case.trial, case.observation
    looks = looks_of(observed) if isinstance(observed, LoopAnswer) else set[int]()
    world = LoopMonitor(trial, case.edition, findings, looks)
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        world.note("THR-40", False, "shape", "the loop {}", in_full(observed))
        return
    for command, result in zip(trial.commands, observed.results, strict=True):
        if isinstance(result, CommandRefused | CommandBroke):
            world.note("THR-40", False, "failed", "{}: {}", command, result)
            return
        if any(not 0 <= e.subscription < len(world.parties) for e in result.events):
            world.note("THR-40", False, "shape", "{}: no such subscription", command)
            return
        world.command(command, result.events)
    for clause, wrong in world.limits.over() if world.limited else ():
        world.note(clause, not wrong, "periods", "{}", wrong)
