"""Mutants of the channel that keep every prohibition, and do not do what they are asked for."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import Function, defect_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import channel, channel_upkeep
from evenkeel.reference.ownership.channel_world import CHILDREN, PARENT, World
from evenkeel.reference.ownership.records import (
    BrokerId,
    Record,
    State,
    next_version,
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


EFFECTS: Final = (
    unowned_bundle_ends_the_loop,
    lost_bundles_freed,
)
