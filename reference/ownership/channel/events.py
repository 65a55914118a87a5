"""Events of the ownership channel: publishing records, reading them, and their effects.

Source: ServiceUnitStateChannelImpl, ServiceUnitStateTableViewImpl,
ServiceUnitStateMetadataStoreTableViewImpl 4.0.8.
"""

from __future__ import annotations

from contextlib import suppress

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.channel import lookup
from evenkeel.reference.ownership.channel.world import (
    HALVES,
    PARENT,
    Broker,
    Message,
    Then,
    Work,
    World,
    Written,
)
from evenkeel.reference.ownership.conflict import Order, accepts, order
from evenkeel.reference.ownership.records import (
    IN_FLIGHT,
    BundleName,
    Record,
    State,
    Storage,
    last_version,
    next_version,
    owner_named_by,
    state_of,
)
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage
from evenkeel_engine.frame.replacing import replace


class Unreachable(Breakage):
    """The metadata store cannot be reached."""


# ------------------------------------------------------------------------------- publishing


@states("OWN-10", "OWN-20")
def publish(
    world: World, broker: Broker, bundle: BundleName, record: Record, edition: Edition
) -> None:
    """`broker` publishes a record; the publisher does not learn whether it is accepted.

    A topic takes every message. A node is written if the record is accepted there; the writer reads
    it at once, all others are notified. Raises `Unreachable` (nodes only).
    """
    record = replace(record, published=world.now)
    if world.storage is Storage.TOPIC:
        world.log.append(Message(bundle, record))
        world.retained.append(True)
        world.written.append(Written(broker.name, bundle, record, stands=True))
        return
    require_store(broker)
    current, removed = world.nodes.get(bundle), world.removed.get(bundle)
    stands = accepts(world.storage, current, record, edition, removed)
    if not edition.any_key_in_channel:
        stands = stands and known_bundle(world, bundle, record)
    world.written.append(Written(broker.name, bundle, record, stands))
    if stands:
        world.nodes[bundle] = record
        world.removed.pop(bundle, None)
        tell(world, bundle)
        read_node(world, broker, bundle, edition)


@states("OWN-6", "OWN-40")
def tombstone(
    world: World, broker: Broker, bundle: BundleName, seen: Record, edition: Edition
) -> None:
    """`broker` removes the bundle's record, having seen `seen`.

    The removal refers to that record; in 4.0 it removes any record there. The metadata
    store remembers the version that it had; in 4.0 it does not. Raises `Unreachable`
    (nodes only).
    """
    of = None if edition.tombstones_unconditional else seen.version
    if world.storage is Storage.TOPIC:
        world.log.append(Message(bundle, None, of))
        world.retained.append(True)
        world.written.append(Written(broker.name, bundle, None, stands=True))
        return
    require_store(broker)
    stands = bundle in world.nodes and removes(world.nodes[bundle], of)
    world.written.append(Written(broker.name, bundle, None, stands))
    if stands:
        version = world.nodes.pop(bundle).version
        if not edition.versions_restart:
            world.removed[bundle] = version
        tell(world, bundle)
        read_node(world, broker, bundle, edition)


@states("OWN-6")
def removes(current: Record | None, of: int | None) -> bool:
    """Whether a removal for version `of` (None: any) removes this record."""
    return of is None or (current is not None and current.version == of)


@states("OWN-40")
def newer_than_known(last: int | None, of: int | None) -> bool:
    """Whether compaction has taken out the record that this removal refers to.

    It was if it is newer than the last that the reader knows of, if it knows of any.
    """
    return of is not None and (last is None or order(last, of) is not Order.OLD)


@states("OWN-14")
def known_bundle(world: World, bundle: BundleName, record: Record) -> bool:
    """Is the record about a bundle of its namespace? A parent that was divided may still go."""
    divided = bundle == PARENT and world.divided
    return not divided or record.state in (State.SPLITTING, State.DELETED)


def require_store(broker: Broker) -> None:
    """Raises `Unreachable` unless the broker has a session with the metadata store."""
    if not broker.connected:
        raise Unreachable("the metadata store cannot be reached")


def tell(world: World, bundle: BundleName) -> None:
    """Every broker with a session is notified that a node has changed."""
    for broker in world.live():
        if broker.connected and bundle not in broker.notified:
            broker.notified.append(bundle)


# ---------------------------------------------------------------------------------- reading


def read_one(world: World, broker: Broker, edition: Edition) -> BundleName | None:
    """The broker reads the next change; which bundle's, or None if there is none."""
    if world.storage is Storage.NODES:
        if not broker.notified or not broker.connected:
            return None
        bundle = broker.notified.popleft()
        read_node(world, broker, bundle, edition)
        return bundle
    while broker.position < len(world.log):
        broker.position += 1
        if world.retained[broker.position - 1]:
            message = world.log[broker.position - 1]
            read_message(world, broker, message, edition)
            return message.bundle
    return None


def read_message(world: World, broker: Broker, message: Message, edition: Edition) -> None:
    """One message of the topic: it changes the view and is handled, or is skipped."""
    if fold(broker, message, edition):
        handle(world, broker, message.bundle, message.record, edition)


@states("OWN-5", "OWN-12", "OWN-40")
def fold(broker: Broker, message: Message, edition: Edition) -> bool:
    """Does the message change the view? Then it does.

    A reader remembers which version was removed, and skips what is older; in 4.0
    it does not.
    """
    current, removed = broker.view.get(message.bundle), broker.removed.get(message.bundle)
    if message.record is not None:
        stands = accepts(Storage.TOPIC, current, message.record, edition, removed)
    else:
        stands = removes(current, message.of)
        last = last_version(current, removed)
        if not edition.versions_restart:
            stands = stands or newer_than_known(last, message.of)
            removed = last if message.of is None else message.of
    if stands:
        see(broker, message.bundle, message.record, removed)
    return stands


@states("OWN-12")
def read_node(world: World, broker: Broker, bundle: BundleName, edition: Edition) -> None:
    """The broker reads a node again; if it changed, that is handled."""
    record, removed = world.nodes.get(bundle), world.removed.get(bundle)
    before = broker.view.get(bundle)
    if record != before or removed != broker.removed.get(bundle):
        see(broker, bundle, record, removed)
    if record != before:
        handle(world, broker, bundle, record, edition)


@states("OWN-40")
def see(broker: Broker, bundle: BundleName, record: Record | None, removed: int | None) -> None:
    """The broker's view of a bundle is this from now on; without a record: what was removed."""
    broker.view.pop(bundle, None)
    broker.removed.pop(bundle, None)
    if record is not None:
        broker.view[bundle] = record
    elif removed is not None:
        broker.removed[bundle] = removed


def catch_up(world: World, broker: Broker, edition: Edition) -> None:
    """The broker reads everything that was there when it began, and what that brings about."""
    while read_one(world, broker, edition) is not None:
        pass


# --------------------------------------------------------------------------------- handling


@states("OWN-19")
def handle(
    world: World, broker: Broker, bundle: BundleName, record: Record | None, edition: Edition
) -> None:
    """What the broker does when its view of a bundle changes to `record`.

    A broker that is shutting down acts on forced records only.
    """
    if broker.disabled and not (record is not None and record.force):
        lookup.answer_waiting(world, broker, bundle, failed=True)
        return
    with suppress(Unreachable):  # the failure is logged; the monitor sees to the bundle
        act(world, broker, bundle, record, edition)
    if not edition.closes_only_when_named:
        close_what_is_lost(world, broker, bundle, record)


@states("OWN-11", "OWN-19")
def act(
    world: World, broker: Broker, bundle: BundleName, record: Record | None, edition: Edition
) -> None:
    """The part of handling that the state decides."""
    match record:
        case None:
            lookup.answer_waiting(world, broker, bundle, None)
        case Record(state=State.OWNED):
            act_on_owned(world, broker, bundle, record, edition)
        case Record(state=State.ASSIGNING):
            act_on_assigning(world, broker, bundle, record, edition)
        case Record(state=State.RELEASING):
            if record.source == broker.name:
                begin(world, broker, bundle, Then.PUBLISH, record)
        case Record(state=State.SPLITTING):
            if record.source == broker.name:
                begin_split(world, broker, bundle, record, edition)
        case Record(state=State.FREE):
            lookup.answer_waiting(world, broker, bundle, None)
            if record.source == broker.name and record.force:
                begin(world, broker, bundle, Then.TOMBSTONE, record)
        case Record(state=State.DELETED):
            lookup.answer_waiting(world, broker, bundle, failed=True)
            if record.source == broker.name:
                tombstone(world, broker, bundle, record, edition)


@states("OWN-7", "OWN-9", "OWN-15")
def act_on_owned(
    world: World, broker: Broker, bundle: BundleName, record: Record, edition: Edition
) -> None:
    """Lookups end; the owner opens the bundle's topics; the broker before closes what is left."""
    lookup.answer_waiting(world, broker, bundle, record.destination)
    if record.destination == broker.name:
        open_topics(broker, bundle, edition)
    elif record.source == broker.name and (record.force or record.transfer):
        begin(world, broker, bundle, Then.NOTHING, record)


@states("OWN-10", "OWN-42", "OWN-43")
def act_on_assigning(
    world: World, broker: Broker, bundle: BundleName, record: Record, edition: Edition
) -> None:
    """The broker that is to own the bundle says that it does."""
    if record.destination == broker.name:
        owned = replace(record, state=State.OWNED, version=next_version(record), force=False)
        publish(world, broker, bundle, owned, edition)


@states("OWN-8", "OWN-9")
def open_topics(broker: Broker, bundle: BundleName, edition: Edition) -> None:
    """The clients of the bundle come."""
    if broker.registered or edition.unregistered_brokers_own:
        broker.serves.update(HALVES[bundle])
        broker.works = [
            replace(work, closes=work.closes.difference(HALVES[bundle])) for work in broker.works
        ]


@states("OWN-13")
def close_what_is_lost(
    world: World, broker: Broker, bundle: BundleName, record: Record | None
) -> None:
    """Topics are closed as soon as nothing entitles the broker to them any more."""
    if bundle == PARENT and (state_of(record) is State.DELETED or world.divided):
        return  # its topics belong to the halves now
    if owner_named_by(record) == broker.name or state_of(record) in IN_FLIGHT:
        return
    if broker.serves.intersection(HALVES[bundle]) and not closing(broker, bundle):
        covered = covered_by_others(broker, bundle)
        if not covered:
            begin(world, broker, bundle, Then.NOTHING, record)


@states("OWN-13")
def covered_by_others(broker: Broker, bundle: BundleName) -> bool:
    """Does the broker own bundles that overlap this one?"""
    return any(
        other != bundle
        and set(HALVES[other]).intersection(HALVES[bundle])
        and (owner_named_by(record) == broker.name or state_of(record) in IN_FLIGHT)
        for other, record in broker.view.items()
    )


def closing(broker: Broker, bundle: BundleName) -> bool:
    """Is the broker closing the bundle's topics?"""
    return any(work.bundle == bundle and work.then is not Then.DIVIDE for work in broker.works)


# ------------------------------------------------------------------------------------- works


def begin(
    world: World, broker: Broker, bundle: BundleName, then: Then, record: Record | None
) -> None:
    """The broker begins something that takes its time."""
    closes = frozenset(HALVES[bundle]) if then is not Then.DIVIDE else frozenset()
    broker.works.append(Work(bundle, then, record, world.now, closes))


@states("OWN-45")
def begin_split(
    world: World, broker: Broker, bundle: BundleName, record: Record, edition: Edition
) -> None:
    """Children without a record are owned first; then the range is divided."""
    for child in record.children:
        if child not in broker.view:
            version = next_version_of(broker, child)
            owned = Record(State.OWNED, broker.name, None, version)
            publish(world, broker, child, owned, edition)
    begin(world, broker, bundle, Then.DIVIDE, record)


@states("OWN-7", "OWN-10", "OWN-11", "OWN-14", "OWN-43", "OWN-44", "OWN-45")
def finish(world: World, broker: Broker, work: Work, edition: Edition) -> None:
    """The work is done: its topics are closed, or the range divided; what follows is published.

    Raises `Unreachable`: then nothing follows.
    """
    broker.works.remove(work)
    broker.serves.difference_update(work.closes)
    cause = work.cause
    if cause is None or work.then is Then.NOTHING:
        return
    if work.then is Then.TOMBSTONE:
        tombstone(world, broker, work.bundle, cause, edition)
    elif work.then is Then.DIVIDE:
        require_store(broker)
        world.divided = True
        publish(world, broker, work.bundle, follower(cause, State.DELETED), edition)
    else:
        after = State.ASSIGNING if cause.transfer else State.FREE
        publish(world, broker, work.bundle, follower(cause, after), edition)


@states("OWN-40")
def next_version_of(broker: Broker, bundle: BundleName) -> int:
    """The version of what the broker writes next about a bundle, by its view."""
    return next_version(broker.view.get(bundle), broker.removed.get(bundle))


@states("OWN-4")
def follower(record: Record, state: State) -> Record:
    """The next record of a chain, between the same brokers."""
    return Record(state, record.destination, record.source, next_version(record))


@states("OWN-11")
def fail(broker: Broker, work: Work) -> None:
    """The work fails: topics closed with an error are closed anyway, but nothing follows."""
    broker.works.remove(work)
    broker.serves.difference_update(work.closes)
