"""Mutants of the channel that keep every prohibition, and do not do what they are asked for."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, defect, defect_of, first
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import channel, channel_lookup, channel_upkeep
from evenkeel.reference.ownership.channel_world import CHILDREN, LEFT, PARENT, Broker, Ticket, World
from evenkeel.reference.ownership.records import (
    BrokerId,
    BundleName,
    Record,
    State,
    next_version,
)


@defect_of(
    channel,
    "assign",
    "The load manager's choice is not heeded: the broker that a client asks takes the bundle.",
)
def assigned_to_who_was_asked(original: Function) -> Function:
    def assign(world: World, name: BrokerId, bundle: BundleName, to: BrokerId, *rest: Any) -> None:
        original(world, name, bundle, name, *rest)

    return assign


def _only_accepted(original: Function) -> Function:
    def accepted(world: World, name: BrokerId, *rest: Any) -> None:
        channel.live_broker(world, name)

    return accepted


@defect_of(
    channel_upkeep,
    "shut_down",
    "A broker that is to leave goes on owning its bundles until it is killed.",
)
def shut_down_put_off(original: Function) -> Function:
    def shut_down(world: World, broker: Broker, edition: Edition) -> None:
        pass

    return shut_down


@defect_of(
    channel_upkeep,
    "overriding",
    "The bundles of a crashed broker have no owner until a client happens to ask.",
)
def lost_bundles_freed(original: Function) -> Function:
    def overriding(
        world: World, record: Record, gone: BrokerId | None, gracefully: bool, edition: Edition
    ) -> Record | None:
        if record.state is not State.OWNED:
            kept: Record | None = original(world, record, gone, gracefully, edition)
            return kept
        return Record(State.FREE, None, record.destination, next_version(record), force=True)

    return overriding


@defect_of(channel_lookup, "ask", "Every lookup is answered that nobody owns the bundle.")
def lookup_knows_nobody(original: Function) -> Function:
    def ask(world: World, broker: Broker, bundle: BundleName, ticket: Ticket) -> None:
        channel_lookup.end(world, ticket, None)

    return ask


@defect_of(channel, "owner_in_view", "An admin's request is refused by every broker but the owner.")
def only_owners_unload(original: Function) -> Function:
    def owner_in_view(broker: Broker, bundle: BundleName, edition: Edition) -> BrokerId:
        owner: BrokerId = original(broker, bundle, edition)
        if owner != broker.name:
            raise channel.NotOwned(f"{broker.name} does not own {bundle}")
        return owner

    return owner_in_view


@defect_of(
    channel,
    "unload_namespace",
    "A namespace of which one bundle has no owner cannot be unloaded.",
    "LK10",
)
def unowned_bundle_ends_the_loop(original: Function) -> Function:
    def unload_namespace(world: World, name: BrokerId, edition: Edition) -> None:
        for bundle in CHILDREN if world.divided else (PARENT,):
            channel.unload(world, name, bundle, None, edition)

    return unload_namespace


@defect_of(channel, "unload_namespace", "An unload of a namespace is over after its first bundle.")
def first_bundle_of_a_namespace(original: Function) -> Function:
    def unload_namespace(world: World, name: BrokerId, edition: Edition) -> None:
        with suppress(channel.NotOwned):
            channel.unload(world, name, LEFT if world.divided else PARENT, None, edition)

    return unload_namespace


@defect_of(
    channel_upkeep,
    "overriding",
    "A transfer that took too long ends as an unload: nobody serves the bundle.",
)
def override_loses_the_destination(original: Function) -> Function:
    def overriding(world: World, record: Record, *rest: Any) -> Record | None:
        update: Record | None = original(world, record, *rest)
        if record.state is State.RELEASING and record.transfer and update is not None:
            return replace(update, state=State.RELEASING, destination=None, source=record.source)
        return update

    return overriding


EFFECTS: Final = (
    unowned_bundle_ends_the_loop,
    first_bundle_of_a_namespace,
    override_loses_the_destination,
    assigned_to_who_was_asked,
    defect(
        "destination-ignored",
        channel,
        "unload",
        first(3, lambda to: None),
        "`unload -d` frees the bundle like any other unload.",
    ),
    defect(
        "unload-only-accepted",
        channel,
        "unload",
        _only_accepted,
        "An unload is answered as done, and the old owner goes on serving.",
    ),
    defect(
        "split-never-carried-out",
        channel,
        "split",
        _only_accepted,
        "A split is answered as done, and the hot bundle stays whole.",
    ),
    shut_down_put_off,
    lost_bundles_freed,
    lookup_knows_nobody,
    only_owners_unload,
)
