"""Mutants of the channel's upkeep: clean-up, overrides, monitor, restarts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.ownership.mutant_maker import Function, correct, defect, switched
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.ownership import (
    channel,
    channel_events,
    channel_upkeep,
)
from evenkeel.reference.ownership.channel_world import (
    TOMBSTONE_AFTER,
    Broker,
    World,
)
from evenkeel.reference.ownership.records import (
    BrokerId,
    Record,
    State,
)


def _to_the_lost(original: Function) -> Function:
    def select(world: World, excluded: BrokerId | None) -> BrokerId | None:
        return excluded if excluded is not None else original(world, excluded)

    return select


def _never_healthy(original: Function) -> Function:
    return lambda world, broker, other: False


def _everybody_cleans(original: Function) -> Function:
    def notice_gone(world: World, broker: Broker, other: BrokerId) -> None:
        broker.cleanups.setdefault(other, world.now)

    return notice_gone


def _owners_only(original: Function) -> Function:
    return lambda record, gone: record.destination == gone and record.state is State.OWNED


def _same_version(original: Function) -> Function:
    def overriding(*arguments: Any) -> Record | None:
        update: Record | None = original(*arguments)
        return update and replace(update, version=update.version - 1)

    return overriding


def _old_is_removed(original: Function) -> Function:
    def monitor(world: World, broker: Broker, edition: Edition) -> None:
        original(world, broker, edition)
        if world.leads(broker) and broker.connected:
            for bundle, record in list(broker.view.items()):
                if world.now - record.published > TOMBSTONE_AFTER:
                    channel_events.tombstone(world, broker, bundle, record, edition)

    return monitor


def _lost_in_flight(original: Function) -> Function:
    def missing(world: World, record: Record) -> BrokerId | None:
        return original(world, record) if record.state is State.OWNED else None

    return missing


def _view_kept(original: Function) -> Function:
    def restart(world: World, name: BrokerId, edition: Edition) -> None:
        original(world, name, edition)
        world.brokers[name].view.clear()

    return restart


def _no_wait_after_return(original: Function) -> Function:
    def notice_gone(world: World, broker: Broker, other: BrokerId) -> None:
        original(world, broker, other)
        if other in broker.cleanups:
            broker.cleanups[other] = world.now

    return notice_gone


def _other_choice(original: Function) -> Function:
    def select(world: World, excluded: BrokerId | None) -> BrokerId | None:
        able = [b for b in world.live() if b.registered and not b.disabled and b.name != excluded]
        return able[-1].name if able else None

    return select


UPKEEP: Final[tuple[Mutant, ...]] = (
    defect(
        "serves-without-registration",
        channel_upkeep,
        "unregister",
        switched(unregistered_brokers_own=True),
        "A broker that has lost its session goes on serving what others are given.",
    ),
    defect(
        "overrides-to-the-lost",
        channel_upkeep,
        "select",
        _to_the_lost,
        "Clean-up gives a lost broker's bundles to the lost broker.",
    ),
    defect(
        "no-health-check",
        channel_upkeep,
        "healthy",
        _never_healthy,
        "An outdated notice takes a healthy broker's bundles away.",
        "OW23",
    ),
    defect(
        "everybody-cleans",
        channel_upkeep,
        "notice_gone",
        _everybody_cleans,
        "All brokers override a lost broker's bundles at once.",
    ),
    defect(
        "only-owned-is-cleaned",
        channel_upkeep,
        "concerns",
        _owners_only,
        "Bundles that were in flight to a lost broker stay there.",
        edition=PULSAR_4_0,
    ),
    defect(
        "override-with-equal-version",
        channel_upkeep,
        "overriding",
        _same_version,
        "Overrides never stand; with the last broker gone nothing can be assigned any more.",
        "OW17",
    ),
    defect(
        "divisions-freed",
        channel_upkeep,
        "overriding",
        switched(divisions_freed=True),
        "The last broker frees what it is splitting, and divides it when another has it.",
    ),
    defect(
        "monitor-removes-what-is-used",
        channel_upkeep,
        "monitor",
        _old_is_removed,
        "The monitor removes the record of a bundle that was owned for long.",
        "OW14",
    ),
    defect(
        "in-flight-to-the-lost-not-seen",
        channel_upkeep,
        "missing_broker",
        _lost_in_flight,
        "The monitor overlooks transfers to brokers that are gone.",
        edition=PULSAR_4_0,
    ),
    defect(
        "starts-without-records",
        channel,
        "restart",
        _view_kept,
        "A broker that starts knows nothing of older records.",
    ),
    defect(
        "clean-up-without-patience",
        channel_upkeep,
        "notice_gone",
        _no_wait_after_return,
        "A leader whose session just came back cleans up brokers that are coming back too.",
        edition=PULSAR_4_0,
    ),
    correct(
        "another-broker-selected",
        channel_upkeep,
        "select",
        _other_choice,
        "Overrides go to the last registered broker, not to the first.",
    ),
)
