"""Mutants of the channel: reading, handling, lookups; upkeep; what is remembered of removals."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.mutant_maker import (
    Function,
    always,
    around,
    defect,
    defect_of,
    equivalent,
    equivalent_of,
    first,
    instead,
    switched,
    then,
)
from evenkeel.properties.ownership.channel.mutants_effects import EFFECTS
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.ownership import (
    channel,
    channel_events,
    channel_lookup,
    channel_upkeep,
)
from evenkeel.reference.ownership.channel_world import (
    TOMBSTONE_AFTER,
    Broker,
    Message,
    Then,
    Ticket,
    Work,
    World,
)
from evenkeel.reference.ownership.records import (
    IN_FLIGHT,
    BrokerId,
    BundleName,
    Record,
    State,
    next_version,
    owner_named_by,
    state_of,
)


@defect_of(
    channel_events, "act_on_assigning", "Every broker that reads an assignment declares it done."
)
def anybody_says_owned(original: Function) -> Function:
    def act(
        world: World, broker: Broker, bundle: BundleName, record: Record, edition: Edition
    ) -> None:
        owned = replace(record, state=State.OWNED, version=next_version(record))
        channel_events.publish(world, broker, bundle, owned, edition)

    return act


@defect_of(channel_events, "finish", "The source reports a bundle released and goes on serving it.")
def closing_closes_nothing(original: Function) -> Function:
    def finish(world: World, broker: Broker, work: Work, edition: Edition) -> None:
        kept = set(broker.serves)
        original(world, broker, work, edition)
        broker.serves = kept

    return finish


@defect_of(channel_events, "begin", "The destination serves while the source still closes.")
def released_before_closed(original: Function) -> Function:
    def begin(
        world: World, broker: Broker, bundle: BundleName, then: Then, record: Record | None
    ) -> None:
        original(world, broker, bundle, then, record)
        if then is Then.PUBLISH and record is not None:
            broker.works[-1] = replace(broker.works[-1], then=Then.NOTHING)
            after = State.ASSIGNING if record.transfer else State.FREE
            update = channel_events.follower(record, after)
            channel_events.publish(world, broker, bundle, update, PULSAR_4_0)

    return begin


@equivalent_of(
    channel_upkeep, "select", "Overrides go to the last registered broker, not to the first."
)
def another_broker_selected(original: Function) -> Function:
    def select(world: World, excluded: BrokerId | None) -> BrokerId | None:
        able = [b for b in world.live() if b.registered and not b.disabled and b.name != excluded]
        return able[-1].name if able else None

    return select


@equivalent_of(channel_events, "fold", "A removal in the topic counts as a version of its own.")
def removal_has_a_version(original: Function) -> Function:
    def fold(broker: Broker, message: Message, edition: Edition) -> bool:
        stands = bool(original(broker, message, edition))
        if stands and message.record is None and message.bundle in broker.removed:
            broker.removed[message.bundle] += 1
        return stands

    return fold


def open_early(
    _: World, broker: Broker, bundle: BundleName, record: Record | None, edition: Edition
) -> None:
    if record and record.state in IN_FLIGHT and record.destination == broker.name:
        channel_events.open_topics(broker, bundle, edition)


def end_at_once(
    world: World, broker: Broker, bundle: BundleName, ticket: Ticket, checked: bool
) -> None:
    if owner_named_by(broker.view.get(bundle)) is None:
        channel_lookup.end(world, ticket, None)


def tell_one(world: World, bundle: BundleName) -> None:
    for broker in world.live()[:1]:
        if bundle not in broker.told:
            broker.told.append(bundle)


def remove_old(world: World, broker: Broker, edition: Edition) -> None:
    if world.leads(broker) and broker.connected:
        for bundle, record in list(broker.view.items()):
            if world.now - record.published > TOMBSTONE_AFTER:
                channel_events.tombstone(world, broker, bundle, record, edition)


def _the_last_one(_: Function) -> Function:
    def select(world: World, excluded: str | None) -> str | None:
        brokers = [broker for broker in world.live() if broker.registered and not broker.disabled]
        others = [broker.name for broker in brokers if broker.name != excluded]
        return others[-1] if others else None

    return select


MUTANTS: Final = (
    defect(
        "serves-early",
        channel_events,
        "act",
        around(before=open_early),
        "The destination of a transfer serves while the source still does.",
    ),
    defect(
        "everybody-serves",
        channel_events,
        "act_on_owned",
        around(
            after=lambda _world, broker, bundle, _record, edition: channel_events.open_topics(
                broker, bundle, edition
            )
        ),
        "Each broker that hears of an owner loads the topics itself.",
    ),
    defect(
        "only-the-first-is-told",
        channel_events,
        "tell",
        lambda _: tell_one,
        "Brokers are not told of changed nodes; views differ for ever.",
    ),
    defect(
        "removal-unconditional",
        channel_events,
        "tombstone",
        switched(tombstones_unconditional=True),
        "A late removal erases the record of a newer owner.",
    ),
    defect(
        "parent-assigned-again",
        channel,
        "require_bundle",
        switched(any_key_in_channel=True),
        "A divided parent is assigned by a late lookup and starts a new life.",
        "OW11",
    ),
    defect(
        "lookup-in-releasing-waits",
        channel_lookup,
        "ask",
        instead(
            lambda _, broker, bundle, _ticket: state_of(broker.view.get(bundle)) is State.RELEASING,
            lambda world, broker, bundle, ticket: channel_lookup.join(
                world, broker, bundle, ticket, checked=True
            ),
        ),
        "During an unload lookups wait, and the unload for them.",
        "OW15",
        edition=PULSAR_4_0,
    ),
    defect(
        "names-itself",
        channel_lookup,
        "ask",
        instead(
            lambda _, broker, bundle, _ticket: bundle not in broker.view,
            lambda world, broker, _, ticket: channel_lookup.end(world, ticket, broker.name),
        ),
        "A broker that knows of no record names itself.",
    ),
    defect(
        "lookup-ends-twice",
        channel_lookup,
        "join",
        around(after=end_at_once),
        "A lookup that waits is answered at once, and again later.",
    ),
    defect(
        "leaving-broker-ignores-its-releases",
        channel_events,
        "handle",
        instead(lambda _world, broker, *_: bool(broker.disabled), lambda *_: None),
        "A broker that shuts down does not end the unloading that it began.",
        "OW21",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "halves-in-other-order",
        channel_events,
        "begin_split",
        first(3, lambda record: replace(record, children=record.children[::-1])),
        "The right half's record is written first.",
    ),
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
        instead(lambda _, gone: gone is not None, lambda _, gone: gone),
        "Clean-up gives a lost broker's bundles to the lost broker.",
    ),
    defect(
        "no-health-check",
        channel_upkeep,
        "healthy",
        always(False),
        "An outdated notice takes a healthy broker's bundles away.",
        "OW23",
    ),
    defect(
        "everybody-cleans",
        channel_upkeep,
        "notice_gone",
        lambda _: lambda world, broker, other: broker.cleanups.setdefault(other, world.now),
        "All brokers override a lost broker's bundles at once.",
    ),
    defect(
        "override-with-equal-version",
        channel_upkeep,
        "overriding",
        then(lambda update: update and replace(update, version=update.version - 1)),
        "Overrides never stand; with the last broker gone nothing can be assigned any more.",
        "OW17",
    ),
    defect(
        "monitor-removes-what-is-used",
        channel_upkeep,
        "monitor",
        around(after=remove_old),
        "The monitor removes the record of a bundle that was owned for long.",
        "OW14",
    ),
    *EFFECTS,
    equivalent(
        "last-broker-is-given-bundles",
        channel_upkeep,
        "select",
        _the_last_one,
        "Of the brokers that may get a bundle the last one gets it.",
    ),
)
