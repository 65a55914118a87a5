"""What commands must have brought about once a channel is quiescent (OWN-42 to OWN-49, OWN-51).

A *calm* stretch lies between two moments of rest, the beginning among them, without a fault and
without a monitor that may take for late what is only slow. A bundle about which one command was
given in a calm stretch, and none about hashes of it, must be at its end what the command asked
for; what was asked for of its siblings does not matter. After faults only what holds of any
stretch is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.ownership.channel import commands as do
from evenkeel.properties.ownership.channel.commands import Bundle, ChannelCommand
from evenkeel.properties.ownership.channel.trial import (
    HalfName,
    Lookup,
    LookupEnd,
    Step,
    broker_of,
    halves_of,
)
from evenkeel.properties.ownership.records.trial import RecordData
from evenkeel.reference.ownership.records import ACTIVE, State

if TYPE_CHECKING:
    from evenkeel.properties.ownership.channel.judge import ChannelMonitor

View = dict[Bundle, RecordData]
Order = do.Assign | do.Unload | do.UnloadNamespace | do.Split
HALVES: Final = (Bundle.LEFT, Bundle.RIGHT)
WHOLE: Final = (do.UnloadNamespace, do.Split)
"""Orders that name no bundle: they are about the parent and its halves."""

CALM: Final = (do.Read, do.Ask, do.Notice, do.Clean, do.Compact, do.Elect, do.Elapse, do.Settle)
"""Commands that are no fault, and ask for nothing."""


@dataclass(slots=True)
class Effects:
    """What stood at the last rest, and what has happened since.

    `sound`: every owner served then, and nobody else. `orders`: commands about bundles that were
    accepted; `ordered`: when the first was. `firm`: what was carried out since, all of it, before
    the next order about the same bundle. `calm`: no fault since. `deserted`: for a moment no broker
    could take a bundle. `gone`: who could not at some moment. `unconnected`: brokers without a
    session.
    """

    rest: View = field(default_factory=dict)
    sound: bool = True
    orders: list[Order] = field(default_factory=list)
    ordered: int | None = None
    firm: View = field(default_factory=dict)
    calm: bool = True
    deserted: bool = False
    gone: set[int] = field(default_factory=set)
    unconnected: set[int] = field(default_factory=set)

    def about(self, bundle: Bundle) -> list[Order]:
        """The orders that may touch a bundle: about it, its parent, or its halves."""
        return [order for order in self.orders if overlap(bundle_of(order), bundle)]

    def undisturbed(self, bundle: Bundle) -> bool:
        """Nothing has happened to the bundle since the last rest."""
        return self.calm and not self.about(bundle)


def bundle_of(order: Order) -> Bundle:
    """The bundle that an order is about."""
    return Bundle.PARENT if isinstance(order, WHOLE) else order.bundle


def staying(world: ChannelMonitor) -> set[int]:
    """The brokers that can own bundles."""
    return (world.registered - world.leaving) & world.alive


def owner_of(record: RecordData | None) -> int | None:
    """The owner, if the bundle is owned."""
    owned = record is not None and record.state is State.OWNED
    return broker_of(record.destination) if owned and record else None


# ------------------------------------------------------------------------- before a command


def legal(world: ChannelMonitor, command: ChannelCommand) -> bool:
    """Whether a command must be accepted; what cannot be known from outside need not be."""
    effects = world.effects
    if isinstance(command, do.Compact | do.Elapse):
        return True
    if isinstance(command, do.Settle):
        return bool(staying(world))
    running = command.broker in world.alive
    able = command.broker in staying(world)
    match command:
        case do.RestartBroker():
            return not running
        case do.LoseSession():
            return running and command.broker not in effects.unconnected
        case do.RegainSession():
            return running and command.broker in effects.unconnected
        case do.ShutDown():
            return running and command.broker not in world.leaving
        case do.Elect():
            return able
        case do.Finish():
            return False
        case do.Assign():
            return running and current(world, command.bundle)
        case do.UnloadNamespace():
            return able and effects.undisturbed(Bundle.PARENT)
        case do.Unload() | do.Split():
            return able and unloadable(world, bundle_of(command))
    return running


def current(world: ChannelMonitor, bundle: Bundle) -> bool:
    """Is it one of its namespace's bundles?"""
    return bundle is Bundle.OTHER or (bundle is not Bundle.PARENT) == world.divided


def unloadable(world: ChannelMonitor, bundle: Bundle) -> bool:
    """Everybody knows that the bundle is owned, and by whom."""
    effects = world.effects
    owner = owner_of(effects.rest.get(bundle))
    return effects.undisturbed(bundle) and current(world, bundle) and owner in staying(world)


def before(world: ChannelMonitor, index: int, command: ChannelCommand, step: Step) -> None:
    """A command that makes sense is accepted (OWN-49); what is owned is found (OWN-48)."""
    refused = isinstance(step.result, CommandRefused | CommandBroke)
    if legal(world, command):
        world.note("OWN-49", not refused, type(command).__name__, "{}: {}", command, step.result)
    if isinstance(command, do.Ask) and not refused:
        owner = owner_of(world.effects.rest.get(command.bundle))
        known = command.broker in staying(world) and unloadable(world, command.bundle)
        if known and owner is not None:
            right = Lookup(index, LookupEnd.OWNER, owner) in step.ended
            sentence = "command {}: {} of a bundle that broker {} owns ended {}"
            world.note("OWN-48", right, "", sentence, index + 1, command, owner, step.ended)
    if not refused:
        noted(world, command, step)


def noted(world: ChannelMonitor, command: ChannelCommand, step: Step) -> None:
    """An accepted command is an order, a fault, or neither."""
    effects = world.effects
    match command:
        case do.Assign() | do.Unload() | do.UnloadNamespace() | do.Split():
            if isinstance(command, do.Unload) and is_firm(world, command):
                effects.firm[command.bundle] = world.standing[command.bundle]
                done = effects.about(command.bundle)
                effects.orders = [order for order in effects.orders if order not in done]
            effects.orders.append(command)
            effects.ordered = world.now if effects.ordered is None else effects.ordered
            effects.calm = effects.calm and able_to(world, command)
        case do.Finish(_, _, fails):
            effects.calm = effects.calm and not fails
        case do.Monitor():
            effects.calm = effects.calm and nothing_due(world, step)
        case _:
            effects.calm = effects.calm and isinstance(command, CALM)
    match command:
        case do.LoseSession(broker):
            effects.unconnected.add(broker)
        case do.RegainSession(broker) | do.RestartBroker(broker):
            effects.unconnected.discard(broker)


def is_firm(world: ChannelMonitor, order: do.Unload) -> bool:
    """Whether all that was asked for of a bundle is so when its owner is asked to unload it: it was
    assigned to the owner, whose record stands, and who serves it alone. Nothing else in use has
    hashes of it.
    """
    earlier = world.effects.about(order.bundle)
    owner = owner_of(world.standing.get(order.bundle))
    halves = halves_of(order.bundle)
    others = in_use_in(world.standing) - {order.bundle}
    return (
        bool(earlier)
        and not any(overlap(order.bundle, other) for other in others)
        and owner == order.broker
        and all(isinstance(one, do.Assign) and one.to == owner for one in earlier)
        and {broker for broker, half in world.serves if half in halves} == {owner}
    )


def able_to(world: ChannelMonitor, order: Order) -> bool:
    """Whoever is named in an order takes part."""
    to = None if isinstance(order, WHOLE) else order.to
    return order.broker in staying(world) and (to is None or to in staying(world))


def nothing_due(world: ChannelMonitor, step: Step) -> bool:
    """A monitor that runs now finds all owners there, and nothing that was under way for a while.

    How long is too long is not asked: no time at all must have passed since the first order. Who
    has not read of a removal may lose a race, and where versions begin anew of any record.
    """
    if any(world.edition.versions_restart or write.record is None for write in step.wrote):
        return False
    effects = world.effects
    owners = {owner for record in effects.rest.values() if (owner := owner_of(record)) is not None}
    return owners <= staying(world) and effects.ordered in (None, world.now)


def after(world: ChannelMonitor) -> None:
    """A moment at which no broker can take a bundle is remembered, and who could not."""
    able = staying(world)
    world.effects.deserted |= not able
    world.effects.gone |= set(range(world.trial.brokers)) - able


# --------------------------------------------------------------------------------- at rest


def effects_at_rest(world: ChannelMonitor, agreed: View, step: Step) -> None:
    """What was asked for is so (OWN-42 to OWN-47)."""
    effects = world.effects
    serves = {(served.broker, half) for served in step.serves for half in served.hashes}
    for order in effects.orders:
        if effects.calm and effects.sound and len(effects.about(bundle_of(order))) == 1:
            if isinstance(order, do.UnloadNamespace):
                all_unloaded(world, agreed, serves)
            else:
                carried_out(world, order, agreed, serves)
    nobody_left_behind(world, agreed, serves)
    sound = serves == {
        (owner, half)
        for bundle, record in agreed.items()
        if (owner := owner_of(record)) is not None
        for half in halves_of(bundle)
    }
    world.effects = Effects(dict(agreed), sound, unconnected=effects.unconnected)


def carried_out(
    world: ChannelMonitor, order: Order, agreed: View, serves: set[tuple[int, HalfName]]
) -> None:
    """The only order about hashes of a bundle, in calm, or the only one that is not done before."""
    bundle, rest = bundle_of(order), world.effects.rest | world.effects.firm
    alone = not any(overlap(bundle, other) for other in in_use_in(rest) - {bundle})
    owner = owner_of(rest.get(bundle)) if alone else None
    now = agreed.get(bundle)
    halves = set(halves_of(bundle))
    servers = sorted({broker for broker, half in serves if half in halves})
    what = "{} was carried out, and the bundle is {}, served by {}"
    match order:
        case do.Assign(_, _, to):
            if alone and is_free(rest.get(bundle)) and current(world, bundle):
                right = owner_of(now) == to and servers == [to]
                world.note("OWN-42", right, "", what, order, now, servers)
        case do.Unload(_, _, None) if owner is not None:
            right = not in_use(now) and not servers
            world.note("OWN-44", right, "", what, order, now, servers)
        case do.Unload(_, _, to) if owner is not None and to != owner:
            right = owner_of(now) == to and servers == [to]
            world.note("OWN-43", right, "", what, order, now, servers)
        case do.Split() if owner is not None and halves_new(world):
            owners = [owner_of(agreed.get(half)) for half in HALVES]
            pairs = zip(owners, (HalfName.LEFT, HalfName.RIGHT), strict=True)
            right = not in_use(now) and all(pair in serves for pair in pairs)
            sentence = "{} was carried out, the parent is {}, its halves are owned by {}"
            world.note("OWN-45", right, "", sentence, order, now, owners)


def halves_new(world: ChannelMonitor) -> bool:
    """No half was anything before the split; where any bundle is assigned, one may have been."""
    return not world.edition.any_key_in_channel or world.effects.rest.keys().isdisjoint(HALVES)


def all_unloaded(world: ChannelMonitor, agreed: View, serves: set[tuple[int, HalfName]]) -> None:
    """The namespace was unloaded, as the only order about it, in calm."""
    used = in_use_in(world.effects.rest) - {Bundle.OTHER}
    if used and all(current(world, bundle) for bundle in used):
        kept = sorted(bundle.value for bundle in in_use_in(agreed) - {Bundle.OTHER})
        servers = sorted({broker for broker, half in serves if half is not HalfName.OTHER})
        sentence = "the namespace was unloaded; still in use are {}, and it is served by {}"
        world.note("OWN-51", not kept and not servers, "", sentence, kept, servers)


def is_free(record: RecordData | None) -> bool:
    """Nobody owns it, or is to."""
    return record is None or record.state is State.FREE


def in_use(record: RecordData | None) -> bool:
    """Somebody owns it, or is to."""
    return record is not None and record.state in ACTIVE


def in_use_in(view: View) -> set[Bundle]:
    """The bundles that somebody owns, or is to."""
    return {bundle for bundle, record in view.items() if in_use(record)}


def overlap(bundle: Bundle, other: Bundle) -> bool:
    """Do they have hashes in common?"""
    return not set(halves_of(bundle)).isdisjoint(halves_of(other))


def nobody_left_behind(
    world: ChannelMonitor, agreed: View, serves: set[tuple[int, HalfName]]
) -> None:
    """Who left owns nothing (OWN-46); what was owned still is, whatever happened (OWN-47)."""
    effects, able = world.effects, staying(world)
    for broker in sorted(world.leaving):
        owned = [b.value for b, record in agreed.items() if owner_of(record) == broker]
        sentence = "broker {} has shut down, and owns {}"
        world.note("OWN-46", not owned, "", sentence, broker, ", ".join(owned))
    if effects.deserted:
        return
    for bundle, record in effects.rest.items():
        given_up = any(may_end(order, bundle, effects.gone) for order in effects.orders)
        if owner_of(record) is not None and not given_up:
            owner, sentence = owner_of(agreed.get(bundle)), "{} was owned, and is now {}"
            served = all((owner, half) in serves for half in halves_of(bundle))
            right = owner in able and served
            world.note("OWN-47", right, "", sentence, bundle.value, agreed.get(bundle))


def may_end(order: Order, bundle: Bundle, gone: set[int]) -> bool:
    """Whether an order may leave a bundle without an owner: one to a broker that was gone since
    never made it the owner, and the documents have what an owner had assigned again.
    """
    if isinstance(order, WHOLE):
        return bundle is not Bundle.OTHER
    to_nobody = isinstance(order, do.Unload) and (order.to is None or order.to in gone)
    return to_nobody and order.bundle is bundle
