"""What must be so when a channel has settled (OWN-11 to OWN-15, OWN-40, OWN-42 to OWN-47)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenkeel.properties.ownership.channel.commands import Bundle
from evenkeel.properties.ownership.channel.effects import effects_at_rest
from evenkeel.properties.ownership.channel.trial import (
    HalfName,
    SeenRecord,
    Step,
    broker_of,
    halves_of,
)
from evenkeel.properties.ownership.records.trial import RecordData
from evenkeel.properties.ownership.succession import distance
from evenkeel.reference.ownership.records import ACTIVE, IN_FLIGHT, State

if TYPE_CHECKING:
    from evenkeel.properties.ownership.channel.judge import ChannelMonitor

View = dict[Bundle, RecordData]


def at_rest(world: ChannelMonitor, step: Step) -> None:
    """The views agree, nothing is in flight, and who owns a bundle serves it."""
    views = views_by_broker(world, step.views)
    if not views:
        return
    first, agreed = next(iter(views.items()))
    for broker, view in views.items():
        if broker != first:
            sentence = "broker {} sees {}, another {}"
            world.note("OWN-12", view == agreed, "", sentence, broker, view, agreed)
    busy = [bundle.value for bundle, record in agreed.items() if record.state in IN_FLIGHT]
    if busy or world.in_flight:
        world.note("OWN-11", not busy, "", "still in transition: {}", ", ".join(sorted(busy)))
    world.in_flight = False
    if world.open:
        world.note("OWN-15", False, "waits", "lookups still wait: {}", sorted(world.open))
    owners_serve(world, agreed, step)
    for bundle, last in world.counted.items():
        if bundle in agreed:
            version, sentence = agreed[bundle].version, "version {} of {} has stood, and all see {}"
            newer = version == last or distance(last, version) > 0
            world.note("OWN-40", newer, "seen", sentence, last, bundle.value, agreed[bundle])
    if world.divided:
        parent = agreed.get(Bundle.PARENT)
        gone = parent is None or parent.state not in ACTIVE
        world.note("OWN-14", gone, "back", "the parent was divided and is back: {}", parent)
    effects_at_rest(world, agreed, step)


def views_by_broker(world: ChannelMonitor, views: tuple[SeenRecord, ...]) -> dict[int, View]:
    """The view of each broker that is registered and stays."""
    staying = sorted((world.registered - world.leaving) & world.alive)
    found: dict[int, View] = {broker: {} for broker in staying}
    for seen in views:
        if seen.broker in found:
            found[seen.broker][seen.bundle] = seen.record
    return found


def owners_serve(world: ChannelMonitor, agreed: View, step: Step) -> None:
    """Every bundle is served, whole, by its owner; and nobody serves what it does not own."""
    serves = {(served.broker, half) for served in step.serves for half in served.hashes}
    owned: set[tuple[int, HalfName]] = set()
    for bundle, record in agreed.items():
        owner = broker_of(record.destination)
        if record.state is State.OWNED and owner is not None:
            halves = {(owner, half) for half in halves_of(bundle)}
            owned |= halves
            sentence = "broker {} owns {} and does not serve it"
            world.note("OWN-13", halves <= serves, "not served", sentence, owner, bundle.value)
    for broker, half in sorted(serves - owned, key=str):
        sentence = "broker {} serves {} and owns nothing of it"
        world.note("OWN-13", False, "not owned", sentence, broker, half.value)
