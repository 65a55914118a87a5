"""Upkeep of the ownership channel: clean-up after lost brokers, and the leader's monitor.

Source: ServiceUnitStateChannelImpl.doCleanup, overrideOwnership, monitorOwnerships 4.0.8.
"""

from __future__ import annotations

from contextlib import suppress

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.channel import events
from evenkeel.reference.ownership.channel.world import (
    BUNDLES,
    IN_FLIGHT_WAIT,
    STABLE_AFTER,
    TOMBSTONE_AFTER,
    Broker,
    World,
)
from evenkeel.reference.ownership.records import (
    ACTIVE,
    IN_FLIGHT,
    BrokerId,
    BundleName,
    Record,
    State,
    Storage,
    next_version,
)
from evenkeel_engine.frame.clauses import states


@states("OWN-18")
def select(world: World, excluded: BrokerId | None) -> BrokerId | None:
    """A broker to give a bundle to: the first that is registered; which one is left open here."""
    for broker in world.live():
        if broker.registered and not broker.disabled and broker.name != excluded:
            return broker.name
    return None


# --------------------------------------------------------------------------- registrations


@states("OWN-17")
def notice(world: World, broker: Broker, edition: Edition) -> None:
    """The broker sees the next registration that came or went."""
    if not broker.notices:
        return
    other, present = broker.notices.popleft()
    if not present:
        notice_loss(world, broker, other)
    elif other in broker.cleanups and healthy(world, broker, other):
        del broker.cleanups[other]


@states("OWN-17")
def notice_loss(world: World, broker: Broker, other: BrokerId) -> None:
    """A registration went: the leader cleans up, at once if its own session is stable.

    Shortly after its session came back it waits, since others may come back too; without a
    session it does nothing.
    """
    if not world.leads(broker) or broker.disabled or not broker.connected:
        return
    if other in broker.cleanups:
        return
    stable = world.now > broker.stable_from + STABLE_AFTER
    broker.cleanups[other] = world.now if stable else world.now + STABLE_AFTER


@states("OWN-17")
def healthy(world: World, broker: Broker, other: BrokerId) -> bool:
    """Whether the broker answers a direct request. One that shuts down does not send it."""
    if broker.disabled:
        return True
    found = world.brokers.get(other)
    return found is not None and found.alive and found.connected and not found.disabled


def clean_due(world: World, broker: Broker, edition: Edition) -> None:
    """The clean-ups whose time has come."""
    for other, due in list(broker.cleanups.items()):
        if due <= world.now:
            del broker.cleanups[other]
            clean_up(world, broker, other, edition)


# ----------------------------------------------------------------------- reading again


@states("OWN-12", "OWN-40")
def read_nodes(world: World, broker: Broker) -> None:
    """The broker reads all nodes, and of what is removed, which version it had."""
    broker.view.update(world.nodes)
    broker.removed.update(world.removed)


@states("OWN-12")
def read_silently(world: World, broker: Broker, edition: Edition) -> None:
    """The broker reads the topic to its end without acting on each message."""
    for index in range(broker.position, len(world.log)):
        if world.retained[index]:
            events.fold(broker, world.log[index], edition)
    broker.position = len(world.log)


@states("OWN-13", "OWN-19")
def take_existing(world: World, broker: Broker, edition: Edition) -> None:
    """A broker that reads all records opens the topics of the bundles that it owns, and may take
    those that are assigned to it.
    """
    for bundle in BUNDLES:
        record = broker.view.get(bundle)
        if record is None or record.destination != broker.name:
            continue
        if record.state is State.OWNED:
            events.open_topics(broker, bundle, edition)
        elif record.state is State.ASSIGNING and not edition.assigned_while_away_wait:
            events.act_on_assigning(world, broker, bundle, record, edition)


# ------------------------------------------------------------------------------- clean-up


@states("OWN-17", "OWN-18", "OWN-47")
def clean_up(world: World, broker: Broker, left: BrokerId, edition: Edition) -> None:
    """The bundles of a broker that left are given to others, unless it is found healthy."""
    if world.leader is None or healthy(world, broker, left):
        return
    take_away(world, broker, left, edition, gracefully=False)


@states("OWN-10")
def take_away(
    world: World, broker: Broker, left: BrokerId, edition: Edition, gracefully: bool
) -> None:
    """Every record that names this broker as owner, next owner or busy source is overridden.

    By edition again, where this broker still sees it as the owner.
    """
    flush(world, broker, edition)
    for bundle, record in seen_by(broker):
        if concerns(record, left):
            override(world, broker, bundle, record, left, edition, gracefully)
    flush(world, broker, edition)
    if edition.overrides_repeated:
        for bundle, record in seen_by(broker):
            if record.state is State.OWNED and record.destination == left:
                override(world, broker, bundle, record, left, edition, gracefully)
        flush(world, broker, edition)


def seen_by(broker: Broker) -> list[tuple[BundleName, Record]]:
    """The broker's view as it is now."""
    return [(bundle, broker.view[bundle]) for bundle in BUNDLES if bundle in broker.view]


def concerns(record: Record, left: BrokerId) -> bool:
    """Whether this broker is the bundle's owner, its next one, or busy giving it away."""
    return (record.destination == left and record.state in ACTIVE) or (
        record.source == left and record.state in IN_FLIGHT
    )


@states("OWN-10", "OWN-18")
def flush(world: World, broker: Broker, edition: Edition) -> None:
    """Everything published so far is read first; in 4.0 nodes are left as they were seen."""
    if world.storage is Storage.TOPIC or not edition.store_views_not_flushed:
        events.catch_up(world, broker, edition)


@states("OWN-18")
def override(
    world: World,
    broker: Broker,
    bundle: BundleName,
    record: Record,
    left: BrokerId | None,
    edition: Edition,
    gracefully: bool = False,
) -> None:
    """The bundle is given to another broker by force; to none if there is none."""
    update = overriding(world, record, left, gracefully, edition)
    if update is None:
        return
    with suppress(events.Unreachable):  # the monitor tries again
        events.publish(world, broker, bundle, update, edition)


@states("OWN-10", "OWN-14", "OWN-18")
def overriding(
    world: World, record: Record, left: BrokerId | None, gracefully: bool, edition: Edition
) -> Record | None:
    """The record that overrides this one; None if it stays as it is.

    What is being split with no broker left to continue stays so until there is one: the
    division may still end, and a parent that is free could be given away before it does.
    In 4.0 it is freed.
    """
    selected, version = select(world, left), next_version(record)
    before = record.destination if record.state is State.OWNED else record.source
    living = not edition.living_sources_overtaken and world.is_registered(before) and before != left
    if selected is None:
        if record.state is State.SPLITTING and not edition.divisions_freed:
            return None
        return Record(State.FREE, None, before, version, force=True)
    if record.state is State.SPLITTING:
        source = before if living and before is not None else selected
        return Record(
            State.SPLITTING, record.destination, source, version, True, 0, record.children
        )
    if living and record.state is State.RELEASING:
        named = record.destination
        next_owner = named if named != left and world.is_registered(named) else None
        destination = selected if selected != before else next_owner
        if destination is not None or named is None:
            return Record(State.RELEASING, destination, before, version, force=True)
    source_left = None if selected == before else before
    if record.state is State.OWNED and gracefully and source_left is not None:
        return Record(State.RELEASING, selected, source_left, version, force=True)
    return Record(State.OWNED, selected, source_left, version, force=True)


# -------------------------------------------------------------------------------- monitor


@states("OWN-11", "OWN-17", "OWN-47")
def monitor(world: World, broker: Broker, edition: Edition) -> None:
    """The leader goes over all records, if its session is stable.

    Bundles of brokers that left are cleaned up; what has been in flight too long is
    overridden; what has long been free or deleted is removed.
    """
    if not world.leads(broker) or not broker.connected:
        return
    if world.now <= broker.stable_from + STABLE_AFTER:
        return
    if not any(world.is_registered(name) for name in world.brokers):
        return
    missing: set[BrokerId] = set()
    late: list[tuple[BundleName, Record]] = []
    for bundle, record in seen_by(broker):
        lost = missing_broker(world, record)
        if lost is not None:
            missing.add(lost)
        elif record.state in IN_FLIGHT:
            if world.now - record.published > IN_FLIGHT_WAIT:
                late.append((bundle, record))
        elif record.state is not State.OWNED and world.now - record.published > TOMBSTONE_AFTER:
            events.tombstone(world, broker, bundle, record, edition)
    for name in sorted(missing):
        notice_loss(world, broker, name)
    for bundle, record in late:
        override(world, broker, bundle, record, None, edition)
    flush(world, broker, edition)


@states("OWN-17")
def missing_broker(world: World, record: Record) -> BrokerId | None:
    """The first broker that the record needs and that is not registered: source, then owner."""
    if record.state is State.OWNED:
        return None if world.is_registered(record.destination) else record.destination
    if record.state not in IN_FLIGHT:
        return None
    for name in (record.source, record.destination):
        if name is not None and not world.is_registered(name):
            return name
    return None


# ------------------------------------------------------------------------------- shut-down


@states("OWN-10", "OWN-46")
def shut_down(world: World, broker: Broker, edition: Edition) -> None:
    """The broker gives its bundles away, then takes back its registration.

    From now on it acts on forced records only.
    """
    broker.disabled = True
    if world.leader is not None:
        take_away(world, broker, broker.name, edition, gracefully=True)
    if world.leads(broker):
        world.leader = None
    unregister(world, broker, edition)


@states("OWN-8")
def unregister(world: World, broker: Broker, edition: Edition) -> None:
    """The broker's registration goes; the others are notified.

    A broker that is not registered should serve nothing: others may be given its bundles now.
    """
    if broker.registered:
        broker.registered = False
        announce(world, broker, present=False)
    if not edition.unregistered_brokers_own:
        broker.serves.clear()


def announce(world: World, broker: Broker, present: bool) -> None:
    """Every broker will see that this one's registration came or went."""
    for other in world.live():
        if other is not broker and other.connected:
            other.notices.append((broker.name, present))
