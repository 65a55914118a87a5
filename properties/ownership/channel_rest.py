"""What must be so when a channel has settled (OWN-11 to OWN-15, OWN-40)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenkeel.properties.ownership.trials_channel import Bundle, HalfName, RecordData, Seen, Step
from evenkeel.reference.ownership.conflict import Order, order
from evenkeel.reference.ownership.records import ACTIVE, IN_FLIGHT, State

if TYPE_CHECKING:
    from evenkeel.properties.ownership.channel_walk import Followed

View = dict[Bundle, RecordData]


def at_rest(world: Followed, step: Step) -> None:
    """The views agree, nothing is in flight, and who owns a bundle serves it."""
    views = views_by_broker(world, step.views)
    if not views:
        return
    agreed = next(iter(views.values()))
    for broker, view in views.items():
        world.note("OWN-12", view == agreed, f"broker {broker} sees {view}, another {agreed}")
    busy = {bundle.value for bundle, record in agreed.items() if record.state in IN_FLIGHT}
    world.note("OWN-11", not busy, f"still in transition: {', '.join(sorted(busy))}")
    world.note("OWN-15", not world.open, f"lookups still wait: {sorted(world.open)}", "waits")
    owners_serve(world, agreed, step)
    counted_on(world, agreed)
    parent_gone(world, agreed)


def views_by_broker(world: Followed, views: tuple[Seen, ...]) -> dict[int, View]:
    """The view of each broker that is registered and stays."""
    found: dict[int, View] = {
        broker: {} for broker in sorted(world.registered - world.leaving) if broker in world.alive
    }
    for seen in views:
        if seen.broker in found:
            found[seen.broker][seen.bundle] = seen.record
    return found


def owners_serve(world: Followed, agreed: View, step: Step) -> None:
    """Every bundle is served, whole, by its owner; and nobody serves what it does not own."""
    serves = {(served.broker, half) for served in step.serves for half in served.hashes}
    owned: set[tuple[int, HalfName]] = set()
    for bundle, record in agreed.items():
        if record.state is State.OWNED and record.destination is not None:
            owner = int(record.destination[1:])
            halves = {(owner, half) for half in halves_of(bundle)}
            owned |= halves
            sentence = f"broker {owner} owns {bundle.value} and does not serve it"
            world.note("OWN-13", halves <= serves, sentence, "not served")
    for broker, half in sorted(serves - owned, key=str):
        sentence = f"broker {broker} serves {half.value} and owns nothing of it"
        world.note("OWN-13", False, sentence, "not owned")


def counted_on(world: Followed, agreed: View) -> None:
    """What stands is not older than what was removed, or stood after that (OWN-40)."""
    for bundle, last in world.counted.items():
        record = agreed.get(bundle)
        if record is not None:
            newer = record.version == last or order(last, record.version) is not Order.OLD
            sentence = f"version {last} of {bundle.value} has stood, and all see {record}"
            world.note("OWN-40", newer, sentence, "seen")


def parent_gone(world: Followed, agreed: View) -> None:
    """A divided parent has no record in use; and halves divide it."""
    if not world.divided:
        return
    parent = agreed.get(Bundle.PARENT)
    gone = parent is None or parent.state not in ACTIVE
    world.note("OWN-14", gone, f"the parent was divided and is back: {parent}", "back")


def halves_of(bundle: Bundle) -> tuple[HalfName, ...]:
    """The hashes of a bundle."""
    if bundle is Bundle.PARENT:
        return (HalfName.LEFT, HalfName.RIGHT)
    return (HalfName(bundle.value),)
