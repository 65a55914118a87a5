"""Following the lock protocol step by step: OWN-21 to OWN-38, and the clauses about effects.

Nothing here runs the protocol: what a subject says after each command is held against what no
right one can say. Of sessions and processes only what the commands do to them is followed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.properties.kit.clause import Case, in_full
from evenkeel.properties.kit.judge import monitor, require_results
from evenkeel.properties.kit.observations import Broke, Refused
from evenkeel.properties.kit.run import MonitorRun, Sentence, fill
from evenkeel.properties.ownership.locks import trials as do
from evenkeel.properties.ownership.locks.trials import (
    LocksAnswer,
    LocksCommand,
    LocksStep,
    LocksTrial,
    OfBroker,
    OfBundle,
    Reply,
)
from evenkeel.reference.ownership.locks.state import BundleState, Outcome, Sort


class Processes:
    """Which brokers run, are stopping, reach the store, have a session that lives, and whom they
    take for the leader.

    `well`, `there`, `sure`: which run and reach the store, can be assigned bundles, know who
    decides, themselves or a registered other broker.
    """

    def __init__(self, brokers: int, leader: int | None) -> None:
        self.leader = [None if leader is None else leader % brokers] * brokers
        self.running = [True] * brokers
        self.stopping = [False] * brokers
        self.session = [True] * brokers
        self.connected = [True] * brokers
        self.lingering = [0] * brokers
        self.look()

    def look(self) -> None:
        """Which brokers are well, there, and sure now."""
        everybody = range(len(self.running))
        self.well = frozenset(filter(self.is_well, everybody))
        self.there = frozenset(filter(self.registered, everybody))
        leads = (b for b in everybody if self.leader[b] == b)
        led = (b for b in everybody if self.led_by(b) is not None)
        self.sure = frozenset((*leads, *led))

    def command(self, command: LocksCommand) -> None:
        if isinstance(command, OfBundle) and not isinstance(command, do.Find):
            return  # most commands: nothing happens to processes
        self.happen(command)
        self.look()

    def happen(self, command: LocksCommand) -> None:
        if isinstance(command, do.Settle | do.Find | do.Views):
            self.session = list(self.running)
            self.connected = list(self.running)
            self.lingering = [0] * len(self.running)
            able = [b for b, r in enumerate(self.running) if r and not self.stopping[b]]
            self.leader = [able[0] if able else None] * len(self.running)
        if not isinstance(command, OfBroker):
            return
        broker = command.broker % len(self.running)
        match command:
            case do.Expire() if self.lingering[broker]:
                self.lingering[broker] -= 1
            case do.Expire():
                self.session[broker] = self.connected[broker] = False
            case do.Disconnect():
                self.connected[broker] = False
            case do.Reconnect() if self.running[broker]:
                self.session[broker] = self.connected[broker] = True
            case do.Crash():
                self.running[broker] = self.connected[broker] = False
            case do.Restart() if not self.running[broker]:
                self.lingering[broker] += self.session[broker]
                self.running[broker] = self.session[broker] = self.connected[broker] = True
                self.stopping[broker] = False
                self.leader[broker] = None
            case do.Elect(_, leader):
                self.leader[broker] = None if leader is None else leader % len(self.running)
            case do.Stop() if self.running[broker]:
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

    def is_well(self, broker: int) -> bool:
        """It runs, is not stopping, and reaches the store."""
        return self.running[broker] and self.connected[broker] and self.registered(broker)

    @property
    def any_stopping(self) -> bool:
        """A running broker is stopping."""
        return any(r and s for r, s in zip(self.running, self.stopping, strict=True))


SERVING, UNLOADING = BundleState.SERVING, BundleState.UNLOADING


@dataclass(frozen=True, slots=True)
class Then:
    """How things stood after a command. `well`: the brokers to whom nothing had happened that may
    make something fail; `there`: those that bundles can be assigned to; `sure`: those that knew who
    decides, themselves or a registered other broker; `closed`: whether the command was no closing
    of topics that went wrong.
    """

    well: frozenset[int]
    there: frozenset[int]
    sure: frozenset[int]
    closed: bool
    standings: tuple[tuple[BundleState, ...], ...]
    holders: tuple[int | None, ...]


class Past:
    """How things stood after each command, the state before the first in front."""

    def __init__(self, trial: LocksTrial) -> None:
        none = ((BundleState.NONE,) * len(trial.bundles),) * trial.brokers
        everybody = frozenset(range(trial.brokers))
        nobody: tuple[int | None, ...] = (None,) * len(trial.bundles)
        self.steps = [Then(everybody, everybody, everybody, True, none, nobody)]

    def step(self, world: LocksMonitor, command: LocksCommand, seen: LocksStep) -> None:
        """A command more."""
        processes = world.processes
        failing = command.broker % world.trial.brokers if isinstance(command, do.Fail) else None
        closed = not isinstance(command, do.Closed) or command.how is do.Closing.CLOSED
        self.steps.append(
            Then(
                processes.well if failing is None else processes.well - {failing},
                processes.there,
                processes.sure,
                closed,
                seen.standings,
                seen.holders,
            )
        )

    def since(self, number: int) -> list[Then]:
        """From just before a command until now."""
        return self.steps[number:]


def looked_up(world: LocksMonitor, command: do.Lookup, reply: Reply) -> None:
    """A lookup fails only where something did, and a bundle is unloading only where that is so.

    It may fail where the node has another holder than before, where the broker itself goes about to
    get or leave the bundle, and where nobody is known to decide.
    """
    broker, bundle = world.key(command)
    past = world.past.since(reply.number)
    at = bundle, broker, reply.outcome.value
    if reply.outcome is Outcome.UNLOADING:
        unloading = any(then.standings[broker][bundle] is UNLOADING for then in past)
        sentence = "lookup of {} at {}: {}, but it is not unloading it"
        world.run.require("OWN-52", unloading, world.at_command(sentence, *at), "unloading")
    elif world.trial.bundles[bundle].sort is Sort.PLAIN and calm(broker, bundle, past):
        failed = reply.outcome is Outcome.FAILED
        sentence = "lookup of {} at {}: {}, though nothing failed; {} holds the node"
        world.run.require(
            "OWN-52",
            not failed,
            world.at_command(sentence, *at, past[-1].holders[bundle]),
            "lookup",
        )


def calm(broker: int, bundle: int, past: list[Then]) -> bool:
    """Whether nothing happened meanwhile for which a lookup at this broker may fail."""
    holder = past[0].holders[bundle]
    if any(broker not in then.well or then.holders[bundle] != holder for then in past):
        return False
    own = [then.standings[broker][bundle] for then in past]
    if holder is None:
        decided = all(broker in then.sure for then in past)
        return decided and own[0] is BundleState.NONE and UNLOADING not in own
    stays = SERVING if holder == broker else BundleState.NONE
    return all(standing is stays for standing in own)


def unloaded(world: LocksMonitor, command: do.Unload, reply: Reply) -> None:
    """An unload fails only where something did."""
    broker, bundle = world.key(command)
    past = world.past.since(reply.number)
    if all(broker in then.well and then.closed for then in past):
        failed = reply.outcome is Outcome.FAILED
        sentence = "unload of {} at {}: failed, though nothing failed"
        world.run.require(
            "OWN-52", not failed, world.at_command(sentence, bundle, broker), "unload"
        )


def picked(world: LocksMonitor, broker: int, bundle: int, to: int) -> None:
    """The broker that decides assigned the bundle: to whom the load manager picked.

    Where the broker that is picked was not there all the time, another is allowed.
    """
    picks = {
        place: lookup.preferred % world.trial.brokers
        for place, lookup in world.pending.items()
        if isinstance(lookup, do.Lookup)
        and world.key(lookup) == (broker, bundle)
        and not (lookup.read_only or lookup.authoritative)
    }
    if picks:
        there = frozenset.intersection(*(then.there for then in world.past.since(min(picks))))
        right = to in picks.values() or not there.issuperset(picks.values())
        sentence = "{}, who decides, gives {} to {}; the load manager picked {}"
        world.run.require(
            "OWN-53",
            right,
            world.at_command(sentence, broker, bundle, to, sorted({*picks.values()})),
        )


def require_unloaded(
    world: LocksMonitor, command: do.Unload, reply: Reply, seen: LocksStep
) -> None:
    """An unload that is answered as done has ended, in the session in which it began, what it was
    to end: the broker has neither the bundle nor the node, unless it took the node again.
    """
    broker, bundle = world.key(command)
    since = world.trial.commands[reply.number : world.place + 1]
    if reply.outcome is not Outcome.DONE or any(lost(one, world, broker) for one in since):
        return
    standing, holder = seen.standings[broker][bundle], seen.holders[bundle]
    left = standing not in (BundleState.SERVING, BundleState.UNLOADING)
    sentence = "unload of {} at {} is done: it says {}, and {} holds the node"
    world.run.require(
        "OWN-50", left, world.at_command(sentence, bundle, broker, standing.value, holder)
    )
    released = any(then.holders[bundle] != broker for then in world.past.since(reply.number))
    sentence = "unload of {} at {} is done, and {} held the node all the time"
    world.run.require(
        "OWN-50", released, world.at_command(sentence, bundle, broker, broker), "node"
    )


def lost(command: LocksCommand, world: LocksMonitor, broker: int) -> bool:
    """Whether a command ends the broker's session, or does so much that it may serve anew."""
    if isinstance(command, do.Expire | do.Crash | do.Restart):
        return command.broker % world.trial.brokers == broker
    return isinstance(command, do.Settle | do.Find | do.Views)


def who_left(world: LocksMonitor, seen: LocksStep) -> None:
    """At rest neither who is stopping nor who does not run has a bundle.

    A node that was made, and whose maker was never told so, stays until the session ends.
    """
    processes = world.processes
    for broker, running in enumerate(processes.running):
        if running and not processes.stopping[broker]:
            continue
        kept = [
            bundle
            for bundle, holder in enumerate(seen.holders)
            if (holder == broker and not running)
            or seen.standings[broker][bundle] is not BundleState.NONE
        ]
        world.run.require(
            "OWN-46", not kept, world.at_command("{} has left, and keeps {}", broker, kept)
        )


def views_name_the_owner(world: LocksMonitor, bundle: int, seen: LocksStep) -> None:
    """Whom everybody names holds the node; nobody is named where nobody does."""
    holder = seen.holders[bundle]
    for reply in seen.asked:
        named = reply.broker if reply.outcome is Outcome.OWNER else None
        known = named == holder and reply.outcome in (Outcome.OWNER, Outcome.EMPTY)
        sentence = "{} answers {} {} for {}, where {} holds the node"
        values = reply.number, reply.outcome.value, reply.broker, bundle, holder
        world.run.require("OWN-48", known, world.at_command(sentence, *values))


LocksCase = Case[LocksTrial, LocksAnswer]
NONE, ACQUIRING = BundleState.NONE, BundleState.ACQUIRING
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

    def __init__(self, run: MonitorRun, trial: LocksTrial) -> None:
        self.trial = trial
        self.run = run
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

    def at_command(self, template: str, *values: object) -> Sentence:
        """The sentence that is the template with these values, and after which command."""
        return fill(f"command {self.place + 1}: {template}", *values)

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
                self.run.require(
                    "OWN-35", right, self.at_command(sentence, bundle, broker, word, serving), word
                )

    def expired(self, broker: int, seen: LocksStep) -> None:
        """A session ends, and its nodes with it; not where it may be that of a former process."""
        if broker in self.holders and not self.processes.lingering[broker]:
            kept = [bundle for bundle, holder in enumerate(seen.holders) if holder == broker]
            sentence = "the session of {} has ended, and it holds the nodes of {}"
            self.run.require(
                "OWN-22", not kept, self.at_command(sentence, broker, kept), "outlived"
            )

    def forget(self, broker: int) -> None:
        """A process is gone, and with it what it was asked."""
        gone = [n for n, c in self.open.items() if c.broker % self.trial.brokers == broker]
        for number in gone:
            del self.open[number]

    # ------------------------------------------------------------------------------- replies

    def ended(self, reply: Reply, seen: LocksStep, single: bool) -> None:
        command = self.open.pop(reply.number, None)
        if isinstance(command, do.Unload):
            require_unloaded(self, command, reply, seen)
            unloaded(self, command, reply)
        if not isinstance(command, do.Lookup):
            return
        broker, bundle = self.key(command)
        if single:
            looked_up(self, command, reply)
            self.answered(broker, bundle, command.authoritative, reply, seen)
            empty = reply.outcome is Outcome.EMPTY
            if not command.read_only and any(
                map(self.processes.registered, range(self.trial.brokers))
            ):
                sentence = "lookup of {} at {}: empty, with brokers registered"
                self.run.require("OWN-37", not empty, self.at_command(sentence, bundle, broker))
        named = self.trial.bundles[bundle]
        if named.sort is not Sort.PLAIN and reply.outcome is Outcome.REDIRECT:
            right = named.broker % self.trial.brokers
            there = self.processes.registered(right) or named.sort is Sort.HEARTBEAT
            sentence = "lookup at {} of a bundle named after {}: to {}"
            holds = reply.broker == right or not there
            self.run.require(
                "OWN-31", holds, self.at_command(sentence, broker, right, reply.broker), "redirect"
            )

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
            self.run.require("OWN-23", held, self.at_command(sentence, *at, holder), "owner")
            if reply.broker == broker:
                unloading = seen.standings[broker][bundle] is UNLOADING
                sentence = "lookup of {} at {}: owner {}, which is unloading"
                self.run.require("OWN-27", not unloading, self.at_command(sentence, *at))
        elif reply.outcome is Outcome.REDIRECT and reply.broker is not None:
            registered = any(reply.broker in then.there for then in recent)
            sentence = "lookup of {} at {}: redirect to {}, which is not registered"
            self.run.require("OWN-23", registered, self.at_command(sentence, *at), "redirect")
            leaves = authoritative and self.processes.stopping[broker]
            if self.trial.bundles[bundle].sort is Sort.PLAIN and not leaves:
                leader = None if authoritative else self.processes.led_by(broker)
                to_leader = not reply.authoritative and reply.broker == leader
                right = reply.authoritative if leader is None else to_leader
                sentence = "{}, led by {}, redirects to {}"
                self.run.require(
                    "OWN-36", right, self.at_command(sentence, broker, leader, reply), "redirect"
                )
                if leader is None and not authoritative:
                    picked(self, broker, bundle, reply.broker)
        elif reply.outcome is Outcome.UNLOADING:
            self.run.require("OWN-27", True)

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
                self.run.require(
                    "OWN-21", len(serving) == 1, self.at_command(sentence, bundle, serving)
                )
                holds = all(broker == holder for broker in serving)
                sentence = "bundle {} is served by {}, where {} holds the node"
                self.run.require(
                    "OWN-22", holds, self.at_command(sentence, bundle, serving, holder)
                )
            named = self.trial.bundles[bundle]
            if named.sort is Sort.HEARTBEAT and holder is not None:
                right = named.broker % self.trial.brokers
                sentence = "{} holds the heartbeat bundle of {}"
                self.run.require(
                    "OWN-31", holder == right, self.at_command(sentence, holder, right), "holder"
                )
            for broker in serving:
                if self.processes.stopping[broker]:
                    before = self.standings[broker][bundle] is SERVING
                    self.run.require(
                        "OWN-32",
                        before,
                        self.at_command("{} is stopping, and takes {}", broker, bundle),
                    )
        if self.processes.any_stopping:
            self.run.require("OWN-32", True)

    def readers(self, seen: LocksStep) -> None:
        """Who was only asked read-only takes nothing."""
        for broker, bundle in self.reading - self.taking:
            takes = seen.standings[broker][bundle] is not NONE or seen.holders[bundle] == broker
            self.run.require(
                "OWN-29", not takes, self.at_command("{} takes {}, asked read-only", broker, bundle)
            )

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
                self.run.require("OWN-34", legal, self.at_command("{}", what), what[-30:])
                if old is SERVING and new is NONE and not isinstance(command, do.Crash):
                    self.bereft.add((broker, bundle))
                if old is SERVING:
                    ends = isinstance(command, do.Unload | do.Stop | do.Crash | do.Expire)
                    kind = type(command).__name__
                    self.run.require(
                        "OWN-38",
                        ends and by == broker,
                        self.at_command("{}: {}", command, what),
                        kind,
                    )
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
            picked(self, broker, bundle, broker)
        elif leader is not None:
            sentence = "{}, led by {}, takes {}, and no authoritative lookup asked for it"
            self.run.require(
                "OWN-36", allowed, self.at_command(sentence, broker, leader, bundle), "takes"
            )

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
                self.run.require(
                    "OWN-28", own, self.at_command(sentence, command, bundle, holder, now)
                )

    # ------------------------------------------------------------------------------- at rest

    def rest(self, seen: LocksStep) -> None:
        for command in self.open.values():
            clause = "OWN-26" if isinstance(command, do.Lookup) else "OWN-25"
            self.run.require(clause, False, self.at_command("{} has not ended", command), "open")
        self.open.clear()
        stuck = any(UNLOADING in all_of for all_of in seen.standings)
        if stuck or self.unloaded:
            self.run.require(
                "OWN-25",
                not stuck,
                self.at_command("a bundle is still being unloaded"),
                "unloading",
            )
        if self.asked:
            self.run.require("OWN-26", True)
        who_left(self, seen)

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
        self.run.require("OWN-24", served, self.at_command(sentence, *values), "not served")
        self.run.require("OWN-24", few, self.at_command(sentence, *values), "too many lookups")

    def agree(self, command: do.Views, seen: LocksStep) -> None:
        """All brokers answer the same."""
        if self.processes.any_stopping or not seen.asked:
            return
        views_name_the_owner(self, command.bundle % len(self.trial.bundles), seen)
        views = {(reply.outcome.value, reply.broker) for reply in seen.asked}
        right = len(seen.asked) == sum(self.processes.running) and len(views) == 1
        sentence = "read-only lookups are answered {}"
        self.run.require(
            "OWN-30", right, self.at_command(sentence, [] if right else sorted(views, key=str))
        )


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
def judge_locks(run: MonitorRun, case: LocksCase) -> None:
    trial, observed = case.trial, case.observation
    require_results(run, case, "OWN-33")
    world = LocksMonitor(run, trial)
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        run.require("OWN-21", False, world.at_command("the subject {}", in_full(observed)), "shape")
        return
    for place, (command, seen) in enumerate(zip(trial.commands, observed.results, strict=True)):
        world.place = place
        if not isinstance(seen, LocksStep) or not fits(trial, seen):
            run.require("OWN-21", False, world.at_command("{}: {}", command, seen), "shape")
            return
        world.step(command, seen)
