"""What commands must have brought about with locks (OWN-46, OWN-48, OWN-50)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenkeel.properties.ownership.locks import commands as do
from evenkeel.properties.ownership.locks.commands import LocksCommand
from evenkeel.properties.ownership.locks.trial import LocksStep, Reply
from evenkeel.reference.ownership.locks.state import BundleState, Outcome

if TYPE_CHECKING:
    from evenkeel.properties.ownership.locks.judge import LocksMonitor


def unloaded(world: LocksMonitor, command: do.Unload, reply: Reply, seen: LocksStep) -> None:
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
    world.note("OWN-50", left, "", sentence, bundle, broker, standing.value, holder)
    released = any(then.holders[bundle] != broker for then in world.past.since(reply.number))
    sentence = "unload of {} at {} is done, and {} held the node all the time"
    world.note("OWN-50", released, "node", sentence, bundle, broker, broker)


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
        world.note("OWN-46", not kept, "", "{} has left, and keeps {}", broker, kept)


def views_name_the_owner(world: LocksMonitor, bundle: int, seen: LocksStep) -> None:
    """Whom everybody names holds the node; nobody is named where nobody does."""
    holder = seen.holders[bundle]
    for reply in seen.asked:
        named = reply.broker if reply.outcome is Outcome.OWNER else None
        known = named == holder and reply.outcome in (Outcome.OWNER, Outcome.EMPTY)
        sentence = "{} answers {} {} for {}, where {} holds the node"
        values = reply.number, reply.outcome.value, reply.broker, bundle, holder
        world.note("OWN-48", known, "", sentence, *values)
