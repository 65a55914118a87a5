"""Following the lock protocol step by step: OWN-21 to OWN-38, and the clauses about effects.

Nothing here runs the protocol: what a subject says after each command is held against what no
right one can say. Of sessions and processes only what the commands do to them is followed.
"""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import Case, Violation, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.exact import exact
from evenkeel.properties.judging.judge import monitor
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.ownership.locks import answers, effects
from evenkeel.properties.ownership.locks import commands as do
from evenkeel.properties.ownership.locks.answers import Past
from evenkeel.properties.ownership.locks.commands import LocksCommand, OfBroker, OfBundle
from evenkeel.properties.ownership.locks.processes import Processes
from evenkeel.properties.ownership.locks.trial import LocksAnswer, LocksStep, LocksTrial, Reply
from evenkeel.properties.plain import plain
from evenkeel.reference.ownership.locks.state import BundleState, Outcome, Sort

LocksCase = Case[LocksTrial, LocksAnswer]
NONE, ACQUIRING = BundleState.NONE, BundleState.ACQUIRING
SERVING, UNLOADING = BundleState.SERVING, BundleState.UNLOADING
MOST_LOOKUPS: Final = 4
LEGAL: Final = frozenset(
    {
        (NONE, ACQUIRING),
        (ACQUIRING, SERVING),
        (ACQUIRING, NONE),
        (SERVING, UNLOADING),
        (SERVING, NONE),
        (UNLOADING, NONE),
    }
)


class LocksMonitor:
    """What is known after some commands.

    `open`: lookups and unloads that have not ended, `pending` those that had not before the last
    command's answers; `past`: how things stood, `rested` its last moment of rest; `bereft`:
    who lost which bundle with its session; `asked`: whether there was a lookup;
    `taking` and `reading`: who was asked for which bundle, to take it or read-only.
    """

    def __init__(self, trial: LocksTrial, findings: Findings) -> None:
        self.trial = trial
        self.findings = findings
        self.processes = Processes(trial.brokers, trial.leader)
        self.place = 0
        self.open: dict[int, do.Lookup | do.Unload] = {}
        self.asked = self.unloaded = False
        self.taking: set[tuple[int, int]] = set()
        self.reading: set[tuple[int, int]] = set()
        self.standings = ((NONE,) * len(trial.bundles),) * trial.brokers
        self.holders: tuple[int | None, ...] = (None,) * len(trial.bundles)
        self.past = Past(trial)
        self.rested = 0
        self.bereft: set[tuple[int, int]] = set()
        self.pending = dict(self.open)

    def note(self, clause: str, holds: bool, kind: str, template: str, *values: object) -> None:
        """A clause held, or was violated: the sentence is the template with these values."""
        found = None
        if not holds:
            sentence = template.format(*map(plain, values))
            found = Violation(f"command {self.place + 1}: {sentence}", kind)
        self.findings.add(clause, found)

    def key(self, command: OfBundle) -> tuple[int, int]:
        """The broker and the bundle that a command means."""
        return command.broker % self.trial.brokers, command.bundle % len(self.trial.bundles)

    def step(self, command: LocksCommand, seen: LocksStep) -> None:
        single = not isinstance(command, do.Settle | do.Find | do.Views)
        self.begin(command, seen)
        if isinstance(command, do.Expire):
            self.expired(command.broker % self.trial.brokers, seen)
        self.processes.command(command)
        self.past.step(self, command, seen)
        self.pending = dict(self.open)
        for reply in seen.ended:
            self.ended(reply, seen, single)
        if isinstance(command, do.Crash):
            self.forget(command.broker % self.trial.brokers)
        self.states(seen)
        self.readers(seen)
        if single:
            self.changes(command, seen)
            self.nodes(command, seen)
        else:
            self.rest(seen)
        if isinstance(command, do.Find):
            self.found(command, seen)
        if isinstance(command, do.Views):
            self.agree(command, seen)
        self.standings, self.holders = seen.standings, seen.holders
        if not single:
            self.rested = len(self.past.steps) - 1

    def begin(self, command: LocksCommand, seen: LocksStep) -> None:
        """What a command asks for."""
        match command:
            case do.Find():
                bundle = command.bundle % len(self.trial.bundles)
                self.taking |= {(broker, bundle) for broker in range(self.trial.brokers)}
            case do.Lookup():
                self.open[self.place] = command
                self.asked = True
                (self.reading if command.read_only else self.taking).add(self.key(command))
            case do.Stop():
                self.unloaded = True
            case do.Unload():
                self.open[self.place] = command
                self.unloaded = True
                broker, bundle = self.key(command)
                refused = any(
                    r.number == self.place and r.outcome is Outcome.REFUSED for r in seen.ended
                )
                serving = self.standings[broker][bundle] is SERVING
                word = "refused" if refused else "accepted"
                sentence = "unload of {} at {}: {}, where it stood serving={}"
                right = refused != serving
                self.note("OWN-35", right, word, sentence, bundle, broker, word, serving)

    def expired(self, broker: int, seen: LocksStep) -> None:
        """A session ends, and its nodes with it; not where it may be that of a former process."""
        if broker in self.holders and not self.processes.lingering[broker]:
            kept = [bundle for bundle, holder in enumerate(seen.holders) if holder == broker]
            sentence = "the session of {} has ended, and it holds the nodes of {}"
            self.note("OWN-22", not kept, "outlived", sentence, broker, kept)

    def forget(self, broker: int) -> None:
        """A process is gone, and with it what it was asked."""
        gone = [n for n, c in self.open.items() if c.broker % self.trial.brokers == broker]
        for number in gone:
            del self.open[number]

    # ------------------------------------------------------------------------------- replies

    def ended(self, reply: Reply, seen: LocksStep, single: bool) -> None:
        command = self.open.pop(reply.number, None)
        if isinstance(command, do.Unload):
            effects.unloaded(self, command, reply, seen)
            answers.unloaded(self, command, reply)
        if not isinstance(command, do.Lookup):
            return
        broker, bundle = self.key(command)
        if single:
            answers.looked_up(self, command, reply)
            self.answered(broker, bundle, command.authoritative, reply, seen)
            empty = reply.outcome is Outcome.EMPTY
            if not command.read_only and any(
                map(self.processes.registered, range(self.trial.brokers))
            ):
                sentence = "lookup of {} at {}: empty, with brokers registered"
                self.note("OWN-37", not empty, "", sentence, bundle, broker)
        named = self.trial.bundles[bundle]
        if named.sort is not Sort.PLAIN and reply.outcome is Outcome.REDIRECT:
            right = named.broker % self.trial.brokers
            there = self.processes.registered(right) or named.sort is Sort.HEARTBEAT
            sentence = "lookup at {} of a bundle named after {}: to {}"
            holds = reply.broker == right or not there
            self.note("OWN-31", holds, "redirect", sentence, broker, right, reply.broker)

    def answered(
        self, broker: int, bundle: int, authoritative: bool, reply: Reply, seen: LocksStep
    ) -> None:
        """What a lookup was answered with is true now, or was since all was told to everybody."""
        at = bundle, broker, reply.broker
        recent = self.past.since(self.rested)
        if reply.outcome is Outcome.OWNER:
            holder = seen.holders[bundle]
            held = any(then.holders[bundle] == reply.broker for then in recent)
            sentence = "lookup of {} at {}: owner {}, where {} holds the node"
            self.note("OWN-23", held, "owner", sentence, *at, holder)
            if reply.broker == broker:
                unloading = seen.standings[broker][bundle] is UNLOADING
                sentence = "lookup of {} at {}: owner {}, which is unloading"
                self.note("OWN-27", not unloading, "", sentence, *at)
        elif reply.outcome is Outcome.REDIRECT and reply.broker is not None:
            registered = any(reply.broker in then.there for then in recent)
            sentence = "lookup of {} at {}: redirect to {}, which is not registered"
            self.note("OWN-23", registered, "redirect", sentence, *at)
            leaves = authoritative and self.processes.stopping[broker]
            if self.trial.bundles[bundle].sort is Sort.PLAIN and not leaves:
                leader = None if authoritative else self.processes.led_by(broker)
                to_leader = not reply.authoritative and reply.broker == leader
                right = reply.authoritative if leader is None else to_leader
                sentence = "{}, led by {}, redirects to {}"
                self.note("OWN-36", right, "redirect", sentence, broker, leader, reply)
                if leader is None and not authoritative:
                    answers.picked(self, broker, bundle, reply.broker)
        elif reply.outcome is Outcome.UNLOADING:
            self.findings.add("OWN-27", None)

    # -------------------------------------------------------------------------------- states

    def states(self, seen: LocksStep) -> None:
        """What holds of any state; nothing new is to be said of one that is as it was."""
        as_it_was = seen.standings == self.standings and seen.holders == self.holders
        if as_it_was and not any(self.processes.stopping):
            return
        for bundle, holder in enumerate(seen.holders):
            serving = [b for b, all_of in enumerate(seen.standings) if all_of[bundle] is SERVING]
            if serving:
                sentence = "bundle {} is served by {}"
                self.note("OWN-21", len(serving) == 1, "", sentence, bundle, serving)
                holds = all(broker == holder for broker in serving)
                sentence = "bundle {} is served by {}, where {} holds the node"
                self.note("OWN-22", holds, "", sentence, bundle, serving, holder)
            named = self.trial.bundles[bundle]
            if named.sort is Sort.HEARTBEAT and holder is not None:
                right = named.broker % self.trial.brokers
                sentence = "{} holds the heartbeat bundle of {}"
                self.note("OWN-31", holder == right, "holder", sentence, holder, right)
            for broker in serving:
                if self.processes.stopping[broker]:
                    before = self.standings[broker][bundle] is SERVING
                    self.note("OWN-32", before, "", "{} is stopping, and takes {}", broker, bundle)
        if self.processes.any_stopping:
            self.findings.add("OWN-32", None)

    def readers(self, seen: LocksStep) -> None:
        """Who was only asked read-only takes nothing."""
        for broker, bundle in self.reading - self.taking:
            takes = seen.standings[broker][bundle] is not NONE or seen.holders[bundle] == broker
            self.note("OWN-29", not takes, "", "{} takes {}, asked read-only", broker, bundle)

    def changes(self, command: LocksCommand, seen: LocksStep) -> None:
        """What one step may change at a broker."""
        if seen.standings == self.standings:
            return
        authorized = {
            self.key(c)
            for c in self.pending.values()
            if isinstance(c, do.Lookup) and c.authoritative
        }
        by = command.broker % self.trial.brokers if isinstance(command, OfBroker) else None
        for broker, row in enumerate(self.standings):
            for bundle, (old, new) in enumerate(zip(row, seen.standings[broker], strict=True)):
                if old is new:
                    continue
                what = f"bundle {bundle} at {broker}: {old.value} to {new.value}"
                legal = (old, new) in LEGAL
                if (old, new) == (ACQUIRING, UNLOADING):
                    legal = self.processes.stopping[broker]
                self.note("OWN-34", legal, what[-30:], "{}", what)
                if old is SERVING and new is NONE and not isinstance(command, do.Crash):
                    self.bereft.add((broker, bundle))
                if old is SERVING:
                    ends = isinstance(command, do.Unload | do.Stop | do.Crash | do.Expire)
                    kind = type(command).__name__
                    self.note("OWN-38", ends and by == broker, kind, "{}: {}", command, what)
                if old is NONE and new is ACQUIRING:
                    self.begins(broker, bundle, authorized)

    def begins(self, broker: int, bundle: int, authorized: set[tuple[int, int]]) -> None:
        """A broker begins to acquire a bundle: it has to, or nobody else decides."""
        if self.trial.bundles[bundle].sort is not Sort.PLAIN:
            return
        leader = self.processes.led_by(broker)
        had = (broker, bundle) in self.bereft
        self.bereft.discard((broker, bundle))
        allowed = had or (broker, bundle) in authorized or self.holders[bundle] == broker
        if leader is None and not allowed:
            answers.picked(self, broker, bundle, broker)
        elif leader is not None:
            sentence = "{}, led by {}, takes {}, and no authoritative lookup asked for it"
            self.note("OWN-36", allowed, "takes", sentence, broker, leader, bundle)

    def nodes(self, command: LocksCommand, seen: LocksStep) -> None:
        """What one step may change in the store."""
        if seen.holders == self.holders:
            return
        by = command.broker % self.trial.brokers if isinstance(command, OfBroker) else None
        acts = isinstance(command, do.Answer | do.Fail | do.Expire)
        for bundle, (holder, now) in enumerate(zip(self.holders, seen.holders, strict=True)):
            if holder is not None and now != holder:
                own = acts and by == holder and now is None
                sentence = "{}: the node of {} was {}'s, and is {}'s"
                self.note("OWN-28", own, "", sentence, command, bundle, holder, now)

    # ------------------------------------------------------------------------------- at rest

    def rest(self, seen: LocksStep) -> None:
        for command in self.open.values():
            clause = "OWN-26" if isinstance(command, do.Lookup) else "OWN-25"
            self.note(clause, False, "open", "{} has not ended", command)
        self.open.clear()
        stuck = any(UNLOADING in all_of for all_of in seen.standings)
        if stuck or self.unloaded:
            self.note("OWN-25", not stuck, "unloading", "a bundle is still being unloaded")
        if self.asked:
            self.findings.add("OWN-26", None)
        effects.who_left(self, seen)

    def found(self, command: do.Find, seen: LocksStep) -> None:
        """A client finds who serves."""
        broker, bundle = self.key(command)
        named = self.trial.bundles[bundle]
        right = named.broker % self.trial.brokers
        possible = named.sort is not Sort.HEARTBEAT or self.processes.running[right]
        if not self.processes.running[broker] or self.processes.any_stopping or not possible:
            return
        last = seen.asked[-1] if seen.asked else None
        served = (
            last is not None
            and last.outcome is Outcome.OWNER
            and last.broker is not None
            and seen.standings[last.broker][bundle] is SERVING
        )
        few = len(seen.asked) <= MOST_LOOKUPS
        words: list[str] = []
        if not served or not few:
            for r in seen.asked:
                words.append(
                    f"{r.number}: {r.outcome.value} {'' if r.broker is None else r.broker}"
                )
        values = bundle, broker, words
        sentence = "a client that looks for {} at {} is answered {}"
        self.note("OWN-24", served, "not served", sentence, *values)
        self.note("OWN-24", few, "too many lookups", sentence, *values)

    def agree(self, command: do.Views, seen: LocksStep) -> None:
        """All brokers answer the same."""
        if self.processes.any_stopping or not seen.asked:
            return
        effects.views_name_the_owner(self, command.bundle % len(self.trial.bundles), seen)
        views = {(reply.outcome.value, reply.broker) for reply in seen.asked}
        right = len(seen.asked) == sum(self.processes.running) and len(views) == 1
        sentence = "read-only lookups are answered {}"
        self.note("OWN-30", right, "", sentence, [] if right else sorted(views, key=str))


def fits(trial: LocksTrial, seen: LocksStep) -> bool:
    """What was seen has the trial's brokers and bundles."""
    if len(seen.holders) != len(trial.bundles):
        return False
    if [len(row) for row in seen.standings] != [len(trial.bundles)] * trial.brokers:
        return False
    named = [r.broker for r in (*seen.ended, *seen.asked)] + list(seen.holders)
    return all(broker is None or 0 <= broker < trial.brokers for broker in named)


@monitor(
    "ownership.locks",
    *("OWN-21", "OWN-22", "OWN-23", "OWN-24", "OWN-25", "OWN-26", "OWN-27", "OWN-28", "OWN-29"),
    *("OWN-30", "OWN-31", "OWN-32", "OWN-33", "OWN-34", "OWN-35", "OWN-36", "OWN-37", "OWN-38"),
    *("OWN-46", "OWN-48", "OWN-50", "OWN-52", "OWN-53"),
)
def locks(case: LocksCase, findings: Findings) -> None:
    trial, observed = case.trial, case.observation
    exact(findings, "OWN-33", case)
    world = LocksMonitor(trial, findings)
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        world.note("OWN-21", False, "shape", "the subject {}", in_full(observed))
        return
    for place, (command, seen) in enumerate(zip(trial.commands, observed.results, strict=True)):
        world.place = place
        if not isinstance(seen, LocksStep) or not fits(trial, seen):
            world.note("OWN-21", False, "shape", "{}: {}", command, seen)
            return
        world.step(command, seen)
