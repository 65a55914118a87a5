"""Judge the lock protocol step by step: OWN-21 to OWN-38, and the clauses about effects.

Nothing here runs the protocol: the observation after each command is compared with what a right
subject can observe. Sessions and processes are followed by the commands alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

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
from evenkeel_engine.kit.approx import Ternary
from evenkeel_engine.kit.clause import Case, in_full
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import monitor, require_results
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.run import MonitorRun, Sentence


class Processes:
    """Which brokers run, are stopping, reach the store and have a live session, and which leader
    they know.

    `healthy`: brokers that run and reach the store; `available`: those that can be assigned
    bundles; `decided`: those that lead or know a registered leader.
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
        """Update `healthy`, `available` and `decided`."""
        everyone = range(len(self.running))
        self.healthy = frozenset(filter(self.is_well, everyone))
        self.available = frozenset(filter(self.is_registered, everyone))
        leads = (b for b in everyone if self.leader[b] == b)
        self.decided = frozenset((*leads, *(b for b in everyone if self.led_by(b) is not None)))

    def command(self, command: LocksCommand) -> None:
        if isinstance(command, OfBundle) and not isinstance(command, do.Find):
            return  # most commands do not change processes
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

    def is_registered(self, broker: int) -> bool:
        """Whether bundles can be assigned to it."""
        return self.session[broker] and not self.stopping[broker]

    def led_by(self, broker: int) -> int | None:
        """The registered other broker that this one knows as the leader."""
        leader = self.leader[broker]
        other = leader is not None and leader != broker and self.is_registered(leader)
        return leader if other else None

    def is_well(self, broker: int) -> bool:
        """Whether it runs, is not stopping, and reaches the store."""
        return self.running[broker] and self.connected[broker] and self.is_registered(broker)

    @property
    def any_stopping(self) -> bool:
        """Whether a running broker is stopping."""
        return any(r and s for r, s in zip(self.running, self.stopping, strict=True))


SERVING, UNLOADING = BundleState.SERVING, BundleState.UNLOADING


@dataclass(frozen=True, slots=True)
class State:
    """The state after a command. `healthy`: the brokers without a fault that may make something
    fail; `available`: those that bundles can be assigned to; `decided`: those that led or knew a
    registered leader; `leaders`: whom each knew as the leader, registered or not; `closed`: whether
    the command was not a failed closing of topics.
    """

    healthy: frozenset[int]
    available: frozenset[int]
    decided: frozenset[int]
    leaders: tuple[int | None, ...]
    closed: bool
    standings: tuple[tuple[BundleState, ...], ...]
    holders: tuple[int | None, ...]


class PastStates:
    """The states after each command, preceded by the state before the first."""

    def __init__(self, trial: LocksTrial) -> None:
        none = ((BundleState.NONE,) * len(trial.bundles),) * trial.brokers
        everyone = frozenset(range(trial.brokers))
        no_holder: tuple[int | None, ...] = (None,) * len(trial.bundles)
        leaders = tuple(Processes(trial.brokers, trial.leader).leader)
        self.steps = [State(everyone, everyone, everyone, leaders, True, none, no_holder)]

    def step(self, world: LocksMonitor, command: LocksCommand, seen: LocksStep) -> None:
        """Add the state after one more command."""
        processes = world.processes
        failing = command.broker % world.trial.brokers if isinstance(command, do.Fail) else None
        closed = not isinstance(command, do.Closed) or command.how is do.Closing.CLOSED
        self.steps.append(
            State(
                processes.healthy if failing is None else processes.healthy - {failing},
                processes.available,
                processes.decided,
                tuple(processes.leader),
                closed,
                seen.standings,
                seen.holders,
            )
        )

    def since(self, number: int) -> list[State]:
        """The states from just before a command until now."""
        return self.steps[number:]


def looked_up(world: LocksMonitor, command: do.Lookup, reply: Reply) -> None:
    """Check that a lookup fails only if something else did, and reports unloading only if that is
    so.

    It may fail if the holder of the node has changed, if the broker itself is acquiring or
    releasing the bundle, and if the broker knows no leader.
    """
    broker, bundle = world.key(command)
    past = world.past.since(reply.number)
    at = bundle, broker, reply.outcome.value
    if reply.outcome is Outcome.UNLOADING:
        unloading = any(then.standings[broker][bundle] is UNLOADING for then in past)
        sentence = "lookup of bundle {} at broker {}: {}, but it is not unloading it"
        world.require("OWN-52", unloading, sentence, *at, kind="unloading")
    elif world.trial.bundles[bundle].sort is Sort.PLAIN and calm(broker, bundle, past):
        failed = reply.outcome is Outcome.FAILED
        sentence = "lookup of bundle {} at broker {}: {}, and nothing failed; its node: broker {}"
        world.require("OWN-52", not failed, sentence, *at, past[-1].holders[bundle], kind="lookup")


def calm(broker: int, bundle: int, past: list[State]) -> bool:
    """Whether nothing happened meanwhile that may make a lookup at this broker fail."""
    holder = past[0].holders[bundle]
    if any(broker not in then.healthy or then.holders[bundle] != holder for then in past):
        return False
    own = [then.standings[broker][bundle] for then in past]
    if holder is None:
        decided = all(broker in then.decided for then in past)
        return decided and own[0] is BundleState.NONE and UNLOADING not in own
    stays = SERVING if holder == broker else BundleState.NONE
    return all(standing is stays for standing in own)


def check_unload(world: LocksMonitor, command: do.Unload, reply: Reply) -> None:
    """Check that an unload fails only if something else did."""
    broker, bundle = world.key(command)
    if all(broker in then.healthy and then.closed for then in world.past.since(reply.number)):
        failed = reply.outcome is Outcome.FAILED
        sentence = "unload of bundle {} at broker {}: failed, though nothing failed"
        world.require("OWN-52", not failed, sentence, bundle, broker, kind="unload")


def check_pick(world: LocksMonitor, broker: int, bundle: int, to: int) -> None:
    """Check that the deciding broker, the leader or one that knows none, assigned the bundle to the
    broker that the load manager picked.

    If the picked broker was not available all the time, another is allowed. The leader may keep to
    an earlier pick.
    """
    leads = world.processes.leader[broker] == broker
    picks = {
        place: lookup.preferred % world.trial.brokers
        for place, lookup in world.pending.items()
        if isinstance(lookup, do.Lookup)
        and world.key(lookup) == (broker, bundle)
        and not (lookup.read_only or lookup.authoritative)
    }
    if picks:
        there = frozenset.intersection(*(then.available for then in world.past.since(min(picks))))
        right = to in picks.values() or not there.issuperset(picks.values())
        right = right or (leads and (broker, bundle, to) in world.sent)
        sentence = "broker {}, which decides, assigns bundle {} to broker {}; picked was broker {}"
        values = broker, bundle, to, sorted({*picks.values()})
        world.require("OWN-69" if leads else "OWN-53", right, sentence, *values)


def require_unloaded(
    world: LocksMonitor, command: do.Unload, reply: Reply, seen: LocksStep
) -> None:
    """Check an unload that is reported as done, in the session in which it began: the broker has
    neither the bundle nor the node, unless it took the node again.
    """
    broker, bundle = world.key(command)
    since = world.trial.commands[reply.number : world.place + 1]
    if reply.outcome is not Outcome.DONE or any(lost(one, world, broker) for one in since):
        return
    standing, holder = seen.standings[broker][bundle], seen.holders[bundle]
    left = standing not in (BundleState.SERVING, BundleState.UNLOADING)
    sentence = "unload of bundle {} at broker {} is done: it reports {}; its node: broker {}"
    world.require("OWN-50", left, sentence, bundle, broker, standing.value, holder)
    released = any(then.holders[bundle] != broker for then in world.past.since(reply.number))
    sentence = "unload of bundle {} at broker {} is done, and it held the node all the time"
    world.require("OWN-50", released, sentence, bundle, broker, kind="node")


def lost(command: LocksCommand, world: LocksMonitor, broker: int) -> bool:
    """Whether a command ends the broker's session, or may make it serve again in a new one."""
    if isinstance(command, do.Expire | do.Crash | do.Restart):
        return command.broker % world.trial.brokers == broker
    return isinstance(command, do.Settle | do.Find | do.Views)


def who_left(world: LocksMonitor, seen: LocksStep) -> None:
    """Check that at rest no broker that is stopping or does not run has a bundle.

    A node whose creation was never reported to its creator stays until the session ends.
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
        world.require("OWN-46", not kept, "broker {} has left, and keeps bundles {}", broker, kept)


def views_name_the_owner(world: LocksMonitor, bundle: int, seen: LocksStep) -> None:
    """Check that the owner that all brokers name holds the node, and none is named if none does."""
    holder = seen.holders[bundle]
    for reply in seen.asked:
        named = reply.broker if reply.outcome is Outcome.OWNER else None
        known = named == holder and reply.outcome in (Outcome.OWNER, Outcome.EMPTY)
        sentence = "broker {} answers {} broker {} for bundle {}, where broker {} holds the node"
        values = reply.number, reply.outcome.value, reply.broker, bundle, holder
        world.require("OWN-48", known, sentence, *values)


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
    """The state as it follows from commands and observations.

    `open`: lookups and unloads that have not ended, `pending` those that had not before the last
    command's answers; `past`: the earlier states, `rested` the last one at rest; `lost_bundles`:
    which broker lost which bundle with its session, until it is connected and another gives it up;
    `served_on`: which broker serves which bundle since its session ended, without its node;
    `asked`: whether there was a lookup; `taking` and `reading`: which broker was asked for which
    bundle, to take it or read-only; `elected`: whether the last command changed the leader that
    some broker knows; `sent`: who was asked about which bundle, and to whom it sent the client.
    """

    def __init__(self, run: MonitorRun, trial: LocksTrial) -> None:
        self.trial = trial
        self.run = run
        self.processes = Processes(trial.brokers, trial.leader)
        self.place = 0
        self.open: dict[int, do.Lookup | do.Unload] = {}
        self.asked = self.unloaded = self.elected = False
        self.taking: set[tuple[int, int]] = set()
        self.reading: set[tuple[int, int]] = set()
        self.sent: set[tuple[int, int, int]] = set()
        self.standings = ((NONE,) * len(trial.bundles),) * trial.brokers
        self.holders: tuple[int | None, ...] = (None,) * len(trial.bundles)
        self.past = PastStates(trial)
        self.rested = 0
        self.lost_bundles: set[tuple[int, int]] = set()
        self.served_on: set[tuple[int, int]] = set()
        self.pending = dict(self.open)
        run.facts = self.facts

    def facts(self) -> Iterator[str]:
        """Who leads, which brokers can be assigned bundles, and the nodes before this command."""
        leaders = sorted({b for b in self.processes.leader if b is not None})
        registered = display(sorted(self.processes.available))
        yield f"led by brokers {display(leaders or None)}; registered: brokers {registered}"
        for bundle, holder in enumerate(self.holders):
            held = "no broker" if holder is None else f"broker {holder}"
            yield f"before it the node of bundle {bundle} is held by {held}"

    def at_command(self, template: str, *values: object) -> Sentence:
        """The template with these values as a sentence, with the number of the command."""
        whole = f"command {self.place + 1}: {template}"
        return lambda: whole.format(*map(display, values)).replace("broker none", "no broker")

    def require(
        self, clause: str, holds: Ternary, template: str, *values: object, kind: str = ""
    ) -> None:
        """Require it, with the template as the sentence."""
        self.run.require(clause, holds, self.at_command(template, *values), kind)

    def key(self, command: OfBundle) -> tuple[int, int]:
        """The broker and the bundle of a command."""
        return command.broker % self.trial.brokers, command.bundle % len(self.trial.bundles)

    def step(self, command: LocksCommand, seen: LocksStep) -> None:
        single = not isinstance(command, do.Settle | do.Find | do.Views)
        self.begin(command, seen)
        if isinstance(command, do.Expire):
            self.check_expiry(command.broker % self.trial.brokers, seen)
        leaders = list(self.processes.leader)
        self.processes.command(command)
        self.elected = leaders != self.processes.leader
        self.past.step(self, command, seen)
        self.pending = dict(self.open)
        for reply in seen.ended:
            self.check_end(reply, seen, single)
        if isinstance(command, do.Crash):
            self.forget(command.broker % self.trial.brokers)
        self.states(seen, self.cut_off(command, seen) if single else set())
        self.readers(seen)
        if single:
            self.changes(command, seen)
            self.nodes(command, seen)
        else:
            self.check_taken(seen)
            self.rest(seen)
        if isinstance(command, do.Find):
            self.found(command, seen)
        if isinstance(command, do.Views):
            self.agree(command, seen)
        self.lost_bundles = {one for one in self.lost_bundles if not self.given_up(*one, seen)}
        self.standings, self.holders = seen.standings, seen.holders
        if not single:
            self.rested = len(self.past.steps) - 1

    def given_up(self, broker: int, bundle: int, seen: LocksStep) -> bool:
        """Whether another broker has just given a bundle up while this one is connected."""
        holder = self.holders[bundle]
        other = holder not in (None, broker) and seen.holders[bundle] != holder
        return other and self.processes.connected[broker]

    def begin(self, command: LocksCommand, seen: LocksStep) -> None:
        """Record the request of a command."""
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
                declined = {Outcome.REFUSED}
                if not self.processes.running[broker]:
                    declined.add(Outcome.FAILED)
                refused = any(r.number == self.place and r.outcome in declined for r in seen.ended)
                serving = self.standings[broker][bundle] is SERVING
                word = "refused" if refused else "accepted"
                sentence = "unload of bundle {} at broker {}: {}, and before it serving={}"
                at = bundle, broker, word, serving
                self.require("OWN-35", refused != serving, sentence, *at, kind=word)

    def check_expiry(self, broker: int, seen: LocksStep) -> None:
        """Check that a session's nodes end with it, unless it may be that of a former process."""
        if broker in self.holders and not self.processes.lingering[broker]:
            kept = [bundle for bundle, holder in enumerate(seen.holders) if holder == broker]
            sentence = "the session of broker {} has ended, and it holds the nodes of bundles {}"
            self.require("OWN-22", not kept, sentence, broker, kept, kind="outlived")

    def forget(self, broker: int) -> None:
        """Forget the requests to a process that has ended."""
        size = self.trial.brokers
        self.open = {n: c for n, c in self.open.items() if c.broker % size != broker}

    # ------------------------------------------------------------------------------- replies

    def check_end(self, reply: Reply, seen: LocksStep, single: bool) -> None:
        command = self.open.pop(reply.number, None)
        if isinstance(command, do.Unload):
            require_unloaded(self, command, reply, seen)
            check_unload(self, command, reply)
        if not isinstance(command, do.Lookup):
            return
        broker, bundle = self.key(command)
        self.names(broker, bundle, reply, seen.holders[bundle], single)
        if single or self.is_undisturbed(broker, bundle):
            looked_up(self, command, reply)
            self.check_answer(broker, bundle, command.authoritative, reply, seen)
        if not command.read_only and self.some_able(bundle, single):
            empty = reply.outcome is Outcome.EMPTY
            sentence = "lookup of bundle {} at broker {}: empty, with brokers registered"
            self.require("OWN-37", not empty, sentence, bundle, broker)
        named = self.trial.bundles[bundle]
        if named.sort is not Sort.PLAIN and reply.outcome is Outcome.REDIRECT:
            right = self.named_after(bundle)
            there = self.processes.is_registered(right) or named.sort is Sort.HEARTBEAT
            sentence = "lookup at broker {} of a bundle named after broker {}: to broker {}"
            holds = reply.broker == right or not there
            self.require("OWN-31", holds, sentence, broker, right, reply.broker, kind="redirect")

    def is_undisturbed(self, broker: int, bundle: int) -> bool:
        """Whether nothing that is not observed can have happened to a bundle while all settled, but
        by this broker.
        """
        pending = self.pending.values()
        unloads = any(isinstance(c, do.Unload) and self.key(c)[1] == bundle for c in pending)
        others = any(about == bundle and by != broker for by, about in self.taking)
        before, after = (state.available for state in self.past.steps[-2:])
        elsewhere = unloads or others or self.processes.any_stopping
        return not (elsewhere or self.elected or before != after)

    def some_able(self, bundle: int, single: bool) -> bool:
        """Whether a broker that can have the bundle was registered when the last command's lookups
        ended: of a command that makes many steps, all the time. A heartbeat bundle has one.
        """
        before, after = (state.available for state in self.past.steps[-2:])
        there = after if single else before & after
        if self.trial.bundles[bundle].sort is Sort.HEARTBEAT:
            return self.named_after(bundle) in there
        return bool(there)

    def names(
        self, broker: int, bundle: int, reply: Reply, holder: int | None, single: bool
    ) -> None:
        """Check that a lookup's answer is true now, or was since all brokers were last up to date.

        Who holds a node for a moment while all settles is not observed: a broker that was asked to
        take the bundle may.
        """
        at, recent = (bundle, broker, reply.broker), self.past.since(self.rested)
        if reply.outcome is Outcome.OWNER:
            held = any(then.holders[bundle] == reply.broker for then in recent)
            asked = not single and (reply.broker, bundle) in self.taking
            sentence = "lookup of bundle {} at broker {}: owner broker {}; its node: broker {}"
            self.require("OWN-23", held or asked, sentence, *at, holder, kind="owner")
        elif reply.outcome is Outcome.REDIRECT and reply.broker is not None:
            right = any(
                reply.broker in then.available or reply.broker == then.leaders[broker]
                for then in recent
            )
            sentence = "lookup of bundle {} at broker {}: redirect to broker {}, not registered"
            self.require("OWN-23", right, sentence, *at, kind="redirect")

    def check_answer(
        self, broker: int, bundle: int, authoritative: bool, reply: Reply, seen: LocksStep
    ) -> None:
        """Check that a broker does not name itself while it is unloading, and who decides."""
        at = bundle, broker, reply.broker
        if reply.outcome is Outcome.OWNER and reply.broker == broker:
            unloading = seen.standings[broker][bundle] is UNLOADING
            sentence = "lookup of bundle {} at broker {}: owner broker {}, which is unloading"
            self.require("OWN-27", not unloading, sentence, *at)
        elif reply.outcome is Outcome.REDIRECT and reply.broker is not None:
            leaves = authoritative and self.processes.stopping[broker]
            if not (leaves or self.is_named(broker, bundle)):
                leader = None if authoritative else self.processes.led_by(broker)
                sentence = "broker {}, led by broker {}, redirects to {}"
                said = self.at_command(sentence, broker, leader, reply)
                if leader is not None:
                    self.run.require("OWN-36", reply.broker == leader, said, "redirect")
                self.run.require("OWN-55", reply.authoritative == (leader is None), said)
                if leader is None and not authoritative and reply.authoritative:
                    check_pick(self, broker, bundle, reply.broker)
                    self.sent.add((broker, bundle, reply.broker))
        elif reply.outcome is Outcome.UNLOADING:
            self.run.require("OWN-27", True)

    def named_after(self, bundle: int) -> int:
        """The broker that a bundle is named after."""
        return self.trial.bundles[bundle].broker % self.trial.brokers

    def is_named(self, broker: int, bundle: int) -> bool:
        """Whether a bundle goes to the broker that it is named after, or did since this broker was
        asked for it: that of a broker's monitoring topics while that one is registered.
        """
        named = self.trial.bundles[bundle]
        if named.sort is not Sort.MONITOR:
            return named.sort is Sort.HEARTBEAT
        right = self.named_after(bundle)
        asked = (
            place
            for place, one in self.pending.items()
            if isinstance(one, do.Lookup) and self.key(one) == (broker, bundle)
        )
        since = min(asked, default=self.rested)
        return any(right in then.available for then in self.past.since(since))

    # -------------------------------------------------------------------------------- states

    def cut_off(self, command: LocksCommand, seen: LocksStep) -> set[tuple[int, int]]:
        """Which brokers serve which bundles since their sessions ended, where none has the node."""
        since = set(self.served_on)
        if isinstance(command, do.Expire):
            broker = command.broker % self.trial.brokers
            if not self.processes.session[broker]:
                since |= {(broker, bundle) for bundle in range(len(self.trial.bundles))}
        return {
            (broker, bundle)
            for broker, bundle in since
            if self.standings[broker][bundle] is seen.standings[broker][bundle] is SERVING
            and seen.holders[bundle] is None
        }

    def states(self, seen: LocksStep, cut_off: set[tuple[int, int]]) -> None:
        """Check what holds of every state; an unchanged one is not checked again."""
        as_it_was = seen.standings == self.standings and seen.holders == self.holders
        as_it_was = as_it_was and cut_off == self.served_on
        self.served_on = cut_off
        if as_it_was and not any(self.processes.stopping):
            return
        for bundle, holder in enumerate(seen.holders):
            serving = [b for b, all_of in enumerate(seen.standings) if all_of[bundle] is SERVING]
            if serving:
                sentence = "bundle {} is served by brokers {}"
                self.require("OWN-21", len(serving) == 1, sentence, bundle, serving)
                without = {(broker, bundle) for broker in serving if broker != holder}
                sentence = "bundle {} is served by broker {}, where broker {} holds the node"
                why = self.at_command(sentence, bundle, serving, holder)
                self.run.require("OWN-22", without <= cut_off, why)
                self.run.require("OWN-65", not without & cut_off, why)
            if self.trial.bundles[bundle].sort is Sort.HEARTBEAT and holder is not None:
                right = self.named_after(bundle)
                sentence = "broker {} holds the heartbeat bundle of broker {}"
                self.require("OWN-31", holder == right, sentence, holder, right, kind="holder")
            for broker in serving:
                if self.processes.stopping[broker]:
                    before = self.standings[broker][bundle] is SERVING
                    sentence = "broker {} is stopping, and takes bundle {}"
                    self.require("OWN-32", before, sentence, broker, bundle)
        if self.processes.any_stopping:
            self.run.require("OWN-32", True)

    def readers(self, seen: LocksStep) -> None:
        """Check that brokers with read-only requests alone take nothing."""
        for broker, bundle in self.reading - self.taking:
            takes = seen.standings[broker][bundle] is not NONE or seen.holders[bundle] == broker
            sentence = "broker {} takes bundle {} after a read-only request"
            self.require("OWN-29", not takes, sentence, broker, bundle)

    def changes(self, command: LocksCommand, seen: LocksStep) -> None:
        """Check what one step changed at a broker."""
        if seen.standings == self.standings:
            return
        by = command.broker % self.trial.brokers if isinstance(command, OfBroker) else None
        for broker, row in enumerate(self.standings):
            for bundle, (old, new) in enumerate(zip(row, seen.standings[broker], strict=True)):
                if old is new:
                    continue
                change = f"{old.value} to {new.value}"
                what = f"bundle {bundle} at broker {broker}: {change}"
                legal = (old, new) in LEGAL
                if (old, new) == (ACQUIRING, UNLOADING):
                    legal = self.processes.stopping[broker]
                self.require("OWN-34", legal, "{}", what, kind=change)
                if old is SERVING and new is NONE and not isinstance(command, do.Crash):
                    self.lost_bundles.add((broker, bundle))
                if old is SERVING:
                    ends = isinstance(command, do.Unload | do.Stop | do.Crash | do.Expire)
                    right, kind = ends and by == broker, type(command).__name__
                    self.require("OWN-38", right, "{}: {}", command, what, kind=kind)
                if old is NONE and new is ACQUIRING:
                    self.begins(broker, bundle)

    def check_taken(self, seen: LocksStep) -> None:
        """Check the brokers that serve after all has settled, and had nothing of the bundle before,
        if nothing else can have happened to it.
        """
        for broker, row in enumerate(self.standings):
            for bundle, (old, new) in enumerate(zip(row, seen.standings[broker], strict=True)):
                if old is NONE and new is SERVING and self.is_undisturbed(broker, bundle):
                    self.begins(broker, bundle)

    def begins(self, broker: int, bundle: int) -> None:
        """Check a broker that begins to acquire a bundle: it is asked to, or decides alone."""
        if self.is_named(broker, bundle):
            return
        leader = self.processes.led_by(broker)
        authorized = any(
            isinstance(one, do.Lookup) and one.authoritative and self.key(one) == (broker, bundle)
            for one in self.pending.values()
        )
        had = (broker, bundle) in self.lost_bundles
        self.lost_bundles.discard((broker, bundle))
        allowed = had or authorized or self.holders[bundle] == broker
        if leader is None and not allowed:
            check_pick(self, broker, bundle, broker)
        elif leader is not None:
            sentence = "broker {}, led by broker {}, takes bundle {} by no authoritative lookup"
            self.require("OWN-36", allowed, sentence, broker, leader, bundle, kind="takes")

    def nodes(self, command: LocksCommand, seen: LocksStep) -> None:
        """Check what one step changed in the store."""
        if seen.holders == self.holders:
            return
        by = command.broker % self.trial.brokers if isinstance(command, OfBroker) else None
        acts = isinstance(command, do.Answer | do.Fail | do.Expire)
        for bundle, (holder, now) in enumerate(zip(self.holders, seen.holders, strict=True)):
            if holder is not None and now != holder:
                own = acts and by == holder and now is None
                sentence = "{}: the node of bundle {} was held by broker {}, and is by broker {}"
                self.require("OWN-28", own, sentence, command, bundle, holder, now)

    # ------------------------------------------------------------------------------- at rest

    def rest(self, seen: LocksStep) -> None:
        for command in self.open.values():
            clause = "OWN-26" if isinstance(command, do.Lookup) else "OWN-25"
            self.require(clause, False, "{} has not ended", command, kind="open")
        self.open.clear()
        stuck = any(UNLOADING in all_of for all_of in seen.standings)
        if stuck or self.unloaded:
            self.require("OWN-25", not stuck, "a bundle is still being unloaded", kind="unloading")
        if self.asked:
            self.run.require("OWN-26", True)
        who_left(self, seen)

    def found(self, command: do.Find, seen: LocksStep) -> None:
        """Check that a client finds the broker that serves."""
        broker, bundle = self.key(command)
        named = self.trial.bundles[bundle]
        right = self.named_after(bundle)
        possible = named.sort is not Sort.HEARTBEAT or self.processes.running[right]
        if not self.processes.running[broker] or self.processes.any_stopping or not possible:
            return
        serving = [b for b, all_of in enumerate(seen.standings) if all_of[bundle] is SERVING]
        ends = [one.broker for one in seen.asked[-1:] if one.outcome is Outcome.OWNER]
        served = bool(set(ends) & set(serving))
        said = [
            f"broker {r.number}: {r.outcome.value} broker {display(r.broker)}" for r in seen.asked
        ]
        sentence = "who seeks bundle {} from broker {} on asks {} times: {}; served by broker {}"
        values = bundle, broker, len(said), [*dict.fromkeys(said)], serving or None
        why = self.at_command(sentence, *values)
        self.run.require("OWN-24", served, why, "not served")
        if served:
            self.run.require("OWN-66", len(seen.asked) <= MOST_LOOKUPS, why)

    def agree(self, command: do.Views, seen: LocksStep) -> None:
        """Check that all brokers answer the same."""
        if self.processes.any_stopping or not seen.asked:
            return
        views_name_the_owner(self, command.bundle % len(self.trial.bundles), seen)
        views = {(reply.outcome.value, reply.broker) for reply in seen.asked}
        right = len(seen.asked) == sum(self.processes.running) and len(views) == 1
        sentence = "read-only lookups differ, by outcome and broker: {}"
        self.require("OWN-30", right, sentence, [] if right else sorted(views, key=str))


def fits(trial: LocksTrial, seen: LocksStep) -> bool:
    """Whether an observation has the trial's brokers and bundles."""
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
    *("OWN-46", "OWN-48", "OWN-50", "OWN-52", "OWN-53", "OWN-55", "OWN-65", "OWN-66", "OWN-69"),
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
