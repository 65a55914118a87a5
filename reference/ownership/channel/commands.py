"""The ownership channel of the extensible manager: what can happen, one function each.

An interleaving is a list of these calls. Each takes the world and changes it; what it brought
about is in `world.ended`, `world.written` and the brokers. A command that makes no sense now
(for a broker that is not there, say) raises a refusal and changes nothing.

Source: PIP-192, PIP-307; ServiceUnitStateChannelImpl 4.0.8.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.channel import events, lookup, upkeep
from evenkeel.reference.ownership.channel.world import (
    BUNDLES,
    CHILDREN,
    CLOSING_LIMIT,
    PARENT,
    Broker,
    Then,
    Ticket,
    Work,
    World,
)
from evenkeel.reference.ownership.records import BrokerId, BundleName, Record, State, Storage
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Refusal


class Unavailable(Refusal):
    """The broker is not there, or cannot do this now."""


class NoSuchBundle(Refusal):
    """The bundle is not one of its namespace."""


class NotOwned(Refusal):
    """The bundle has no owner to take it from."""


def new(storage: Storage, brokers: Sequence[BrokerId]) -> World:
    """A world of brokers that have just begun; the first leads."""
    return World(storage, {name: Broker(name) for name in brokers}, brokers[0])


@states("OWN-49")
def live_broker(world: World, name: BrokerId) -> Broker:
    """The broker. Raises `Unavailable` if its process does not run."""
    broker = world.brokers[name]
    if not broker.alive:
        raise Unavailable(f"{name} does not run")
    return broker


# -------------------------------------------------------------------------- clients and admins


@states("OWN-15")
def ask(world: World, name: BrokerId, bundle: BundleName, ticket: Ticket, edition: Edition) -> None:
    """A client asks a broker for the owner of a bundle."""
    lookup.ask(world, live_broker(world, name), bundle, ticket, edition)


@states("OWN-42")
def assign(
    world: World, name: BrokerId, bundle: BundleName, to: BrokerId, ticket: Ticket, edition: Edition
) -> None:
    """A broker that was asked for an unowned bundle gives it to `to`.

    Raises `NoSuchBundle`; in 4.0 any bundle is assigned. By edition a broker that shuts down
    assigns none.
    """
    broker = live_broker(world, name)
    require_bundle(world, bundle, edition)
    if broker.disabled and not edition.disabled_brokers_assign:
        lookup.fail(world, ticket)
        return
    record = Record(State.ASSIGNING, to, None, events.next_version_of(broker, bundle))
    lookup.join(world, broker, bundle, ticket, checked=False)
    try:
        events.publish(world, broker, bundle, record, edition)
    except events.Unreachable:
        forget(world, broker, bundle, ticket)


@states("OWN-15")
def forget(world: World, broker: Broker, bundle: BundleName, ticket: Ticket) -> None:
    """An assignment that could not be published fails, and all that waited with it."""
    waiting = broker.waiting.get(bundle)
    if waiting is not None and ticket in waiting.assigning:
        lookup.answer_waiting(world, broker, bundle, failed=True)


@states("OWN-43", "OWN-44")
def unload(
    world: World, name: BrokerId, bundle: BundleName, to: BrokerId | None, edition: Edition
) -> None:
    """Request a broker to have a bundle released, for `to` or the next lookup's choice.

    Raises `NotOwned` and, from a broker without a session over nodes, `Unreachable`.
    """
    broker = live_broker(world, name)
    source = owner_in_view(broker, bundle, edition)
    record = Record(State.RELEASING, to, source, events.next_version_of(broker, bundle))
    events.publish(world, broker, bundle, record, edition)


@states("OWN-51")
def unload_namespace(world: World, name: BrokerId, edition: Edition) -> None:
    """Request a broker to have all bundles of the namespace unloaded that can be divided.

    A bundle without an owner is skipped. Raises `events.Unreachable`.
    """
    live_broker(world, name)
    for bundle in CHILDREN if world.divided else (PARENT,):
        with suppress(NotOwned):
            unload(world, name, bundle, None, edition)


@states("OWN-45")
def split(world: World, name: BrokerId, edition: Edition) -> None:
    """Request a broker to have the parent divided into its halves.

    Raises `NotOwned`, `NoSuchBundle`, `events.Unreachable`.
    """
    broker = live_broker(world, name)
    require_bundle(world, PARENT, edition)
    source = owner_in_view(broker, PARENT, edition)
    version = events.next_version_of(broker, PARENT)
    record = Record(State.SPLITTING, None, source, version, children=CHILDREN)
    events.publish(world, broker, PARENT, record, edition)


@states("OWN-14", "OWN-49")
def require_bundle(world: World, bundle: BundleName, edition: Edition) -> None:
    """Raises `NoSuchBundle` unless the bundle is one of its namespace now."""
    if not edition.any_key_in_channel and not world.is_current(bundle):
        raise NoSuchBundle(f"{bundle} is not a bundle of its namespace")


@states("OWN-49")
def owner_in_view(broker: Broker, bundle: BundleName, edition: Edition) -> BrokerId:
    """The owner by this broker's view. Raises `NotOwned`."""
    record = broker.view.get(bundle)
    if record is None or record.state is not State.OWNED or record.destination is None:
        raise NotOwned(f"{bundle} has no owner as {broker.name} knows")
    return record.destination


# ------------------------------------------------------------------------ inside the channel


def read(world: World, name: BrokerId, edition: Edition) -> BundleName | None:
    """A broker reads the next change of a record; which bundle's."""
    return events.read_one(world, live_broker(world, name), edition)


def finish(world: World, name: BrokerId, bundle: BundleName, fails: bool, edition: Edition) -> None:
    """The oldest work of a broker on a bundle ends: topics closed, or a range divided."""
    broker = live_broker(world, name)
    work = next((work for work in broker.works if work.bundle == bundle), None)
    if work is None:
        raise Unavailable(f"{name} does nothing about {bundle}")
    end_work(world, broker, work, fails, edition)


@states("OWN-11")
def end_work(world: World, broker: Broker, work: Work, fails: bool, edition: Edition) -> None:
    """The work succeeds or fails; without the metadata store it fails."""
    if fails:
        events.fail(broker, work)
        return
    with suppress(events.Unreachable):  # then nothing follows; the monitor sees to the bundle
        events.finish(world, broker, work, edition)


def notice(world: World, name: BrokerId, edition: Edition) -> None:
    """A broker sees the next registration that came or went."""
    upkeep.notice(world, live_broker(world, name), edition)


def clean(world: World, name: BrokerId, edition: Edition) -> None:
    """A broker runs the clean-ups that are due."""
    upkeep.clean_due(world, live_broker(world, name), edition)


def monitor(world: World, name: BrokerId, edition: Edition) -> None:
    """A broker's ownership monitor runs."""
    upkeep.monitor(world, live_broker(world, name), edition)


@states("OWN-40")
def compact(world: World, edition: Edition) -> None:
    """The topic is compacted: of what all have read, each bundle's standing message is left.

    A removal is left too, since it says which version was the last; in 4.0 it is not.
    """
    reader, standing = Broker(BrokerId("compaction")), dict[BundleName, int]()
    horizon = min((broker.position for broker in world.live()), default=len(world.log))
    for index in range(horizon):
        message = world.log[index]
        if world.retained[index] and events.fold(reader, message, edition):
            standing[message.bundle] = index
    left = {
        index
        for bundle, index in standing.items()
        if bundle in reader.view or not edition.versions_restart
    }
    world.retained[:horizon] = [index in left for index in range(horizon)]


# ----------------------------------------------------------------------- brokers come and go


@states("OWN-15")
def crash(world: World, name: BrokerId, edition: Edition) -> None:
    """A broker's process ends; its registration goes, and lookups that wait at it get an error."""
    broker = live_broker(world, name)
    for bundle in list(broker.waiting):
        lookup.answer_waiting(world, broker, bundle, failed=True)
    broker.alive = False
    broker.serves.clear()
    broker.works.clear()
    broker.view.clear()
    broker.removed.clear()
    broker.notified.clear()
    broker.notices.clear()
    broker.cleanups.clear()
    upkeep.unregister(world, broker, edition)
    if world.leads(broker):
        world.leader = None


def restart(world: World, name: BrokerId, edition: Edition) -> None:
    """A broker whose process had ended starts again, and reads all records."""
    if world.brokers[name].alive:
        raise Unavailable(f"{name} runs")
    broker = world.brokers[name] = Broker(name)
    if world.storage is Storage.NODES:
        upkeep.read_nodes(world, broker)
    else:
        upkeep.read_silently(world, broker, edition)
    upkeep.take_existing(world, broker, edition)
    upkeep.announce(world, broker, present=True)


@states("OWN-8", "OWN-65")
def lose_session(world: World, name: BrokerId, edition: Edition) -> None:
    """A broker's session with the metadata store ends, and its registration with it.

    Over nodes it trusts its view no more and closes all topics. Over a topic it keeps serving
    in 4.0; a broker that is not registered should serve nothing.
    """
    broker = live_broker(world, name)
    if not broker.connected:
        raise Unavailable(f"{name} has no session")
    broker.connected = False
    broker.notified.clear()
    broker.notices.clear()
    upkeep.unregister(world, broker, edition)
    if world.leads(broker):
        world.leader = None
    if world.storage is Storage.NODES:
        for bundle in BUNDLES:
            if bundle in broker.view and edition.unregistered_brokers_own:
                events.begin(world, broker, bundle, Then.NOTHING, broker.view[bundle])
        broker.view.clear()
        broker.removed.clear()


@states("OWN-12", "OWN-13")
def regain_session(world: World, name: BrokerId, edition: Edition) -> None:
    """A broker has a session again, registers, and reads all nodes again."""
    broker = live_broker(world, name)
    if broker.connected:
        raise Unavailable(f"{name} has a session")
    broker.connected = True
    broker.stable_from = world.now
    if not broker.disabled:
        broker.registered = True
        upkeep.announce(world, broker, present=True)
    if world.storage is Storage.NODES:
        upkeep.read_nodes(world, broker)
    elif not edition.unregistered_brokers_own:
        upkeep.read_silently(world, broker, edition)
    if world.storage is Storage.NODES or not edition.unregistered_brokers_own:
        upkeep.take_existing(world, broker, edition)


def shut_down(world: World, name: BrokerId, edition: Edition) -> None:
    """A broker gives its bundles away and its registration back; its process continues."""
    broker = live_broker(world, name)
    if broker.disabled:
        raise Unavailable(f"{name} is shutting down already")
    upkeep.shut_down(world, broker, edition)


def elect(world: World, name: BrokerId) -> None:
    """A broker becomes the leader."""
    broker = live_broker(world, name)
    if not broker.registered or broker.disabled:
        raise Unavailable(f"{name} cannot lead")
    world.leader = name


# ------------------------------------------------------------------------------------ time


@states("OWN-11", "OWN-15", "OWN-58")
def advance(world: World, millis: int, edition: Edition) -> None:
    """Time passes: lookups that waited too long are answered; closing ends at its limit."""
    world.now += millis
    for broker in world.live():
        lookup.give_up(world, broker)
        for work in list(broker.works):
            if work.then is not Then.DIVIDE and world.now - work.begun >= CLOSING_LIMIT:
                end_work(world, broker, work, False, edition)


ROUNDS = 8
"""Rounds of a minute that settle everything: a clean-up that waits three of them, then what
it overrides, then what was in flight."""


@states("OWN-11", "OWN-12", "OWN-59")
def settle(world: World, edition: Edition) -> None:
    """A fair schedule without further faults: all is read, all work ends, the leader cleans up.

    Raises `Unavailable` if no broker could lead.
    """
    if not can_lead(world):
        raise Unavailable("no broker is left that could lead")
    for _ in range(ROUNDS):
        rest(world, edition)
        advance(world, 61_000, edition)
        rest(world, edition)
        if world.leader is None:
            elect(world, can_lead(world)[0].name)
        for broker in world.live():
            upkeep.monitor(world, broker, edition)
    rest(world, edition)


def can_lead(world: World) -> list[Broker]:
    """The brokers that could lead."""
    return [broker for broker in world.live() if broker.registered and not broker.disabled]


@states("OWN-11")
def rest(world: World, edition: Edition) -> None:
    """Everything that is under way ends, in the brokers' order."""
    busy = True
    while busy:
        busy = False
        for broker in world.live():
            busy |= step_anything(world, broker, edition)


def step_anything(world: World, broker: Broker, edition: Edition) -> bool:
    """One round of a broker: reads all, ends its works, sees registrations, cleans up."""
    before = len(world.written)
    events.catch_up(world, broker, edition)
    works = list(broker.works)
    for work in works:
        if work in broker.works:
            end_work(world, broker, work, False, edition)
    seen = len(broker.notices)
    while broker.notices:
        upkeep.notice(world, broker, edition)
    upkeep.clean_due(world, broker, edition)
    return bool(works) or bool(seen) or len(world.written) > before
