"""Judge the dispatch loop event by event.

Nothing here runs the loop: the reported reads, deliveries and charges are compared with what a
right subject can do, with limits followed for every possible beginning of periods (`Limits`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import accumulate

from evenkeel.properties.throttling.judge_parts import refuses_both
from evenkeel.properties.throttling.loop import trials as do
from evenkeel.properties.throttling.loop.limits import Limits
from evenkeel.properties.throttling.loop.subscription import Subscription, subscriptions_of
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
from evenkeel.reference.throttling.loop import Idle, Sort
from evenkeel.reference.throttling.rates import Level
from evenkeel_engine.kit.clause import Case, in_full
from evenkeel_engine.kit.judge import monitor, require_results
from evenkeel_engine.kit.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel_engine.kit.run import MonitorRun, Sentence, fill


class LoopMonitor:
    """The state of a broker as it follows from commands and events.

    `charges_known`: false if a flag decides what is charged, so that deliveries do not show it.
    `amounts_known`: false if an exclusive delivery may be charged what another one was.
    """

    def __init__(
        self, run: MonitorRun, trial: LoopTrial, edition: Edition, looks: AbstractSet[int]
    ) -> None:
        self.trial = trial
        self.limited = trial.settings.non_backlog
        self.by_flag = edition.backlog_by_cursor_flag
        self.charges_known = self.limited or not self.by_flag
        self.amounts_known = not edition.charge_of_last_dispatch
        self.by_entries = edition.permits_taken_for_entries
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
        if isinstance(command, do.ConfigureLevel):
            self.clear_looks(events)
        excuses = self.progress(command, events)
        for event in events:
            self.judge_event(event, excuses)
        self.after(command)

    def progress(self, command: LoopCommand, events: tuple[LoopEvent, ...]) -> AbstractSet[Idle]:
        """Check that a subscription that can read does, and that entries read are delivered; return
        the reasons that may be true of a read that came back.
        """
        match command:
            case do.ReadNow(subscription):
                self.must_read(self.sub(subscription), events)
            case do.Complete(subscription, replay):
                return self.returns(self.sub(subscription), replay, events)
            case _:
                pass
        return frozenset()

    def returns(
        self, sub: Subscription, replay: bool, events: Iterable[LoopEvent]
    ) -> AbstractSet[Idle]:
        """A read comes back: its entries are delivered, or it may be dropped for these reasons."""
        came = any(isinstance(event, Delivered) for event in events)
        reasons = {event.reason for event in events if isinstance(event, Ignored)}
        excuses = sub.excuses(replay)
        if sub.could_deliver(replay, self.entry_count(sub)) and not reasons & excuses:
            sentence = "subscription {} has permits, and what it read is not delivered"
            self.run.require(sub.clause, came, self.at_now(sentence, sub.number), "not delivered")
        sub.end_read(replay, came, reasons)
        return excuses | {Idle.NO_SUCH_READ}

    def must_read(self, sub: Subscription, events: Iterable[LoopEvent]) -> None:
        """Check that a subscription with certain permits and entries issues a read, or says when it
        looks again, and that it reads if it certainly has quota, too.
        """
        if not sub.could_read(self.entry_count(sub)):
            return
        asked = [event.replay for event in events if isinstance(event, ReadIssued)]
        if not self.has_quota(sub):
            pending = sub.waits and sub.look_at is not None
            looks = pending or any(isinstance(event, Blocked) for event in events)
            sentence = (
                "subscription {} has {} permits and entries, and neither reads nor looks again"
            )
            why = self.at_now(sentence, sub.number, sub.permits)
            self.run.require(sub.clause, bool(asked) or looks, why, "no look")
            return
        sentence = "subscription {} has {} permits, entries and quota, and does not read"
        why = self.at_now(sentence, sub.number, sub.permits)
        self.run.require(sub.clause, bool(asked), why, "not read")
        if asked and sub.again and sub.has_all(self.entry_count(sub)):
            sentence = "subscription {} must deliver {} again, and reads something else"
            why = self.at_now(sentence, sub.number, sorted(sub.again))
            self.run.require("THR-66", True in asked, why, "not again")

    def has_quota(self, sub: Subscription) -> bool:
        """Whether no limit of a subscription can be used up, if all charges are known."""
        if not self.limited:
            return not self.limits.at_levels(sub.number)
        return not self.limits.may_be_used_up(sub.number)

    def clear_looks(self, events: Iterable[LoopEvent]) -> None:
        """After a change of limits: who looks at once need not look at the time set."""
        for event in events:
            if isinstance(event, ReadIssued | Blocked | Ignored):
                self.subscriptions[event.subscription].look_at = None

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
            if self.amount_known(sub) and (sub.due or sub.writing):
                mine = written is not None and self.sub(written.subscription) is sub
                succeeded = written.succeeded if written is not None and mine else None
                for due in sub.list_owed(succeeded):
                    levels = " and ".join(level.value for level in Level if level in due.owed)
                    sentence = "{} units and {} bytes are not charged to the {}"
                    self.run.require(
                        "THR-40", False, self.at_now(sentence, *due.amount, levels), "not charged"
                    )

    def advance(self, millis: int, events: tuple[LoopEvent, ...]) -> None:
        """Advance the time; check that subscriptions that are due look again, each at its time.

        When a look was made that was not announced is not known: from there on, what is read may be
        read as late as possible, and quotas may be used up.
        """
        until, looked, vague = self.now + millis, set[int](), False
        for event in events:
            sub = self.subscriptions[event.subscription]
            if not vague and self.is_early(sub, event, until, looked):
                vague = True
                self.at(until)
            looked.add(sub.number)
            if vague and isinstance(event, Blocked):
                sub.wait(event.reread_at)
                continue
            if sub.looks_before(until):
                self.look(sub)
                self.must_read(sub, (event,))
            self.judge_event(event)
        self.check_silence(until)
        self.at(until)

    def is_early(
        self, sub: Subscription, event: LoopEvent, until: int, looked: AbstractSet[int]
    ) -> bool:
        """Whether a look was made that was not announced for that time, nor is part of the last."""
        again = isinstance(event, Blocked) and event.reread_at == sub.look_at
        if sub.number in looked and (sub.look_at is None or again):
            return False
        early = again or not sub.looks_before(until)
        sentence = "by {} ms subscription {} looks again, and announced that for {} ms"
        why = fill(sentence, until, sub.number, sub.look_at)
        self.run.require("THR-45", not early, why, "early")
        return early

    def look(self, sub: Subscription) -> None:
        """A subscription looks again at the time that it said."""
        self.at(max(self.now, sub.look_at or 0))
        sub.look_at = None
        self.run.require("THR-45", True)

    def check_silence(self, until: int) -> None:
        """Check the subscriptions of which nothing was seen though they had to look by then."""
        for sub in sorted(self.subscriptions, key=lambda one: one.look_at or 0):
            if sub.looks_before(until) and not sub.waits:
                sub.look_at = None  # it read since, and needs no look
            elif sub.looks_before(until):
                sentence = "subscription {} had to look again at {} ms, and did not"
                why = self.at_now(sentence, sub.number, sub.look_at)
                self.run.require("THR-45", False, why, "never")
                self.look(sub)
                self.must_read(sub, ())

    def at(self, now: int) -> None:
        """Advance the time to `now`."""
        self.now = now
        self.limits.advance(now)

    def judge_event(self, event: LoopEvent, excuses: AbstractSet[Idle] = frozenset()) -> None:
        """Judge one event; `excuses`: reasons that may be true of a read that came back."""
        match event:
            case ReadIssued():
                self.check_read(event)
            case Blocked():
                self.check_blocked(event)
            case Delivered():
                self.check_delivery(event)
            case Charged():
                if self.charges_known:
                    self.check_charge(event)
            case Ignored():
                self.check_idle(event, excuses)

    def check_idle(self, event: Ignored, excuses: AbstractSet[Idle]) -> None:
        """Check that the reason for doing nothing may be true."""
        sub = self.subscriptions[event.subscription]
        right = event.reason in excuses or sub.can_be(event.reason)
        sentence = "subscription {} reports: {}, which is not true"
        why = self.at_now(sentence, sub.number, event.reason.value)
        self.run.require(sub.clause, right, why, "reason")
        if event.reason is Idle.NOTHING_WRITTEN and sub.gone:
            sub.drop_written()

    def check_read(self, event: ReadIssued) -> None:
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
            self.check_division(sub, event)
            self.within(event)
            if self.limits.used_up_elsewhere(event.subscription):
                self.run.require("THR-61", True)
        elif self.is_exempt(sub):
            self.run.require("THR-29", True)
        elif not self.by_flag and sub.has_backlog(self.entry_count(sub)):
            self.within(event, "THR-39")

    def within(self, event: ReadIssued, only: str = "") -> None:
        """Check a read against the quotas; `only`: by this clause."""
        for clause, sentence, kind in self.limits.read(event):
            if only in ("", clause):
                self.run.require(clause, not sentence, self.at_now("{}", sentence), kind)

    def check_division(self, sub: Subscription, event: ReadIssued) -> None:
        """Check precise flow control, if all entries have equal sizes and the consumer got some, or
        if it got many of equal sizes.
        """
        settings = self.trial.settings
        if not settings.precise or settings.by_entry or not sub.permits:
            return
        left = self.limits.messages_left(sub.number)
        messages = sub.permits if left is None else min(left, sub.permits)
        if len(sub.batches) == 1 and sub.averaged:
            [batch] = sub.batches
            most = max(1, -(-messages // batch))
            sentence = "{} entries of {} messages are read, for {} messages"
        elif batch := sub.sends.mostly(entry.messages for entry in self.stored[sub.topic]):
            most = max(1, -(-2 * messages // batch))
            sentence = "{} entries are read, after many of {} messages, for {} messages"
        else:
            return
        why = self.at_now(sentence, event.entries, batch, messages)
        self.run.require("THR-30", event.entries <= most, why)

    def is_exempt(self, sub: Subscription) -> bool:
        """Whether a subscription certainly has no backlog, or the flag says so."""
        return sub.active if self.by_flag else sub.has_no_backlog(self.entry_count(sub))

    def check_blocked(self, event: Blocked) -> None:
        """Check a subscription that found no quota."""
        sub = self.subscriptions[event.subscription]
        once = sub.look_at is None or not sub.waits or event.reread_at <= sub.look_at
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
        sub.wait(event.reread_at)
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

    def check_delivery(self, event: Delivered) -> None:
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
        sub.sends.add([entry.messages for entry in entries])
        overdrawn = sub.deliver(event)
        sentence = "subscription {} was delivered {}, and none between"
        self.run.require(
            clause, sub.in_order(), self.at_now(sentence, sub.number, sorted(sub.seen)), "gap"
        )
        sub.leave_out(event, self.trial.settings.round_robin)
        if overdrawn is not None:
            batch = max(sub.batches)
            sentence = "{} messages leave {} permits, with {} in an entry"
            values = event.messages, overdrawn, batch
            within = overdrawn > -batch
            if self.by_entries:
                within = len(event.entries) <= overdrawn + event.messages
            self.run.require("THR-43", within, self.at_now(sentence, *values))
        units = len(event.entries) if self.trial.settings.by_entry else event.messages
        spared = not self.limited and not sub.had_backlog(event)
        sub.expect((units, event.bytes), event.again, spared, self.limits.at_levels(sub.number))
        if self.limited:
            for clause, wrong in self.limits.deliver(event, units):
                self.run.require(clause, not wrong, self.at_now("{}", wrong))

    def amount_known(self, sub: Subscription) -> bool:
        """Whether what a subscription is charged follows from its deliveries."""
        return self.amounts_known or sub.sort is Sort.SHARED

    def check_charge(self, event: Charged) -> None:
        """Check that a charge is for a delivery, once at every level."""
        sub = self.subscriptions[event.subscription]
        if self.amount_known(sub):
            self.charged_for(sub, event)
        self.limits.charge(event)

    def charged_for(self, sub: Subscription, event: Charged) -> None:
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
    if refuses_both(observed, trial.settings.precise, trial.settings.by_entry):
        return
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
