"""A broker's own bundles: acquiring, re-validating, losing and releasing their locks.

OWN-21, OWN-22, OWN-25, OWN-27, OWN-32. Each function is what a broker does at once; what waits for
the store continues in `end_operation`.
"""

from __future__ import annotations

from collections import deque

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.locks import store
from evenkeel.reference.ownership.locks.state import (
    NEW,
    Broker,
    BundleState,
    Ended,
    Fault,
    Lock,
    LockState,
    Node,
    Operation,
    Outcome,
    Owned,
    Search,
    SessionEvent,
    Stage,
    Unload,
    Verb,
    World,
)
from evenkeel_engine.frame.clauses import states

LIVE = (LockState.INIT, LockState.VALID)


@states("OWN-26")
def finish(
    world: World,
    broker: Broker,
    finding: Search,
    outcome: Outcome,
    target: int | None = None,
    authoritative: bool = False,
) -> None:
    """A search has ended: so have all its lookups."""
    if broker.finding.get(finding.key) is finding:
        del broker.finding[finding.key]
    world.ended += [Ended(n, outcome, target, authoritative) for n in finding.lookups]


@states("OWN-25", "OWN-50")
def finish_unload(world: World, unload: Unload, outcome: Outcome) -> None:
    """An unload has ended."""
    if unload.number is not None:
        world.ended.append(Ended(unload.number, outcome))


# ------------------------------------------------------------------------------- acquiring


@states("OWN-33")
def lost(broker: Broker, edition: Edition) -> bool:
    """Whether a broker has lost its session and, by edition, takes nothing without a new one."""
    return broker.expired and edition.locks_need_session


@states("OWN-27", "OWN-32", "OWN-34")
def acquire(world: World, broker: Broker, finding: Search, edition: Edition) -> None:
    """This broker is to own the bundle that is searched for."""
    if lost(broker, edition) or (broker.stopping and not edition.locks_taken_while_stopping):
        finish(world, broker, finding, Outcome.FAILED)
    else:
        wait_for_turn(world, broker, finding.request.bundle, finding, edition)


@states("OWN-27")
def take(world: World, broker: Broker, finding: Search) -> bool:
    """Create the bundle's node or wait for that, unless the bundle is in the list already. Whether
    the search waits.
    """
    bundle = finding.request.bundle
    owned = broker.owned.get(bundle)
    if owned is None:
        owned = broker.owned[bundle] = Owned(Lock(bundle))
        owned.waiting.append(finding)
        store.submit(
            broker, Operation(Verb.CREATE, Stage.ACQUIRE, bundle, owned=owned, lock=owned.lock)
        )
    elif owned.standing is BundleState.ACQUIRING:
        owned.waiting.append(finding)
    elif owned.standing is BundleState.UNLOADING:
        finish(world, broker, finding, Outcome.UNLOADING)
        return False
    else:
        finish(world, broker, finding, Outcome.OWNER, broker.number)
        return False
    return True


@states("OWN-33")
def wait_for_turn(
    world: World, broker: Broker, bundle: int, requested: Search | Unload, edition: Edition
) -> None:
    """An acquisition or a release of a bundle begins at once or, by edition, when all before it
    have ended.
    """
    if not edition.locks_taken_in_turn:
        begin(world, broker, requested, edition)
        return
    turns = broker.turns.setdefault(bundle, deque())
    turns.append(requested)
    if len(turns) == 1:
        begin(world, broker, requested, edition)


@states("OWN-33")
def begin(world: World, broker: Broker, requested: Search | Unload, edition: Edition) -> None:
    """Acquire or release, unless the session was lost meanwhile."""
    if isinstance(requested, Unload):
        give_back(world, broker, requested, edition)
    elif lost(broker, edition):
        finish(world, broker, requested, Outcome.FAILED)
        end_turn(world, broker, requested.request.bundle, edition)
    elif not take(world, broker, requested):
        end_turn(world, broker, requested.request.bundle, edition)


@states("OWN-33")
def end_turn(world: World, broker: Broker, bundle: int, edition: Edition) -> None:
    """An acquisition or a release has ended: the next one begins."""
    if edition.locks_taken_in_turn:
        broker.turns[bundle].popleft()
        if broker.turns[bundle]:
            begin(world, broker, broker.turns[bundle][0], edition)


@states("OWN-32", "OWN-34")
def hold_lock(world: World, broker: Broker, owned: Owned, edition: Edition) -> None:
    """The lock is held: the broker serves the bundle, unless it is stopping meanwhile."""
    bundle = owned.lock.bundle
    broker.locks[bundle] = broker.acquired[bundle] = owned.lock
    owned.standing = BundleState.SERVING
    late = broker.stopping and not edition.locks_taken_while_stopping
    if late:
        begin_unload(broker, owned, None)
    for finding in owned.waiting:
        if late:
            finish(world, broker, finding, Outcome.FAILED)
        else:
            finish(world, broker, finding, Outcome.OWNER, broker.number)
    end_turn(world, broker, bundle, edition)


@states("OWN-34")
def not_acquired(world: World, broker: Broker, owned: Owned, edition: Edition) -> None:
    """The acquisition failed: nothing of it stays."""
    if broker.owned.get(owned.lock.bundle) is owned:
        del broker.owned[owned.lock.bundle]
    for finding in owned.waiting:
        finish(world, broker, finding, Outcome.FAILED)
    end_turn(world, broker, owned.lock.bundle, edition)


# ---------------------------------------------------------------------------- re-validating


@states("OWN-22")
def revalidate(broker: Broker, lock: Lock, awaited: bool = False) -> bool:
    """Look whether a lock that is held still is; one look at a time. False: not needed."""
    if lock.state is not LockState.VALID:
        return False
    lock.validations.append(awaited)
    if len(lock.validations) == 1:
        look(broker, lock, None)
    return True


def look(broker: Broker, lock: Lock, owned: Owned | None) -> None:
    """Read the node of a lock; `owned` if it is being acquired."""
    store.submit(broker, Operation(Verb.READ, Stage.LOOK, lock.bundle, owned=owned, lock=lock))


@states("OWN-22")
def inspect_node(
    world: World, broker: Broker, operation: Operation, node: Node | None, edition: Edition
) -> None:
    """What a lock's node turns out to be: none, another's, its own, or its own of old.

    Where there is none it is created again; an old one of this broker is deleted first.
    """
    lock, owned = operation.lock, operation.owned
    assert lock is not None
    if lock.state not in LIVE and not edition.locks_revive:
        settle_validation(world, broker, lock, edition)
    elif node is None:
        make_again(broker, lock, owned)
    elif node.holder != broker.number:
        end_validation(world, broker, lock, owned, Fault.BAD_VERSION, edition)
    elif node.session == broker.session:
        lock.version = node.version
        if not edition.locks_adopted_are_blind:
            lock.state = LockState.VALID
        end_validation(world, broker, lock, owned, None, edition)
    else:
        store.submit(
            broker,
            Operation(Verb.DELETE, Stage.CLEAR, lock.bundle, node.version, owned=owned, lock=lock),
        )


@states("OWN-22")
def make_again(broker: Broker, lock: Lock, owned: Owned | None) -> None:
    """Make the node of a lock that has none."""
    lock.version = NEW
    store.submit(broker, Operation(Verb.CREATE, Stage.AGAIN, lock.bundle, owned=owned, lock=lock))


def end_validation(
    world: World,
    broker: Broker,
    lock: Lock,
    owned: Owned | None,
    fault: Fault | None,
    edition: Edition,
) -> None:
    """A re-validation has ended; `owned` if it was part of an acquisition."""
    if owned is not None:
        if fault is None:
            hold_lock(world, broker, owned, edition)
        else:
            not_acquired(world, broker, owned, edition)
        return
    judge(world, broker, lock, fault, edition)
    settle_validation(world, broker, lock, edition)


@states("OWN-21", "OWN-22")
def judge(world: World, broker: Broker, lock: Lock, fault: Fault | None, edition: Edition) -> None:
    """A node that another holds means that the lock is lost; any other fault means to try again."""
    if fault is Fault.BAD_VERSION:
        lock.state = LockState.RELEASED
        expire(world, broker, lock, edition)
    elif fault is not None:
        lock.flagged = True
        broker.retries.append(lock)


def settle_validation(world: World, broker: Broker, lock: Lock, edition: Edition) -> None:
    """Count a re-validation off, and begin the next ones of this lock."""
    awaited = lock.validations.popleft()
    while lock.validations and lock.state not in LIVE:
        judge(world, broker, lock, Fault.NO_CONNECTION, edition)
        awaited_too = lock.validations.popleft()
        if awaited_too:
            event_served(broker)
    if lock.validations:
        look(broker, lock, None)
    if awaited:
        event_served(broker)


# --------------------------------------------------------------------------- session events


def session_event(broker: Broker, event: SessionEvent) -> None:
    """A session event, dealt with when those before are done with."""
    broker.events.append(event)
    if len(broker.events) == 1:
        deal_with_events(broker)


def deal_with_events(broker: Broker) -> None:
    """A new session: all locks are re-validated. The old one again: those that could not be."""
    while broker.events and not broker.awaited:
        again = broker.events[0] is SessionEvent.RECONNECTED
        locks = [lock for lock in broker.locks.values() if lock.flagged or not again]
        for lock in locks:
            if again:
                lock.flagged = False
            broker.awaited += revalidate(broker, lock, awaited=True)
        if not broker.awaited:
            broker.events.popleft()


def event_served(broker: Broker) -> None:
    """One of the re-validations that the present session event waits for has ended."""
    broker.awaited -= 1
    if not broker.awaited:
        broker.events.popleft()
        deal_with_events(broker)


# ---------------------------------------------------------------------- losing and releasing


@states("OWN-21", "OWN-22", "OWN-34", "OWN-38")
def expire(world: World, broker: Broker, lock: Lock, edition: Edition) -> None:
    """A lock is lost or released: its bundle is unloaded and forgotten, once."""
    if lock.expired:
        return
    lock.expired = True
    owned = broker.owned.get(lock.bundle)
    if owned is not None and (edition.locks_go_by_bundle or owned.lock is lock):
        if owned.standing is BundleState.SERVING:
            begin_unload(broker, owned, None)
        del broker.owned[lock.bundle]
    if broker.locks.get(lock.bundle) is lock:
        del broker.locks[lock.bundle]


@states("OWN-35")
def unload(world: World, broker: Broker, bundle: int, number: int | None) -> None:
    """Unload a bundle; refused unless this broker serves it."""
    owned = broker.owned.get(bundle)
    if owned is not None and owned.standing is BundleState.SERVING:
        begin_unload(broker, owned, number)
    elif number is not None:
        world.ended.append(Ended(number, Outcome.REFUSED))


@states("OWN-34")
def begin_unload(broker: Broker, owned: Owned, number: int | None) -> None:
    """Serve the bundle no more, and close its topics."""
    owned.standing = BundleState.UNLOADING
    broker.closing.setdefault(owned.lock.bundle, deque()).append(Unload(owned, number))


@states("OWN-25")
def topics_closed(world: World, broker: Broker, bundle: int, edition: Edition) -> None:
    """The topics of the oldest unload of a bundle are closed, failed to close, or time is up."""
    closing = broker.closing.get(bundle)
    if not closing:
        return
    wait_for_turn(world, broker, bundle, closing.popleft(), edition)


@states("OWN-25")
def give_back(world: World, broker: Broker, ended: Unload, edition: Edition) -> None:
    """Release the lock of an unload, unless it is lost."""
    lock: Lock | None = ended.owned.lock
    bundle = ended.owned.lock.bundle
    if edition.locks_go_by_bundle:
        lock = broker.acquired.pop(bundle, None)
    elif broker.acquired.get(bundle) is lock:
        del broker.acquired[bundle]
    if lock is None or lock.state is LockState.RELEASED:
        finish_unload(world, ended, Outcome.DONE)
        end_turn(world, broker, bundle, edition)
    else:
        release(broker, lock, ended)


@states("OWN-25", "OWN-28")
def release(broker: Broker, lock: Lock, ended: Unload) -> None:
    """Give a lock back: delete its node."""
    lock.state = LockState.RELEASING
    if lock in broker.retries:
        last = len(broker.retries) - 1 - list(reversed(broker.retries)).index(lock)
        del broker.retries[last]
    store.submit(
        broker,
        Operation(Verb.DELETE, Stage.RELEASE, lock.bundle, lock.version, lock=lock, unload=ended),
    )


@states("OWN-25")
def end_release(
    world: World, broker: Broker, operation: Operation, fault: Fault | None, edition: Edition
) -> None:
    """The store has answered a release: a fault but "not found" is tried again, or sticks."""
    lock, ended = operation.lock, operation.unload
    assert lock is not None
    assert ended is not None
    removed = fault in (None, Fault.NOT_FOUND)
    if removed or (fault is Fault.BAD_VERSION and not edition.locks_failed_release_sticks):
        lock.state = LockState.RELEASED
        expire(world, broker, lock, edition)
        finish_unload(world, ended, Outcome.DONE)
        end_turn(world, broker, lock.bundle, edition)
    elif edition.locks_failed_release_sticks:
        finish_unload(world, ended, Outcome.FAILED)
        end_turn(world, broker, lock.bundle, edition)
    else:
        release(broker, lock, ended)


# ------------------------------------------------------------------------------- answers


@states("OWN-33")
def end_operation(
    world: World, broker: Broker, operation: Operation, answer: store.Answer, edition: Edition
) -> None:
    """The store has answered an operation about a lock."""
    lock, owned = operation.lock, operation.owned
    assert lock is not None
    fault = answer if isinstance(answer, Fault) else None
    node = answer if isinstance(answer, Node) else None
    if operation.stage is Stage.RELEASE:
        end_release(world, broker, operation, fault, edition)
    elif operation.stage is Stage.ACQUIRE and fault is Fault.BAD_VERSION:
        look(broker, lock, owned)
    elif fault is not None:
        end_validation(world, broker, lock, owned, fault, edition)
    elif operation.stage is Stage.LOOK:
        inspect_node(world, broker, operation, node, edition)
    elif operation.stage is Stage.CLEAR:
        make_again(broker, lock, owned)
    else:
        assert node is not None
        lock.state, lock.version = LockState.VALID, node.version
        end_validation(world, broker, lock, owned, None, edition)
