"""Mutants of the locks that keep every prohibition, and do not do what they are asked for."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import Function, defect_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import locks, locks_lookup, locks_owning
from evenkeel.reference.ownership.locks_state import (
    Broker,
    BundleState,
    Ended,
    Outcome,
    Request,
    World,
)


@defect_of(locks, "stop", "A broker that is to stop goes on serving until its process is killed.")
def stops_without_unloading(original: Function) -> Function:
    def stop(world: World, broker: Broker) -> None:
        broker.stopping = broker.running

    return stop


@defect_of(locks_owning, "unload", "An unload is answered as done, and the broker goes on serving.")
def unload_done_at_once(original: Function) -> Function:
    def unload(world: World, broker: Broker, bundle: int, number: int | None) -> None:
        if number is not None and broker.standing(bundle) is BundleState.SERVING:
            world.ended.append(Ended(number, Outcome.DONE))
        else:
            original(world, broker, bundle, number)

    return unload


@defect_of(
    locks_lookup,
    "look_up",
    "Tools that only ask who serves a bundle are answered that nobody does.",
)
def readers_find_nobody(original: Function) -> Function:
    def look_up(
        world: World, broker: Broker, number: int, request: Request, edition: Edition
    ) -> None:
        if request.read_only:
            world.ended.append(Ended(number, Outcome.EMPTY))
        else:
            original(world, broker, number, request, edition)

    return look_up


EFFECTS: Final = (
    stops_without_unloading,
    unload_done_at_once,
    readers_find_nobody,
)
