"""Mutants of the channel's brokers: reading, handling, lookups."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.ownership.mutant_maker import Function, correct, defect, switched
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.ownership import (
    channel,
    channel_events,
    channel_lookup,
)
from evenkeel.reference.ownership.channel_world import (
    Broker,
    Then,
    Ticket,
    Work,
    World,
)
from evenkeel.reference.ownership.records import (
    IN_FLIGHT,
    BundleName,
    Record,
    State,
    next_version,
    owner_named_by,
)


def _no_more(original: Function) -> Function:
    return lambda *arguments: None


def _anybody_owns(original: Function) -> Function:
    def act(
        world: World, broker: Broker, bundle: BundleName, record: Record, edition: Edition
    ) -> None:
        owned = replace(record, state=State.OWNED, version=next_version(record))
        channel_events.publish(world, broker, bundle, owned, edition)

    return act


def _opens_early(original: Function) -> Function:
    def act(
        world: World,
        broker: Broker,
        bundle: BundleName,
        record: Record | None,
        edition: Edition,
    ) -> None:
        flying = record is not None and record.state in IN_FLIGHT
        if flying and record is not None and record.destination == broker.name:
            channel_events.open_topics(broker, bundle, edition)
        original(world, broker, bundle, record, edition)

    return act


def _everybody_opens(original: Function) -> Function:
    def act(
        world: World, broker: Broker, bundle: BundleName, record: Record, edition: Edition
    ) -> None:
        original(world, broker, bundle, record, edition)
        channel_events.open_topics(broker, bundle, edition)

    return act


def _keeps_topics(original: Function) -> Function:
    def finish(world: World, broker: Broker, work: Work, edition: Edition) -> None:
        kept = set(broker.serves)
        original(world, broker, work, edition)
        broker.serves = kept

    return finish


def _publishes_before_closing(original: Function) -> Function:
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


def _halves_first_free(original: Function) -> Function:
    def begin_split(
        world: World, broker: Broker, bundle: BundleName, record: Record, edition: Edition
    ) -> None:
        original(world, broker, bundle, replace(record, children=()), edition)

    return begin_split


def _halves_overwritten(original: Function) -> Function:
    def begin_split(
        world: World, broker: Broker, bundle: BundleName, record: Record, edition: Edition
    ) -> None:
        for child in record.children:
            channel_events.open_topics(broker, child, edition)
            version = next_version(broker.view.get(child))
            owned = Record(State.OWNED, broker.name, None, version, force=True)
            channel_events.publish(world, broker, child, owned, edition)
        original(world, broker, bundle, replace(record, children=()), edition)

    return begin_split


def _nobody_told(original: Function) -> Function:
    def tell(world: World, bundle: BundleName) -> None:
        for broker in world.live()[:1]:
            if bundle not in broker.told:
                broker.told.append(bundle)

    return tell


def _always_waits(original: Function) -> Function:
    def ask(world: World, broker: Broker, bundle: BundleName, ticket: Ticket) -> None:
        record = broker.view.get(bundle)
        if record is not None and record.state is State.RELEASING:
            channel_lookup.join(world, broker, bundle, ticket, checked=True)
        else:
            original(world, broker, bundle, ticket)

    return ask


def _names_itself(original: Function) -> Function:
    def ask(world: World, broker: Broker, bundle: BundleName, ticket: Ticket) -> None:
        if bundle in broker.view:
            original(world, broker, bundle, ticket)
        else:
            channel_lookup.end(world, ticket, broker.name)

    return ask


def _ends_twice(original: Function) -> Function:
    def join(
        world: World, broker: Broker, bundle: BundleName, ticket: Ticket, checked: bool
    ) -> None:
        original(world, broker, bundle, ticket, checked)
        if owner_named_by(broker.view.get(bundle)) is None:
            channel_lookup.end(world, ticket, None)

    return join


def _closing_first(original: Function) -> Function:
    def handle(
        world: World,
        broker: Broker,
        bundle: BundleName,
        record: Record | None,
        edition: Edition,
    ) -> None:
        if not broker.disabled:
            original(world, broker, bundle, record, edition)

    return handle


def _halves_in_turn(original: Function) -> Function:
    def begin_split(
        world: World, broker: Broker, bundle: BundleName, record: Record, edition: Edition
    ) -> None:
        turned = replace(record, children=record.children[::-1])
        original(world, broker, bundle, turned, edition)

    return begin_split


CHANNEL: Final[tuple[Mutant, ...]] = (
    defect(
        "assigned-is-not-owned",
        channel_events,
        "act_on_assigning",
        _no_more,
        "The broker that is to own a bundle never says so; at each clean-up it goes on.",
        edition=PULSAR_4_0,
    ),
    defect(
        "anybody-says-owned",
        channel_events,
        "act_on_assigning",
        _anybody_owns,
        "Every broker that reads an assignment declares it done.",
    ),
    defect(
        "serves-early",
        channel_events,
        "act",
        _opens_early,
        "The destination of a transfer serves while the source still does.",
    ),
    defect(
        "everybody-serves",
        channel_events,
        "act_on_owned",
        _everybody_opens,
        "Each broker that hears of an owner loads the topics itself.",
    ),
    defect(
        "closing-closes-nothing",
        channel_events,
        "finish",
        _keeps_topics,
        "The source reports a bundle released and goes on serving it.",
    ),
    defect(
        "released-before-closed",
        channel_events,
        "begin",
        _publishes_before_closing,
        "The destination serves while the source still closes.",
    ),
    defect(
        "halves-left-out",
        channel_events,
        "begin_split",
        _halves_first_free,
        "After a split nobody owns the halves.",
    ),
    defect(
        "halves-forced",
        channel_events,
        "begin_split",
        _halves_overwritten,
        "A split takes over halves that another broker owns.",
    ),
    defect(
        "only-the-first-is-told",
        channel_events,
        "tell",
        _nobody_told,
        "Brokers are not told of changed nodes; views differ for ever.",
    ),
    defect(
        "removal-unconditional",
        channel_events,
        "tombstone",
        switched(tombstones_unconditional=True),
        "A late removal erases the record of a newer owner (facts F16).",
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
        _always_waits,
        "During an unload lookups wait, and the unload for them.",
        "OW15",
        edition=PULSAR_4_0,
    ),
    defect(
        "names-itself",
        channel_lookup,
        "ask",
        _names_itself,
        "A broker that knows of no record names itself.",
    ),
    defect(
        "lookup-ends-twice",
        channel_lookup,
        "join",
        _ends_twice,
        "A lookup that waits is answered at once, and again later.",
    ),
    defect(
        "nobody-gives-up",
        channel_lookup,
        "give_up",
        _no_more,
        "A lookup whose owner never comes waits for ever.",
    ),
    defect(
        "leaving-broker-ignores-its-releases",
        channel_events,
        "handle",
        _closing_first,
        "A broker that shuts down does not end the unloading that it began.",
        "OW21",
        edition=PULSAR_4_0,
    ),
    correct(
        "halves-in-other-order",
        channel_events,
        "begin_split",
        _halves_in_turn,
        "The right half's record is written first.",
    ),
)
