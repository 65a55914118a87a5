"""Following the lock protocol step by step (OWN-21 to OWN-38).

Nothing here runs the protocol: what a subject says after each command is held against what no
right one can say. Of sessions and processes only what the commands do to them is followed.
"""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.ownership.trials_locks import (
    Answer,
    Crash,
    Elect,
    Expire,
    Fail,
    Find,
    LocksAnswer,
    LocksCommand,
    LocksStep,
    LocksTrial,
    Lookup,
    OfBroker,
    OfBundle,
    Reconnect,
    Reply,
    Restart,
    Settle,
    Stop,
    Unload,
    Views,
)
from evenkeel.reference.ownership.locks_state import Outcome, Sort, Standing

NONE, ACQUIRING = Standing.NONE, Standing.ACQUIRING
SERVING, UNLOADING = Standing.SERVING, Standing.UNLOADING
MOST_LOOKUPS: Final = 4
LEGAL: Final = {
    NONE: {NONE, ACQUIRING},
    ACQUIRING: {ACQUIRING, SERVING, UNLOADING, NONE},
    SERVING: {SERVING, UNLOADING, NONE},
    UNLOADING: {UNLOADING, NONE},
}


class Processes:
    """Which brokers run, are stopping, have a session that lives, and whom they take for leader."""

    def __init__(self, brokers: int, leader: int | None) -> None:
        self.leader = [None if leader is None else leader % brokers] * brokers
        self.running = [True] * brokers
        self.stopping = [False] * brokers
        self.session = [True] * brokers
        self.lingering = [0] * brokers

    def command(self, command: LocksCommand) -> None:
        """What a command does to them."""
        if isinstance(command, Settle | Find | Views):
            self.session = list(self.running)
            self.lingering = [0] * len(self.running)
            able = [b for b, r in enumerate(self.running) if r and not self.stopping[b]]
            self.leader = [able[0] if able else None] * len(self.running)
        if not isinstance(command, OfBroker):
            return
        broker = command.broker % len(self.running)
        match command:
            case Expire() if self.lingering[broker]:
                self.lingering[broker] -= 1
            case Expire():
                self.session[broker] = False
            case Reconnect() if self.running[broker]:
                self.session[broker] = True
            case Crash():
                self.running[broker] = False
            case Restart() if not self.running[broker]:
                self.lingering[broker] += self.session[broker]
                self.running[broker] = self.session[broker] = True
                self.stopping[broker] = False
                self.leader[broker] = None
            case Elect(_, leader):
                self.leader[broker] = None if leader is None else leader % len(self.running)
            case Stop() if self.running[broker]:
                self.stopping[broker] = True
            case _:
                pass

    def registered(self, broker: int) -> bool:
        """Bundles can be assigned to it."""
        return self.session[broker] and not self.stopping[broker]

    def led_by(self, broker: int) -> int | None:
        """The registered other broker that this one takes for the leader."""
        leader = self.leader[broker]
        other = leader is not None and leader != broker and self.registered(leader)
        return leader if other else None

    @property
    def any_stopping(self) -> bool:
        """A running broker is stopping."""
        return any(r and s for r, s in zip(self.running, self.stopping, strict=True))


class Walk:
    """What is known after some commands."""

    def __init__(self, trial: LocksTrial) -> None:
        self.trial = trial
        self.findings = Findings()
        self.processes = Processes(trial.brokers, trial.leader)
        self.place = 0
        self.open: dict[int, Lookup | Unload] = {}
        self.taking: set[tuple[int, int]] = set()
        self.reading: set[tuple[int, int]] = set()
        self.standings = ((NONE,) * len(trial.bundles),) * trial.brokers
        self.holders: tuple[int | None, ...] = (None,) * len(trial.bundles)

    def key(self, command: OfBundle) -> tuple[int, int]:
        """The broker and the bundle that a command means."""
        return command.broker % self.trial.brokers, command.bundle % len(self.trial.bundles)

    def step(self, command: LocksCommand, seen: LocksStep) -> None:
        """One command and what was seen after it."""
        single = not isinstance(command, Settle | Find | Views)
        self.begin(command, seen)
        self.processes.command(command)
        told = {
            self.key(c) for c in self.open.values() if isinstance(c, Lookup) and c.authoritative
        }
        for reply in seen.ended:
            self.ended(reply, seen, single)
        if isinstance(command, Crash):
            self.forget(command.broker % self.trial.brokers)
        self.states(seen)
        self.readers(seen)
        if single:
            self.changes(command, seen)
            for broker, before in enumerate(self.standings):
                for bundle, (old, new) in enumerate(
                    zip(before, seen.standings[broker], strict=True)
                ):
                    if old is NONE and new is ACQUIRING:
                        self.begins(broker, bundle, told)
        else:
            self.rest(seen)
        if isinstance(command, Find):
            self.found(command, seen)
        if isinstance(command, Views):
            self.agree(seen)
        self.standings, self.holders = seen.standings, seen.holders

    def begin(self, command: LocksCommand, seen: LocksStep) -> None:
        """What a command asks for."""
        if isinstance(command, Lookup | Unload):
            self.open[self.place] = command
        if isinstance(command, Find):
            bundle = command.bundle % len(self.trial.bundles)
            self.taking |= {(broker, bundle) for broker in range(self.trial.brokers)}
        if isinstance(command, Lookup):
            (self.reading if command.read_only else self.taking).add(self.key(command))
        if isinstance(command, Unload):
            broker, bundle = self.key(command)
            refused = any(
                r.number == self.place and r.outcome is Outcome.REFUSED for r in seen.ended
            )
            serving = self.standings[broker][bundle] is SERVING
            word = "refused" if refused else "accepted"
            told = f"unload of {bundle} at {broker}: {word}, where it stood {serving=}"
            self.note("OWN-35", refused != serving, told, word)

    def forget(self, broker: int) -> None:
        """A process is gone, and with it what it was asked."""
        gone = [n for n, c in self.open.items() if c.broker % self.trial.brokers == broker]
        for number in gone:
            del self.open[number]

    def ended(self, reply: Reply, seen: LocksStep, single: bool) -> None:
        """A lookup or an unload has come to its end."""
        command = self.open.pop(reply.number, None)
        if not isinstance(command, Lookup):
            return
        broker, bundle = self.key(command)
        if single:
            self.answered(broker, bundle, command.authoritative, reply, seen)
            if reply.outcome is Outcome.EMPTY and not command.read_only:
                anybody = any(map(self.processes.registered, range(self.trial.brokers)))
                told = f"lookup of {bundle} at {broker}: empty, with brokers registered"
                self.note("OWN-37", not anybody, told)
            elif not command.read_only:
                self.note("OWN-37", True)
        self.named(broker, bundle, reply)

    def answered(
        self, broker: int, bundle: int, authoritative: bool, reply: Reply, seen: LocksStep
    ) -> None:
        """What a lookup was answered with is true now."""
        at = f"lookup of {bundle} at {broker}"
        if reply.outcome is Outcome.OWNER:
            holds = reply.broker == seen.holders[bundle]
            told = f"{at}: owner {reply.broker}, where {seen.holders[bundle]} holds the node"
            self.note("OWN-23", holds, told, "owner")
            if reply.broker == broker:
                unloading = seen.standings[broker][bundle] is UNLOADING
                self.note("OWN-27", not unloading, f"{at}: owner {broker}, which is unloading")
        elif reply.outcome is Outcome.REDIRECT and reply.broker is not None:
            registered = self.processes.registered(reply.broker)
            told = f"{at}: redirect to {reply.broker}, which is not registered"
            self.note("OWN-23", registered, told, "redirect")
            self.redirected(broker, bundle, authoritative, reply)
        elif reply.outcome is Outcome.UNLOADING:
            self.note("OWN-27", True)

    def redirected(self, broker: int, bundle: int, authoritative: bool, reply: Reply) -> None:
        """Only to the leader without the flag, and by who decides itself with it."""
        if self.trial.bundles[bundle].sort is Sort.PLAIN and not authoritative:
            leader = self.processes.led_by(broker)
            to_leader = not reply.authoritative and reply.broker == leader
            told = f"{broker}, led by {leader}, redirects to {reply}"
            right = reply.authoritative if leader is None else to_leader
            self.note("OWN-36", right, told, "redirect")

    def begins(self, broker: int, bundle: int, before: set[tuple[int, int]]) -> None:
        """A broker begins to acquire a bundle: told to, or because nobody else decides."""
        leader = self.processes.led_by(broker)
        if self.trial.bundles[bundle].sort is Sort.PLAIN and leader is not None:
            allowed = (broker, bundle) in before or self.holders[bundle] == broker
            told = f"{broker}, led by {leader}, takes {bundle}, and nobody told it to"
            self.note("OWN-36", allowed, told, "takes")

    def named(self, broker: int, bundle: int, reply: Reply) -> None:
        """A redirect for a bundle that is named after a broker goes there."""
        named = self.trial.bundles[bundle]
        if named.sort is not Sort.PLAIN and reply.outcome is Outcome.REDIRECT:
            right = named.broker % self.trial.brokers
            there = self.processes.registered(right) or named.sort is Sort.HEARTBEAT
            told = f"lookup at {broker} of a bundle named after {right}: to {reply.broker}"
            self.note("OWN-31", reply.broker == right or not there, told, "redirect")

    def states(self, seen: LocksStep) -> None:
        """What holds of any state."""
        for bundle, holder in enumerate(seen.holders):
            serving = [b for b, all_of in enumerate(seen.standings) if all_of[bundle] is SERVING]
            if serving:
                told = f"bundle {bundle} is served by {serving}"
                self.note("OWN-21", len(serving) == 1, told)
                holds = all(broker == holder for broker in serving)
                self.note("OWN-22", holds, f"{told}, where {holder} holds the node")
            named = self.trial.bundles[bundle]
            if named.sort is Sort.HEARTBEAT and holder is not None:
                right = named.broker % self.trial.brokers
                told = f"{holder} holds the heartbeat bundle of {right}"
                self.note("OWN-31", holder == right, told, "holder")
            for broker in serving:
                if self.processes.stopping[broker]:
                    new = self.standings[broker][bundle] is not SERVING
                    self.note("OWN-32", not new, f"{broker} is stopping, and takes {bundle}")
        if self.processes.any_stopping:
            self.note("OWN-32", True)

    def readers(self, seen: LocksStep) -> None:
        """Who was only asked read-only takes nothing."""
        for broker, bundle in self.reading - self.taking:
            takes = seen.standings[broker][bundle] is not NONE or seen.holders[bundle] == broker
            self.note("OWN-29", not takes, f"{broker} takes {bundle}, asked read-only")

    def changes(self, command: LocksCommand, seen: LocksStep) -> None:
        """What one step may change."""
        by = command.broker % self.trial.brokers if isinstance(command, OfBroker) else None
        for broker, before in enumerate(self.standings):
            for bundle, (old, new) in enumerate(zip(before, seen.standings[broker], strict=True)):
                told = f"bundle {bundle} at {broker}: {old.value} to {new.value}"
                if old is not new:
                    gone = isinstance(command, Crash)
                    self.note("OWN-34", gone or new in LEGAL[old], told, told[-30:])
                if old is SERVING and new is not SERVING:
                    asked = isinstance(command, Unload | Stop | Crash | Expire)
                    self.note(
                        "OWN-38",
                        asked and by == broker,
                        f"{command}: {told}",
                        type(command).__name__,
                    )
        acts = isinstance(command, Answer | Fail | Expire)
        for bundle, (holder, now) in enumerate(zip(self.holders, seen.holders, strict=True)):
            if holder is not None and now != holder:
                told = f"{command}: the node of {bundle} was {holder}'s, and is {now}'s"
                self.note("OWN-28", acts and by == holder and now is None, told)

    def rest(self, seen: LocksStep) -> None:
        """Everything has settled."""
        for command in self.open.values():
            clause = "OWN-26" if isinstance(command, Lookup) else "OWN-25"
            self.note(clause, False, f"{command} has not ended", "open")
        self.open.clear()
        stuck = any(UNLOADING in all_of for all_of in seen.standings)
        self.note("OWN-25", not stuck, "a bundle is still being unloaded", "unloading")
        self.note("OWN-26", True)

    def found(self, command: Find, seen: LocksStep) -> None:
        """A client finds who serves."""
        broker, bundle = self.key(command)
        named = self.trial.bundles[bundle]
        right = named.broker % self.trial.brokers
        possible = named.sort is not Sort.HEARTBEAT or self.processes.running[right]
        if not self.processes.running[broker] or self.processes.any_stopping or not possible:
            return
        words = [
            f"{r.number}: {r.outcome.value} {'' if r.broker is None else r.broker}"
            for r in seen.asked
        ]
        last = seen.asked[-1] if seen.asked else None
        served = (
            last is not None
            and last.outcome is Outcome.OWNER
            and last.broker is not None
            and seen.standings[last.broker][bundle] is SERVING
        )
        told = f"a client that looks for {bundle} at {broker} is told {words}"
        self.note("OWN-24", served, told, "not served")
        self.note("OWN-24", len(seen.asked) <= MOST_LOOKUPS, told, "too many lookups")

    def agree(self, seen: LocksStep) -> None:
        """All brokers answer the same."""
        if self.processes.any_stopping or not seen.asked:
            return
        views = {(reply.outcome.value, reply.broker) for reply in seen.asked}
        complete = len(seen.asked) == sum(self.processes.running)
        told = f"read-only lookups are answered {sorted(views, key=str)}"
        self.note("OWN-30", complete and len(views) == 1, told)

    def note(self, clause: str, holds: bool, sentence: str = "", kind: str = "") -> None:
        """A clause held, or was violated."""
        self.findings.note(clause, holds, f"command {self.place}: {sentence}", kind)


def fits(trial: LocksTrial, seen: object) -> bool:
    """What was seen has the trial's brokers and bundles."""
    if not isinstance(seen, LocksStep) or len(seen.holders) != len(trial.bundles):
        return False
    if [len(row) for row in seen.standings] != [len(trial.bundles)] * trial.brokers:
        return False
    named = [r.broker for r in (*seen.ended, *seen.asked)] + list(seen.holders)
    return all(broker is None or 0 <= broker < trial.brokers for broker in named)


def walk_locks(case: Case[LocksTrial, LocksAnswer]) -> Findings:
    """What the answers say about every clause of the walk."""
    trial, observed = case.trial, case.observation
    walk = Walk(trial)
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        walk.note("OWN-21", False, f"the subject {describe(observed)}", "shape")
        return walk.findings
    for place, (command, seen) in enumerate(zip(trial.commands, observed.results, strict=True)):
        walk.place = place
        if not isinstance(seen, LocksStep) or not fits(trial, seen):
            walk.note("OWN-21", False, f"{command}: {seen}", "shape")
            return walk.findings
        walk.step(command, seen)
    return walk.findings
