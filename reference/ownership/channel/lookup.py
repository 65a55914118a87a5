"""Lookups in the ownership channel: answered at once, or when the bundle has an owner.

Source: ServiceUnitStateChannelImpl.getOwnerAsync, dedupeGetOwnerRequest 4.0.8.
"""

from __future__ import annotations

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.channel.world import (
    IN_FLIGHT_WAIT,
    Broker,
    Ended,
    Outcome,
    Ticket,
    Waiting,
    World,
)
from evenkeel.reference.ownership.records import (
    BrokerId,
    BundleName,
    Record,
    State,
    Storage,
    owner_named_by,
    state_of,
)
from evenkeel_engine.frame.clauses import states


@states("OWN-15", "OWN-16", "OWN-48", "OWN-54")
def ask(world: World, broker: Broker, bundle: BundleName, ticket: Ticket, edition: Edition) -> None:
    """The owner of the bundle, as this broker knows it.

    A bundle in transition towards this broker is waited for; towards another, that one is named
    without a check that it is alive.
    """
    record = broker.view.get(bundle)
    match record:
        case Record(state=State.OWNED | State.SPLITTING):
            ask_owner(world, broker, bundle, owner_named_by(record), ticket, edition)
        case Record(state=State.ASSIGNING | State.RELEASING):
            if record.destination == broker.name:
                ask_owner(world, broker, bundle, record.destination, ticket, edition)
            else:
                end(world, ticket, record.destination)
        case Record(state=State.DELETED):
            fail(world, ticket)
        case _:
            end(world, ticket, None)


@states("OWN-15", "OWN-16", "OWN-48")
def ask_owner(
    world: World,
    broker: Broker,
    bundle: BundleName,
    owner: BrokerId | None,
    ticket: Ticket,
    edition: Edition,
) -> None:
    """The owner by the record, if it is alive; else the next one is waited for.

    A broker without registration does not know which are alive: with a topic it answers as it
    believes, with nodes it cannot. One that shuts down does not check; before 4.0.8 it did.
    """
    settled = state_of(broker.view.get(bundle)) in (State.OWNED, State.SPLITTING)
    if broker.disabled and not edition.stopping_brokers_check_owners:
        if settled:
            end(world, ticket, owner)
        else:
            join(world, broker, bundle, ticket, checked=False)
    elif not world.is_registered(broker.name):
        if world.storage is Storage.NODES:
            fail(world, ticket)
        else:
            end(world, ticket, owner)
    else:
        join(world, broker, bundle, ticket, checked=True)


@states("OWN-15", "OWN-16")
def join(world: World, broker: Broker, bundle: BundleName, ticket: Ticket, checked: bool) -> None:
    """The lookup waits with others for the bundle's owner, unless there is a living one."""
    waiting = broker.waiting.get(bundle)
    if waiting is None:
        owner = owner_named_by(broker.view.get(bundle))
        if owner is not None and world.is_registered(owner):
            end(world, ticket, owner)
            return
        waiting = broker.waiting[bundle] = Waiting(world.now)
    (waiting.checked if checked else waiting.assigning).append(ticket)


@states("OWN-15", "OWN-16")
def answer_waiting(
    world: World,
    broker: Broker,
    bundle: BundleName,
    owner: BrokerId | None = None,
    failed: bool = False,
) -> None:
    """Answer all that wait for the bundle's owner.

    Lookups name an owner only if it is registered; assignments name it in any case.
    """
    waiting = broker.waiting.pop(bundle, None)
    if waiting is None:
        return
    for ticket in waiting.checked:
        if failed or (owner is not None and not world.is_registered(owner)):
            fail(world, ticket)
        else:
            end(world, ticket, owner)
    for ticket in waiting.assigning:
        if failed:
            fail(world, ticket)
        else:
            end(world, ticket, owner)


@states("OWN-15")
def give_up(world: World, broker: Broker) -> None:
    """Lookups that waited too long are answered by the present record, unless in flight."""
    for bundle, waiting in list(broker.waiting.items()):
        if world.now - waiting.since >= IN_FLIGHT_WAIT:
            record = broker.view.get(bundle)
            known = state_of(record) in (State.OWNED, State.SPLITTING, State.INIT, State.FREE)
            answer_waiting(world, broker, bundle, owner_named_by(record), failed=not known)


def end(world: World, ticket: Ticket, owner: BrokerId | None) -> None:
    """The lookup ends with this owner, or with none."""
    outcome = Outcome.NONE if owner is None else Outcome.OWNER
    world.ended.append(Ended(ticket, outcome, owner))


def fail(world: World, ticket: Ticket) -> None:
    """The lookup ends with an error."""
    world.ended.append(Ended(ticket, Outcome.FAILED))
