"""Following the dispatch loop event by event (THR-50, THR-39 to THR-45).

Nothing here runs the loop: what a subject says it read, delivered and charged is held against what
a right one can do, with limits followed for every possible beginning of periods (`carrying`).
"""

from __future__ import annotations

from itertools import accumulate

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel.properties.throttling.loop_limits import Limited, Window
from evenkeel.properties.throttling.loop_parties import Party, parties_of
from evenkeel.properties.throttling.trials_loop import (
    Acknowledge,
    AdvanceLoop,
    Blocked,
    ChangeConsumer,
    Charged,
    ConfigureLevel,
    Delivered,
    Flow,
    LoopAnswer,
    LoopCommand,
    LoopEvent,
    LoopTrial,
    PublishEntries,
    ReadIssued,
    Redeliver,
    Seek,
    SetActive,
    Written,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling.loop_state import Sort


class Walk:
    """What is known of a broker after some commands."""

    def __init__(self, trial: LoopTrial, edition: Edition) -> None:
        self.trial = trial
        self.limited = trial.settings.non_backlog
        self.by_flag = edition.backlog_by_cursor_flag
        # Where a flag decides who is charged, what was delivered does not tell.
        self.told = self.limited or not self.by_flag
        self.stored = [len(topic.entries) for topic in trial.topics]
        self.findings = Findings()
        self.now = 0
        steps = (c.millis if isinstance(c, AdvanceLoop) else 0 for c in trial.commands)
        times = tuple(sorted({0, *accumulate(steps)}))
        self.parties = parties_of(trial)
        self.limits = Limited(trial, self.parties, times)
        self.window = Window(trial, self.parties)

    def command(self, command: LoopCommand, events: tuple[LoopEvent, ...]) -> None:
        """One command and what was seen of it."""
        if isinstance(command, AdvanceLoop):
            self.advance(command.millis, events)
            return
        self.before(command)
        for event in events:
            self.event(event)
        self.after(command)

    def before(self, command: LoopCommand) -> None:
        """What a command changes before anything is seen of it."""
        match command:
            case Flow(subscription, permits):
                self.party(subscription).flow(permits)
            case PublishEntries(topic, entries):
                self.window.publish(topic % len(self.trial.topics), entries)
                self.stored[topic % len(self.trial.topics)] += len(entries)
                for party in self.parties:
                    if party.topic == topic % len(self.trial.topics):
                        party.batches |= {entry.messages for entry in entries}
            case ConfigureLevel(level, rate):
                self.limits.configure(level, rate, self.now)
                self.window.lose()
            case ChangeConsumer(subscription):
                self.party(subscription).change_consumer()
                self.window.lose()
            case Seek(subscription) | Redeliver(subscription):
                self.party(subscription).calm = False
                if isinstance(command, Seek):
                    self.window.lose()
            case SetActive(subscription, active):
                self.party(subscription).active = active
            case Acknowledge(subscription):
                self.party(subscription).rested = True
            case _:
                pass

    def party(self, subscription: int) -> Party:
        """The subscription that a command means."""
        return self.parties[subscription % len(self.parties)]

    def after(self, command: LoopCommand) -> None:
        """What must be true once a command is over."""
        if not self.told:
            return
        for party in self.parties:
            if party.sort is Sort.SHARED and party.uncharged:
                self.note("THR-40", False, f"{party.uncharged[0]} is not charged", "not charged")
                party.uncharged.clear()
        if isinstance(command, Written):
            party = self.party(command.subscription)
            missing = party.written(command.succeeded)
            self.note("THR-40", missing is None, f"{missing} was written, not charged", "written")
            if not command.succeeded:
                self.window.lose()

    def advance(self, millis: int, events: tuple[LoopEvent, ...]) -> None:
        """Time goes on, and subscriptions that are due look again, each at its time."""
        until = self.now + millis
        for event in events:
            party = self.parties[event.subscription]
            if party.looks_before(until):
                self.at(max(self.now, party.look_at or 0))
                party.look_at = None
                self.note("THR-45", True, "")
            self.event(event)
        for party in self.parties:
            if party.looks_before(until):
                told = f"subscription {party.number} was to look again at {party.look_at} ms"
                self.note("THR-45", False, f"{told}, and did not", "never")
                party.look_at = None
        self.at(until)

    def at(self, now: int) -> None:
        """Time has come to `now`."""
        self.now = now
        self.limits.advance(now)
        self.window.now = now

    def event(self, event: LoopEvent) -> None:
        """Something is seen."""
        match event:
            case ReadIssued():
                self.issued(event)
            case Blocked():
                self.blocked(event)
            case Delivered():
                self.delivered(event)
            case Charged() if self.told:
                self.charged(event)
            case _:
                pass

    def issued(self, event: ReadIssued) -> None:
        """A read was asked for."""
        party = self.parties[event.subscription]
        if not event.replay:
            party.there = self.stored[party.topic]
        if self.limited:
            self.window.issued(event.subscription, event.entries)
            for sentence, kind in self.limits.read(event):
                self.note("THR-39", not sentence, sentence, kind)
        elif self.is_exempt(party):
            self.note("THR-29", True)

    def is_exempt(self, party: Party) -> bool:
        """Whether a subscription has no backlog, for sure, or is said to have none."""
        return party.active if self.by_flag else party.has_no_backlog(self.stored[party.topic])

    def blocked(self, event: Blocked) -> None:
        """A subscription found no quota."""
        party = self.parties[event.subscription]
        once = party.look_at is None or event.reread_at == party.look_at
        told = f"a look is due at {party.look_at} ms, and another at {event.reread_at} ms"
        self.note("THR-45", once, told, "twice")
        party.look_at = event.reread_at
        if self.limited:
            can = self.limits.may_be_used_up(event.subscription)
            self.note("THR-41", can, "no quota is found, though none can be used up")
        elif self.is_exempt(party):
            self.note("THR-29", False, f"subscription {party.number} is blocked without a backlog")

    def delivered(self, event: Delivered) -> None:
        """Entries went to a consumer."""
        party = self.parties[event.subscription]
        overdrawn = party.deliver(event)
        if overdrawn is not None:
            batch = max(party.batches)
            told = f"{event.messages} messages leave {overdrawn} permits, with {batch} in an entry"
            self.note("THR-43", overdrawn > -batch, told)
        units = len(event.entries) if self.trial.settings.by_entry else event.messages
        party.writing.append((units, event.bytes))
        due = self.limited or party.had_backlog(event)
        (party.uncharged if due else party.spared).append((units, event.bytes))
        if self.limited:
            worst = self.window.deliver(event.subscription, units)
            self.note("THR-50", worst is None, worst or "")

    def charged(self, event: Charged) -> None:
        """Quotas are charged."""
        party = self.parties[event.subscription]
        charge = (event.units, event.bytes)
        clause = "THR-42" if self.trial.settings.by_entry else "THR-40"
        told = f"{charge} units and bytes are charged, but {party.uncharged} are not charged yet"
        self.note(clause, charge in (*party.uncharged, *party.spared), told, "not delivered")
        if charge in party.uncharged:
            party.uncharged.remove(charge)
        elif charge in party.spared:
            party.spared.remove(charge)
        elif party.uncharged:
            party.uncharged.pop(0)
        if self.limited:
            self.limits.charge(event)
            self.window.charged(event.subscription)

    def note(self, clause: str, holds: bool, sentence: str = "", kind: str = "") -> None:
        """A clause held, or was violated."""
        self.findings.note(clause, holds, f"at {self.now} ms: {sentence}", kind)


def walk_loop(case: Case[LoopTrial, LoopAnswer]) -> Findings:
    """What the events say about every clause of the walk."""
    trial, observed = case.trial, case.observation
    walk = Walk(trial, case.edition)
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        walk.note("THR-40", False, f"the loop {describe(observed)}", "shape")
        return walk.findings
    for command, result in zip(trial.commands, observed.results, strict=True):
        if isinstance(result, CommandRefused | CommandBroke):
            walk.note("THR-40", False, f"{command}: {result}", "failed")
            return walk.findings
        if any(not 0 <= e.subscription < len(walk.parties) for e in result.events):
            walk.note("THR-40", False, f"{command}: no such subscription", "shape")
            return walk.findings
        walk.command(command, result.events)
    return walk.findings
