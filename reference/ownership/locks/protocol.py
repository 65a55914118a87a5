"""The lock protocol of the modular load manager, step by step (OWN-21 to OWN-38).

Every function is one step of one broker, its session or the store. All steps are commands.
"""

from __future__ import annotations

from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.locks import lookup, owning, store
from evenkeel.reference.ownership.locks.state import (
    Broker,
    BundleState,
    Change,
    Ended,
    Fault,
    LockState,
    Operation,
    Outcome,
    Request,
    SessionEvent,
    Stage,
    Verb,
    World,
    session_lives,
)
from evenkeel_engine.frame.clauses import states

MOST_STEPS: Final = 1000
MOST_HOPS: Final = 8

ASKED: Final = -1
"""The number of lookups that `find` and `views` make themselves."""


# ------------------------------------------------------------------------------- the store


@states("OWN-33")
def answer(world: World, broker: Broker, bundle: int, edition: Edition) -> None:
    """The store carries out a broker's oldest operation on a bundle, and answers the broker.

    Without a session it fails.
    """
    operation = next_operation(broker, bundle)
    if operation is not None:
        result = store.carry_out(world, broker, operation, edition)
        hand_over(world, broker, operation, result, edition)


def fail(world: World, broker: Broker, bundle: int, done: bool, edition: Edition) -> None:
    """A broker's oldest operation on a bundle fails; `done`: though the store carried it out."""
    operation = next_operation(broker, bundle)
    if operation is not None:
        if done:
            store.carry_out(world, broker, operation, edition)
        hand_over(world, broker, operation, Fault.NO_CONNECTION, edition)


def next_operation(broker: Broker, bundle: int) -> Operation | None:
    """The oldest operation of a broker on a bundle, taken from its queue."""
    waiting = broker.operations.get(bundle)
    return waiting.popleft() if waiting else None


def hand_over(
    world: World, broker: Broker, operation: Operation, result: store.Answer, edition: Edition
) -> None:
    """Give a broker the store's answer. Its own changes reach its cache with it."""
    if not isinstance(result, Fault):
        if operation.verb is Verb.CREATE:
            lookup.refresh(broker, operation.bundle)
        elif operation.verb is Verb.DELETE:
            broker.cache.pop(operation.bundle, None)
    if operation.stage is Stage.CACHE:
        lookup.end_read(world, broker, operation, result, edition)
    else:
        owning.end_operation(world, broker, operation, result, edition)


@states("OWN-33")
def notify(broker: Broker, bundle: int) -> None:
    """Notify a broker of the oldest change of a bundle's node. A lock it holds is re-validated."""
    waiting = broker.notifications.get(bundle)
    if not waiting:
        return
    if waiting.popleft() is Change.CREATED:
        lookup.refresh(broker, bundle)
        return
    broker.cache.pop(bundle, None)
    lock = broker.locks.get(bundle)
    if lock is not None:
        owning.revalidate(broker, lock)


def retry(broker: Broker) -> None:
    """The oldest re-validation that is to be tried again is due."""
    if broker.retries:
        owning.revalidate(broker, broker.retries.popleft())


def close(world: World, broker: Broker, bundle: int, in_time: bool, edition: Edition) -> None:
    """The closing of a bundle's topics has ended, or it takes too long: the unload continues."""
    owning.topics_closed(world, broker, bundle, edition)


# --------------------------------------------------------------------- sessions and processes


@states("OWN-21", "OWN-22", "OWN-28")
def expire(world: World, broker: Broker, edition: Edition) -> None:
    """A broker's session ends: that of a crashed process first, if one lingers.

    A broker measures this time itself and stops serving, or, by edition, does not.
    """
    old = [entry for entry in world.lingering if entry[0] == broker.number]
    if old:
        world.lingering.remove(old[0])
        store.remove_nodes(world, old[0][1])
    elif not broker.expired:
        store.end_session(world, broker)
        if not edition.locks_outlive_session:
            lose_all(world, broker, edition)


@states("OWN-21", "OWN-22", "OWN-65")
def lose_all(world: World, broker: Broker, edition: Edition) -> None:
    """All locks of a broker are lost."""
    for lock in list(broker.locks.values()):
        lock.state = LockState.RELEASED
        owning.expire(world, broker, lock, edition)


def reconnect(world: World, broker: Broker) -> None:
    """A broker is connected again, with a new session if the old one has ended."""
    if not broker.running or session_lives(world, broker):
        return
    event = SessionEvent.REESTABLISHED if broker.expired else SessionEvent.RECONNECTED
    if broker.expired:
        store.open_session(world, broker)
    broker.connected = True
    broker.cache.clear()
    owning.session_event(broker, event)


def crash(world: World, broker: Broker) -> None:
    """The process ends; its session stays until it expires."""
    if broker.running:
        world.brokers[broker.number] = Broker(
            broker.number,
            broker.session,
            running=False,
            stopping=broker.stopping,
            expired=broker.expired,
        )


def restart(world: World, broker: Broker) -> None:
    """A new process starts, with a session of its own."""
    if broker.running:
        return
    if not broker.expired:
        world.lingering.append((broker.number, broker.session))
    started = world.brokers[broker.number] = Broker(broker.number, broker.session)
    store.open_session(world, started)


@states("OWN-32", "OWN-38", "OWN-46")
def stop(world: World, broker: Broker) -> None:
    """A broker begins to stop: it is no longer registered, and unloads what it serves."""
    if broker.running:
        broker.stopping = True
        for bundle in sorted(broker.owned):
            owning.unload(world, broker, bundle, None)


# ---------------------------------------------------------------------------- fair schedules


@states("OWN-25", "OWN-26")
def settle(world: World, edition: Edition) -> None:
    """Everything that can happen on its own does: sessions of dead processes end, the others are
    connected, they agree on a leader, and all that waits is carried out.
    """
    for broker in world.brokers:
        while any(number == broker.number for number, _ in world.lingering):
            expire(world, broker, edition)
        if broker.running:
            reconnect(world, broker)
        else:
            expire(world, broker, edition)
    leader = next((b.number for b in world.brokers if b.running and not b.stopping), None)
    for broker in world.brokers:
        broker.leader = leader
    drain(world, edition)


def drain(world: World, edition: Edition) -> None:
    """Carry out what waits, in turns, until nothing does."""
    for _ in range(MOST_STEPS):
        if not turn(world, edition):
            return


def turn(world: World, edition: Edition) -> bool:
    """One turn of every queue. False: all are empty."""
    busy = False
    for broker in world.brokers:
        for bundle in range(len(world.bundles)):
            busy |= turn_of(world, broker, bundle, edition)
        if broker.retries:
            retry(broker)
            busy = True
    return busy


def turn_of(world: World, broker: Broker, bundle: int, edition: Edition) -> bool:
    """One turn of a bundle's queues at a broker, of those that are not empty at first."""
    asked = bool(broker.operations.get(bundle))
    notified = bool(broker.notifications.get(bundle))
    closing = bool(broker.closing.get(bundle))
    if asked:
        answer(world, broker, bundle, edition)
    if notified:
        notify(broker, bundle)
    if closing:
        owning.topics_closed(world, broker, bundle, edition)
    return asked or notified or closing


# -------------------------------------------------------------------------------- clients


def ask(world: World, broker: Broker, request: Request, edition: Edition) -> Ended | None:
    """A lookup of a client, with everything carried out that it waits for: how it ended."""
    lookup.look_up(world, broker, ASKED, request, edition)
    drain(world, edition)
    ended = [entry for entry in world.ended if entry.number == ASKED]
    world.ended = [entry for entry in world.ended if entry.number != ASKED]
    return ended[0] if ended else None


@states("OWN-24", "OWN-66")
def find(
    world: World, start: int, bundle: int, preferred: int, edition: Edition
) -> list[tuple[int, Ended]]:
    """After everything has settled, a client follows lookups until it finds a bundle's server.

    It takes a redirect's flag along, and asks the owner it was given again if that does not serve.
    """
    settle(world, edition)
    hops: list[tuple[int, Ended]] = []
    at, authoritative = start, False
    while len(hops) < MOST_HOPS and world.brokers[at].running:
        request = Request(bundle, authoritative, False, preferred)
        ended = ask(world, world.brokers[at], request, edition)
        if ended is None:
            break
        hops.append((at, ended))
        if ended.broker is None:
            break
        if ended.outcome is Outcome.OWNER and serves(world, ended.broker, bundle):
            break
        at, authoritative = ended.broker, ended.authoritative
    return hops


@states("OWN-24")
def serves(world: World, number: int, bundle: int) -> bool:
    """A client that connects to this broker is served."""
    return world.brokers[number].standing(bundle) is BundleState.SERVING


@states("OWN-30", "OWN-48")
def views(world: World, bundle: int, edition: Edition) -> list[tuple[int, Ended]]:
    """After everything has settled, what each running broker answers a read-only lookup."""
    settle(world, edition)
    seen: list[tuple[int, Ended]] = []
    for number in range(len(world.brokers)):
        if world.brokers[number].running:
            request = Request(bundle, False, True, 0)
            ended = ask(world, world.brokers[number], request, edition)
            if ended is not None:
                seen.append((number, ended))
    return seen
