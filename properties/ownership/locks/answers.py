"""What lookups and unloads may be answered with where nothing went wrong (OWN-52, OWN-53)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evenkeel.properties.ownership.locks import commands as do
from evenkeel.properties.ownership.locks.commands import LocksCommand
from evenkeel.properties.ownership.locks.trial import LocksStep, LocksTrial, Reply
from evenkeel.reference.ownership.locks.state import BundleState, Outcome, Sort

if TYPE_CHECKING:
    from evenkeel.properties.ownership.locks.judge import LocksMonitor

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
        world.note("OWN-52", unloading, "unloading", sentence, *at)
    elif world.trial.bundles[bundle].sort is Sort.PLAIN and calm(broker, bundle, past):
        failed = reply.outcome is Outcome.FAILED
        sentence = "lookup of {} at {}: {}, though nothing failed; {} holds the node"
        world.note("OWN-52", not failed, "lookup", sentence, *at, past[-1].holders[bundle])


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
        world.note("OWN-52", not failed, "unload", sentence, bundle, broker)


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
        world.note("OWN-53", right, "", sentence, broker, bundle, to, sorted({*picks.values()}))
