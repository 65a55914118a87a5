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
    Seek,
    Written,
)
from evenkeel.reference.throttling.loop_state import Sort


class Walk:
    """What is known of a broker after some commands."""

    def __init__(self, trial: LoopTrial) -> None:
        self.trial = trial
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
                for party in self.parties:
                    if party.topic == topic % len(self.trial.topics):
                        party.batches |= {entry.messages for entry in entries}
            case ConfigureLevel(level, rate):
                self.limits.configure(level, rate, self.now)
                self.window.lose()
            case ChangeConsumer(subscription):
                self.party(subscription).change_consumer()
                self.window.lose()
            case Seek():
                self.window.lose()
            case _:
                pass

    def party(self, subscription: int) -> Party:
        """The subscription that a command means."""
        return self.parties[subscription % len(self.parties)]

    def after(self, command: LoopCommand) -> None:
        """What must be true once a command is over."""
        if not self.trial.settings.non_backlog:
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
        limited = self.trial.settings.non_backlog
        match event:
            case ReadIssued() if limited:
                self.window.issued(event.subscription, event.entries)
                for sentence, kind in self.limits.read(event):
                    self.note("THR-39", not sentence, sentence, kind)
            case Blocked():
                self.blocked(event, limited)
            case Delivered():
                self.delivered(event, limited)
            case Charged() if limited:
                self.charged(event)
            case _:
                pass

    def blocked(self, event: Blocked, limited: bool) -> None:
        """A subscription found no quota."""
        party = self.parties[event.subscription]
        once = party.look_at is None or event.reread_at == party.look_at
        told = f"a look is due at {party.look_at} ms, and another at {event.reread_at} ms"
        self.note("THR-45", once, told, "twice")
        party.look_at = event.reread_at
        if limited:
            can = self.limits.may_be_used_up(event.subscription)
            self.note("THR-41", can, "no quota is found, though none can be used up")

    def delivered(self, event: Delivered, limited: bool) -> None:
        """Entries went to a consumer."""
        party = self.parties[event.subscription]
        overdrawn = party.deliver(event)
        if overdrawn is not None:
            batch = max(party.batches)
            told = f"{event.messages} messages leave {overdrawn} permits, with {batch} in an entry"
            self.note("THR-43", overdrawn > -batch, told)
        if limited:
            units = len(event.entries) if self.trial.settings.by_entry else event.messages
            party.uncharged.append((units, event.bytes))
            party.writing.append((units, event.bytes))
            worst = self.window.deliver(event.subscription, units)
            self.note("THR-50", worst is None, worst or "")

    def charged(self, event: Charged) -> None:
        """Quotas are charged."""
        party = self.parties[event.subscription]
        charge = (event.units, event.bytes)
        clause = "THR-42" if self.trial.settings.by_entry else "THR-40"
        told = f"{charge} units and bytes are charged, but {party.uncharged} are not charged yet"
        self.note(clause, charge in party.uncharged, told, "not delivered")
        if charge in party.uncharged:
            party.uncharged.remove(charge)
        elif party.uncharged:
            party.uncharged.pop(0)
        self.limits.charge(event)
        self.window.charged(event.subscription)

    def note(self, clause: str, holds: bool, sentence: str, kind: str = "") -> None:
        """A clause held, or was violated."""
        self.findings.note(clause, holds, f"at {self.now} ms: {sentence}", kind)


def walk_loop(case: Case[LoopTrial, LoopAnswer]) -> Findings:
    """What the events say about every clause of the walk."""
    trial, observed = case.trial, case.observation
    walk = Walk(trial)
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
