"""Mutants of the channel that keep every prohibition, and do not do what they are asked for."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import Function, defect_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import channel, channel_upkeep
from evenkeel.reference.ownership.channel_world import CHILDREN, PARENT, Broker, World
from evenkeel.reference.ownership.records import (
    IN_FLIGHT,
    BrokerId,
    BundleName,
    Record,
    State,
    Storage,
    next_version,
    state_of,
)


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


@defect_of(
    channel,
    "unload",
    "A transfer is dropped, and reported as done, while the namespace's other bundle is moving.",
)
def one_transfer_at_a_time(original: Function) -> Function:
    def unload(
        world: World, name: BrokerId, bundle: BundleName, to: BrokerId | None, edition: Edition
    ) -> None:
        siblings = [half for half in CHILDREN if half != bundle and bundle in CHILDREN]
        if to is None or not any(latest(world, half) in IN_FLIGHT for half in siblings):
            original(world, name, bundle, to, edition)

    return unload


@defect_of(
    channel,
    "unload",
    "A transfer is dropped, and reported as done, until everybody has read whose the bundle is.",
)
def transfer_of_what_was_just_assigned_lost(original: Function) -> Function:
    def unload(
        world: World, name: BrokerId, bundle: BundleName, to: BrokerId | None, edition: Edition
    ) -> None:
        views = (broker.view.get(bundle) for broker in world.brokers.values() if broker.alive)
        if to is None or all(state_of(record) is State.OWNED for record in views):
            original(world, name, bundle, to, edition)

    return unload


def latest(world: World, bundle: BundleName) -> State:
    """The state in the newest record that was published of a bundle."""
    if world.storage is Storage.NODES:
        return state_of(world.nodes.get(bundle))
    published = (message.record for message in world.log[::-1] if message.bundle == bundle)
    return state_of(next(published, None))


@defect_of(
    channel_upkeep,
    "monitor",
    "The leader's monitor takes what has just begun for late, and gives it to anybody.",
)
def monitor_does_not_wait(original: Function) -> Function:
    def monitor(world: World, broker: Broker, edition: Edition) -> None:
        original(world, broker, edition)
        if world.leads(broker) and broker.connected:
            for bundle, record in channel_upkeep.seen_by(broker):
                if record.state in IN_FLIGHT:
                    channel_upkeep.override(world, broker, bundle, record, None, edition)

    return monitor


EFFECTS: Final = (
    one_transfer_at_a_time,
    transfer_of_what_was_just_assigned_lost,
    monitor_does_not_wait,
    unowned_bundle_ends_the_loop,
    lost_bundles_freed,
)
