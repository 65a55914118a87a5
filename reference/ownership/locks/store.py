"""The metadata store of the lock protocol: operations, notifications, sessions (OWN-22, OWN-28).

An operation is carried out and answered in one step. Its effect is seen by other brokers when
their notification is delivered.
"""

from __future__ import annotations

from collections import deque

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.locks.state import (
    NEW,
    Broker,
    Change,
    Fault,
    Node,
    Operation,
    Verb,
    World,
    session_lives,
)
from evenkeel_engine.frame.clauses import states

Answer = Node | Fault | None
"""What a broker gets: the node (that is there, or that it created), nothing, or a fault."""


def submit(broker: Broker, operation: Operation) -> None:
    """Put an operation into the broker's queue for this bundle."""
    broker.operations.setdefault(operation.bundle, deque()).append(operation)


@states("OWN-22")
def carry_out(world: World, broker: Broker, operation: Operation, edition: Edition) -> Answer:
    """Do what an operation asks, for a broker with a live session."""
    if not session_lives(world, broker):
        return Fault.NO_CONNECTION
    match operation.verb:
        case Verb.READ:
            return world.nodes.get(operation.bundle)
        case Verb.CREATE:
            return create(world, broker, operation.bundle, edition)
        case Verb.DELETE:
            return delete(world, operation.bundle, operation.version, edition)


@states("OWN-22")
def create(world: World, broker: Broker, bundle: int, edition: Edition) -> Node | Fault:
    """Make the node of a bundle, if there is none."""
    if bundle in world.nodes:
        return Fault.BAD_VERSION
    version = first_version(world, edition)
    node = world.nodes[bundle] = Node(broker.number, broker.session, version)
    notify_all(world, bundle, Change.CREATED)
    return node


def first_version(world: World, edition: Edition) -> int:
    """The version of a new node: never one that a node had before; by edition always 0."""
    world.versions += 1
    return 0 if edition.locks_versions_restart else world.versions


@states("OWN-28")
def delete(world: World, bundle: int, version: int, edition: Edition) -> Fault | None:
    """Delete the node of a bundle, if it has this version. By edition -1 means any."""
    node = world.nodes.get(bundle)
    if node is None:
        return Fault.NOT_FOUND
    unconditional = version == NEW and edition.locks_versions_restart
    if version != node.version and not unconditional:
        return Fault.BAD_VERSION
    remove(world, bundle)
    return None


def remove(world: World, bundle: int) -> None:
    """Remove the node, and notify."""
    del world.nodes[bundle]
    notify_all(world, bundle, Change.DELETED)


def notify_all(world: World, bundle: int, change: Change) -> None:
    """Every broker that is connected, the one that made the change too, will be notified."""
    for broker in world.brokers:
        if session_lives(world, broker):
            broker.notifications.setdefault(bundle, deque()).append(change)


def disconnect(broker: Broker) -> None:
    """The connection breaks: what was on its way to the broker is lost."""
    broker.connected = False
    broker.notifications.clear()


@states("OWN-28")
def end_session(world: World, broker: Broker) -> None:
    """The session of a broker ends, and with it its nodes."""
    broker.expired = True
    disconnect(broker)
    remove_nodes(world, broker.session)


@states("OWN-28")
def remove_nodes(world: World, session: int) -> None:
    """A session has ended: remove its nodes."""
    for bundle, node in sorted(world.nodes.items()):
        if node.session == session:
            remove(world, bundle)


def open_session(world: World, broker: Broker) -> None:
    """A broker gets a new session."""
    broker.session = world.sessions
    world.sessions += 1
    broker.connected, broker.expired = True, False
