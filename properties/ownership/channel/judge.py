"""A channel's history, command by command: OWN-6 to OWN-20, OWN-40, OWN-42 to OWN-49,
OWN-51, OWN-54 and OWN-65.

The stored records, and which brokers run, are registered and lead, follow from the commands and the
records written; the internal state of the subject is not needed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

from evenkeel.properties.ownership.channel import trials as do
from evenkeel.properties.ownership.channel.trials import (
    Bundle,
    ChannelAnswer,
    ChannelCommand,
    ChannelTrial,
    Done,
    HalfName,
    Lookup,
    LookupEnd,
    SeenRecord,
    Served,
    Step,
    Write,
    broker_of,
    halves_of,
)
from evenkeel.properties.ownership.records import RecordData, distance, ruling
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.channel.world import IN_FLIGHT_WAIT
from evenkeel.reference.ownership.records import ACTIVE, IN_FLIGHT, State, Storage
from evenkeel_engine.kit.approx import Ternary
from evenkeel_engine.kit.clause import Case, in_full
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import monitor, require_results
from evenkeel_engine.kit.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel_engine.kit.run import MonitorRun, fill

View = dict[Bundle, RecordData]
Order = do.Assign | do.Unload | do.UnloadNamespace | do.Split
HALVES: Final = (Bundle.LEFT, Bundle.RIGHT)

WHOLE: Final = (do.UnloadNamespace, do.Split)
"""Orders without a bundle: they concern the parent and its halves."""

CALM: Final = (do.Read, do.Ask, do.Notice, do.Clean, do.Compact, do.Elect, do.Elapse, do.Settle)
"""Commands that are neither faults nor orders."""


@dataclass(slots=True)
class Effects:
    """The ownerships when the channel was last quiescent, and the events since.

    `sound`: every owner served then, and no other broker. `orders`: commands about bundles that
    were accepted; `ordered`: when the first was. `firm`: orders carried out completely since,
    before the next order about the same bundle. `calm`: no fault since. `deserted`: at some moment
    no broker could take a bundle. `gone`: brokers that could not at some moment. `arrived`: bundles
    that their destination has owned and served since. `unconnected`: brokers without a session.
    """

    rest: View = field(default_factory=dict)
    sound: bool = True
    orders: list[Order] = field(default_factory=list)
    ordered: int | None = None
    firm: View = field(default_factory=dict)
    calm: bool = True
    deserted: bool = False
    gone: set[int] = field(default_factory=set)
    arrived: set[tuple[Bundle, int]] = field(default_factory=set)
    unconnected: set[int] = field(default_factory=set)

    def about(self, bundle: Bundle) -> list[Order]:
        """The orders that may affect a bundle: about it, its parent, or its halves."""
        return [order for order in self.orders if overlap(bundle_of(order), bundle)]

    def undisturbed(self, bundle: Bundle) -> bool:
        """Nothing has happened to the bundle since the channel was last quiescent."""
        return self.calm and not self.about(bundle)


def bundle_of(order: Order) -> Bundle:
    """The bundle that an order concerns."""
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
    """Whether a command must be accepted; it need not be if that depends on hidden state."""
    effects = world.effects
    if isinstance(command, do.Compact | do.Elapse):
        return True
    if isinstance(command, do.Settle):
        return bool(staying(world))
    running = command.broker in world.alive
    able = command.broker in staying(world)
    stays = running and command.broker not in world.leaving
    match command:
        case do.RestartBroker():
            return not running
        case do.LoseSession():
            return stays and command.broker not in effects.unconnected
        case do.RegainSession():
            return stays and command.broker in effects.unconnected
        case do.ShutDown():
            return stays
        case do.Elect():
            return able
        case do.Finish():
            return False
        case do.Assign():
            return able_to(world, command)
        case do.UnloadNamespace():
            used = in_use_in(effects.rest) - {Bundle.OTHER}
            return able and bool(used) and effects.undisturbed(Bundle.PARENT)
        case do.Unload(_, bundle, to) if (
            to is not None and owner_of(effects.rest.get(bundle)) == to
        ):
            return False
        case do.Unload() | do.Split():
            return able_to(world, command) and unloadable(world, bundle_of(command))
    return running


def due(world: ChannelMonitor, bundles: Collection[Bundle], right: bool) -> bool:
    """Whether they are their namespace's bundles, of which something is owed that is right or not.

    If only a divided parent makes them so, or only a whole one, what is not right shows the other.
    """
    halves = {bundle is not Bundle.PARENT for bundle in bundles if bundle is not Bundle.OTHER}
    under = {divided for divided in world.divided if halves == {divided}}
    if not right and under != world.divided:
        world.divided -= under
    return not halves or (bool(under) and under == world.divided)


def unloadable(world: ChannelMonitor, bundle: Bundle) -> bool:
    """Whether all brokers know that the bundle is owned, and by which broker."""
    effects = world.effects
    owner = owner_of(effects.rest.get(bundle))
    return effects.undisturbed(bundle) and owner in staying(world)


def before(world: ChannelMonitor, index: int, command: ChannelCommand, step: Step) -> None:
    """Require that a legal command is accepted (OWN-49) and an owned bundle is found (OWN-48)."""
    refused = isinstance(step.result, CommandRefused | CommandBroke)
    bundles = [bundle_of(command)] if isinstance(command, do.Assign | do.Unload | do.Split) else []
    if legal(world, command) and due(world, bundles, not refused):
        kind = type(command).__name__
        world.require("OWN-49", not refused, "{}: {}", command, step.result, kind=kind)
    if isinstance(command, do.Ask) and not refused:
        owner = owner_of(world.effects.rest.get(command.bundle))
        known = command.broker in staying(world) and unloadable(world, command.bundle)
        right = owner is not None and Lookup(index, LookupEnd.OWNER, owner) in step.ended
        if known and due(world, [command.bundle], right):
            sentence = "command {}: {} of a bundle that broker {} owns ended {}"
            world.require("OWN-48", right, sentence, index + 1, command, owner, step.ended)
    if not refused:
        noted(world, command, step)


def unowned(world: ChannelMonitor, bundle: Bundle) -> bool:
    """Whether all brokers know that no broker owns any of the bundle's hashes."""
    rest = world.effects.rest
    free = is_free(rest.get(bundle)) and not any(overlap(bundle, one) for one in in_use_in(rest))
    return free and world.effects.undisturbed(bundle)


def noted(world: ChannelMonitor, command: ChannelCommand, step: Step) -> None:
    """Record a command that was accepted: as an order, a fault, or neither."""
    effects = world.effects
    match command:
        case do.Assign() | do.Unload() | do.UnloadNamespace() | do.Split():
            if isinstance(command, do.Unload) and is_firm(world, command):
                effects.firm[command.bundle] = world.current[command.bundle]
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
    """Whether all orders about a bundle are carried out when its owner is asked to unload it: it
    was assigned to the owner, whose record is the current one, and which serves it alone. No other
    bundle in use overlaps it.
    """
    earlier = world.effects.about(order.bundle)
    owner = owner_of(world.current.get(order.bundle))
    halves = halves_of(order.bundle)
    others = in_use_in(world.current) - {order.bundle}
    return (
        bool(earlier)
        and not any(overlap(order.bundle, other) for other in others)
        and owner == order.broker
        and all(isinstance(one, do.Assign) and one.to == owner for one in earlier)
        and {broker for broker, half in world.serves if half in halves} == {owner}
    )


def able_to(world: ChannelMonitor, order: Order) -> bool:
    """Whether the brokers named in an order can take part."""
    to = None if isinstance(order, WHOLE) else order.to
    return order.broker in staying(world) and (to is None or to in staying(world))


def nothing_due(world: ChannelMonitor, step: Step) -> bool:
    """Whether a monitor that runs now finds all owners active, and no transition that has taken too
    long.

    To avoid a limit for "too long", no time may have passed since the first order. A broker that
    has not read a removal may lose a race; where versions restart, one that has not read any record
    may.
    """
    if any(world.edition.versions_restart or write.record is None for write in step.wrote):
        return False
    effects = world.effects
    owners = {owner for record in effects.rest.values() if (owner := owner_of(record)) is not None}
    return owners <= staying(world) and effects.ordered in (None, world.now)


def after(world: ChannelMonitor) -> None:
    """Record whether no broker could take a bundle, and which brokers could not."""
    able = staying(world)
    world.effects.deserted |= not able
    world.effects.gone |= set(range(world.trial.brokers)) - able


# --------------------------------------------------------------------------------- at rest


def effects_at_rest(world: ChannelMonitor, agreed: View, step: Step) -> None:
    """Require that the orders have their effect (OWN-42 to OWN-47)."""
    effects = world.effects
    serves = {(served.broker, half) for served in step.serves for half in served.hashes}
    for order in effects.orders:
        if effects.calm and effects.sound and is_to_be_seen(world, order, agreed):
            if isinstance(order, do.UnloadNamespace):
                all_unloaded(world, agreed, serves)
            else:
                carried_out(world, order, agreed, serves)
    leavers_own_nothing(world, agreed, serves)
    sound = serves == {
        (owner, half)
        for bundle, record in agreed.items()
        if (owner := owner_of(record)) is not None
        for half in halves_of(bundle)
    }
    world.effects = Effects(dict(agreed), sound, unconnected=effects.unconnected)


def is_to_be_seen(world: ChannelMonitor, order: Order, agreed: View) -> bool:
    """Whether an order must have its effect: it is the only one about its bundle, or moves it while
    others were to split it, and it is still whole.
    """
    others = [one for one in world.effects.about(bundle_of(order)) if one is not order]
    moves = isinstance(order, do.Unload) and order.to is not None
    splits = all(isinstance(one, do.Split) for one in others)
    return not others or (moves and splits and in_use(agreed.get(bundle_of(order))))


def carried_out(
    world: ChannelMonitor, order: Order, agreed: View, serves: set[tuple[int, HalfName]]
) -> None:
    """Check the only order about a bundle's hashes without faults, or the only open one."""
    bundle, rest = bundle_of(order), world.effects.rest | world.effects.firm
    alone = not any(overlap(bundle, other) for other in in_use_in(rest) - {bundle})
    owner = owner_of(rest.get(bundle)) if alone else None
    now = agreed.get(bundle)
    halves = set(halves_of(bundle))
    servers = sorted({broker for broker, half in serves if half in halves})
    what = "{} was carried out, and the bundle is {}, served by brokers {}"
    match order:
        case do.Assign(_, _, to):
            right = owner_of(now) == to and servers == [to]
            if alone and is_free(rest.get(bundle)) and due(world, [bundle], right):
                world.require("OWN-42", right, what, order, now, servers)
        case do.Unload(_, _, None) if owner is not None:
            world.require("OWN-44", not in_use(now) and not servers, what, order, now, servers)
        case do.Unload(_, _, to) if owner is not None and to != owner:
            right = owner_of(now) == to and servers == [to]
            world.require("OWN-43", right, what, order, now, servers)
        case do.Split() if owner is not None and halves_new(world):
            owners = [owner_of(agreed.get(half)) for half in HALVES]
            pairs = zip(owners, (HalfName.LEFT, HalfName.RIGHT), strict=True)
            right = not in_use(now) and all(pair in serves for pair in pairs)
            sentence = "{} was carried out, the parent is {}, its halves are owned by brokers {}"
            world.require("OWN-45", right, sentence, order, now, owners)


def halves_new(world: ChannelMonitor) -> bool:
    """Whether no half had a record before; if any bundle was assigned, one may have had."""
    return not world.edition.any_key_in_channel or world.effects.rest.keys().isdisjoint(HALVES)


def all_unloaded(world: ChannelMonitor, agreed: View, serves: set[tuple[int, HalfName]]) -> None:
    """Check that the namespace was unloaded, if that was the only order, without faults."""
    used = in_use_in(world.effects.rest) - {Bundle.OTHER}
    kept = sorted(bundle.value for bundle in in_use_in(agreed) - {Bundle.OTHER})
    servers = sorted({broker for broker, half in serves if half is not HalfName.OTHER})
    if used and due(world, used, not kept and not servers):
        sentence = "the namespace was unloaded; still in use are {}, and it is served by brokers {}"
        world.require("OWN-51", not kept and not servers, sentence, kept, servers)


def is_free(record: RecordData | None) -> bool:
    """Whether no broker owns the bundle or is about to."""
    return record is None or record.state is State.FREE


def in_use(record: RecordData | None) -> bool:
    """Whether some broker owns the bundle or is about to."""
    return record is not None and record.state in ACTIVE


def in_use_in(view: View) -> set[Bundle]:
    """The bundles that some broker owns or is about to."""
    return {bundle for bundle, record in view.items() if in_use(record)}


def overlap(bundle: Bundle, other: Bundle) -> bool:
    """Whether two bundles have hashes in common."""
    return not set(halves_of(bundle)).isdisjoint(halves_of(other))


def leavers_own_nothing(
    world: ChannelMonitor, agreed: View, serves: set[tuple[int, HalfName]]
) -> None:
    """Require that brokers that left own nothing (OWN-46), and owned bundles still are (OWN-47)."""
    effects, able = world.effects, staying(world)
    for broker in sorted(world.leaving):
        owned = [b.value for b, record in agreed.items() if owner_of(record) == broker]
        sentence = "broker {} has shut down, and owns {}"
        world.require("OWN-46", not owned, sentence, broker, ", ".join(owned))
    if effects.deserted:
        return
    for bundle, record in effects.rest.items():
        given_up = any(may_end(order, bundle, effects) for order in effects.orders)
        if owner_of(record) is not None and not given_up:
            owner, sentence = owner_of(agreed.get(bundle)), "{} was owned, and is now {}"
            served = all((owner, half) in serves for half in halves_of(bundle))
            right = owner in able and served
            world.require("OWN-47", right, sentence, bundle.value, agreed.get(bundle))


def has_arrived(world: ChannelMonitor, order: do.Unload) -> bool:
    """Whether the destination of a transfer owns and serves the bundle."""
    serving = {broker for broker, half in world.serves if half in halves_of(order.bundle)}
    return owner_of(world.current.get(order.bundle)) == order.to and serving == {order.to}


def may_end(order: Order, bundle: Bundle, effects: Effects) -> bool:
    """Whether an order may leave a bundle without an owner: an order to a broker that was gone
    since may never have made it the owner, while the documents have a bundle of an owner that left
    assigned again.
    """
    if isinstance(order, WHOLE):
        return bundle is not Bundle.OTHER
    if not isinstance(order, do.Unload) or order.bundle is not bundle:
        return False
    arrived = (bundle, order.to) in effects.arrived
    return order.to is None or (order.to in effects.gone and not arrived)


def at_rest(world: ChannelMonitor, step: Step) -> None:
    """Require that the views agree, nothing is in transition, and owners serve their bundles."""
    if not (views := views_by_broker(world, step.views)):
        return
    agreed = views_agree(world, views)
    is_settled(world, agreed, step)
    for bundle, last in world.counted.items():
        if bundle in agreed:
            version, sentence = (
                agreed[bundle].version,
                "version {} of {} was stored, and all see {}",
            )
            newer = version == last or distance(last, version) > 0
            values = last, bundle.value, agreed[bundle]
            world.require("OWN-40", newer, sentence, *values, kind="seen")
    world.divided = world.divided or {False, True}
    used = {bundle is not Bundle.PARENT for bundle in in_use_in(agreed) - {Bundle.OTHER}}
    if len(used) < len(world.divided) == 2 and used and not world.edition.any_key_in_channel:
        world.divided = used
    effects_at_rest(world, agreed, step)


def is_settled(world: ChannelMonitor, agreed: View, step: Step) -> None:
    """Require what holds of records, lookups and topics once the channel is quiescent."""
    busy = [bundle.value for bundle, record in agreed.items() if record.state in IN_FLIGHT]
    if busy or world.in_flight:
        world.require("OWN-11", not busy, "still in transition: {}", ", ".join(sorted(busy)))
    world.in_flight = False
    if world.asked:
        still = fill("lookups still wait, with the tickets {}", sorted(world.open))
        world.run.require("OWN-58", not world.open, still, "waits")
    world.asked = False
    owners_serve(world, agreed, step)
    if world.divided == {True}:
        parent = agreed.get(Bundle.PARENT)
        gone = parent is None or parent.state not in ACTIVE
        world.require("OWN-14", gone, "the parent was divided and is back: {}", parent, kind="back")


def views_agree(world: ChannelMonitor, views: dict[int, View]) -> View:
    """Require that all brokers see the same, and first of all one owner; what the first sees."""
    first, agreed = next(iter(views.items()))
    for broker, view in views.items():
        if broker != first:
            sentence = "broker {} sees {}, another {}"
            world.require("OWN-12", view == agreed, sentence, broker, view, agreed)
    for bundle in Bundle:
        owners = {owner_of(view.get(bundle)) for view in views.values()} - {None}
        if owners and len(views) > 1:
            said = fill("{} is owned by brokers {}", bundle.value, owners)
            world.run.require("OWN-59", len(owners) == 1, said)
    return agreed


def views_by_broker(world: ChannelMonitor, views: tuple[SeenRecord, ...]) -> dict[int, View]:
    """The view of each broker that is registered and not leaving."""
    staying = sorted((world.registered - world.leaving) & world.alive)
    found: dict[int, View] = {broker: {} for broker in staying}
    for seen in views:
        if seen.broker in found:
            found[seen.broker][seen.bundle] = seen.record
    return found


def owners_serve(world: ChannelMonitor, agreed: View, step: Step) -> None:
    """Require that every owner serves its whole bundle, and no other broker serves."""
    serves = {(served.broker, half) for served in step.serves for half in served.hashes}
    owned: set[tuple[int, HalfName]] = set()
    for bundle, record in agreed.items():
        owner = broker_of(record.destination)
        if record.state is State.OWNED and owner is None:
            why = fill("{} is owned by no broker", bundle.value)
            world.run.require("OWN-13", False, why, "not served")
        elif record.state is State.OWNED and owner is not None:
            halves = {(owner, half) for half in halves_of(bundle)}
            owned |= halves
            sentence = "broker {} owns {} and does not serve it"
            at = owner, bundle.value
            world.require("OWN-13", halves <= serves, sentence, *at, kind="not served")
    for broker, half in sorted(serves - owned, key=str):
        sentence = "broker {} serves {} and owns nothing of it"
        world.require("OWN-13", False, sentence, broker, half.value, kind="not owned")


ChannelCase = Case[ChannelTrial, ChannelAnswer]


@dataclass(slots=True)
class ChannelMonitor:
    """The state of the channel as it follows from commands and records.

    `leaders`: one of them leads, or with None no broker. `led`: brokers that lead or have led.
    `current`: the record of each bundle; `removed`: the version that was removed, of bundles that
    have none. `counted`: the newest version of each bundle that was ever removed. `entitled`:
    brokers ever named owner of some hashes; `named`: brokers ever named in a bundle's record.
    `open`: lookups that have not ended, and when they began. `divided`: whether the range has been
    divided; the broker that divided it reports so, whether or not its record is stored. If its
    record was removed or freed meanwhile, without such a report, it is empty until the channel is
    quiescent; from then on either may be true.
    `splitting`: the parent is in Splitting, or has been in flight since.
    `in_flight`: a transition began since the channel was last quiescent; `asked`: a lookup did.
    `doubtful`: brokers that may be registered or not, after a restart without a session.
    `serves`: which broker served what after the last command.
    """

    trial: ChannelTrial
    edition: Edition
    run: MonitorRun
    now: int = 0
    leaders: set[int | None] = field(default_factory=lambda: {0})
    led: set[int] = field(default_factory=lambda: {0})
    alive: set[int] = field(default_factory=set)
    registered: set[int] = field(default_factory=set)
    leaving: set[int] = field(default_factory=set)
    current: dict[Bundle, RecordData] = field(default_factory=dict)
    removed: dict[Bundle, int] = field(default_factory=dict)
    counted: dict[Bundle, int] = field(default_factory=dict)
    entitled: set[tuple[int, HalfName]] = field(default_factory=set)
    named: set[tuple[int, Bundle]] = field(default_factory=set)
    open: dict[int, int] = field(default_factory=dict)
    divided: set[bool] = field(default_factory=lambda: {False})
    splitting: bool = False
    doubtful: set[int] = field(default_factory=set)
    in_flight: bool = False
    asked: bool = False
    serves: frozenset[tuple[int, HalfName]] = frozenset()
    effects: Effects = field(default_factory=Effects)

    def require(
        self, clause: str, holds: Ternary, template: str, *values: object, kind: str = ""
    ) -> None:
        """Require it, with the template as the sentence."""
        self.run.require(clause, holds, fill(template, *values), kind)

    def facts(self) -> Iterator[str]:
        """Who leads, which brokers are registered, and the records that are stored."""
        registered = display(sorted(self.registered))
        yield f"led by brokers {display(self.leaders)}; registered: brokers {registered}"
        if self.leaving:
            yield f"leaving: {display(sorted(self.leaving))}"
        yield from (f"{bundle.value}: {display(record)}" for bundle, record in self.current.items())


@monitor(
    "ownership.channel",
    *("OWN-6", "OWN-7", "OWN-8", "OWN-9", "OWN-10", "OWN-11", "OWN-12", "OWN-13", "OWN-14"),
    *("OWN-15", "OWN-16", "OWN-17", "OWN-18", "OWN-19", "OWN-20", "OWN-40"),
    *("OWN-42", "OWN-43", "OWN-44", "OWN-45", "OWN-46", "OWN-47", "OWN-48", "OWN-49"),
    *("OWN-51", "OWN-54", "OWN-58", "OWN-59", "OWN-65"),
)
def judge_channel(run: MonitorRun, case: ChannelCase) -> None:
    trial, observed = case.trial, case.observation
    require_results(run, case, "OWN-19", differing, "steps")
    world = ChannelMonitor(trial, case.edition, run)
    if isinstance(observed, Refused | Broke) or len(observed.steps) != len(trial.commands):
        run.require("OWN-15", False, fill("the channel {}", in_full(observed)), "shape")
        return
    world.alive = set(range(trial.brokers))
    world.registered = set(range(trial.brokers))
    run.facts = world.facts
    unclear = False
    for index, (command, step) in enumerate(zip(trial.commands, observed.steps, strict=True)):
        unclear = unclear or is_unclear(world, command, step)
        if unclear:
            follow_records(world, index, command, step)
        else:
            follow(world, index, command, step)


def is_unclear(world: ChannelMonitor, command: ChannelCommand, step: Step) -> bool:
    """Whether a broker that is not registered was ended and started, or runs on."""
    if not isinstance(command, do.RestartBroker):
        return False
    return command.broker in world.alive - world.registered and isinstance(step.result, Done)


def follow_records(world: ChannelMonitor, index: int, command: ChannelCommand, step: Step) -> None:
    """Check what holds whether or not a broker that was restarted is registered."""
    done = isinstance(step.result, Done)
    if done:
        begin(world, index, command)
    for write in step.wrote:
        if write.record is not None:
            name_brokers(world, write.bundle, write.record)
    for lookup in step.ended:
        world.open.pop(lookup.ticket, None)
    served_once(world, index, step)
    if done:
        finish(world, command)
    if isinstance(command, do.RestartBroker):
        world.doubtful.add(command.broker)
    world.registered -= world.doubtful
    if done and isinstance(command, do.Settle):
        views = views_by_broker(world, step.views)
        if views:
            is_settled(world, views_agree(world, views), step)


def follow(world: ChannelMonitor, index: int, command: ChannelCommand, step: Step) -> None:
    done = isinstance(step.result, Done)
    before(world, index, command, step)
    if done:
        begin(world, index, command)
    for write in step.wrote:
        written(world, write, command)
    ended(world, index, step)
    if done:
        finish(world, command)
    after(world)
    served(world, index, step)
    world.serves = frozenset((one.broker, half) for one in step.serves for half in one.hashes)
    for order in world.effects.orders:
        if isinstance(order, do.Unload) and order.to is not None and has_arrived(world, order):
            world.effects.arrived.add((order.bundle, order.to))
    if done and isinstance(command, do.Settle):
        at_rest(world, step)


def begin(world: ChannelMonitor, index: int, command: ChannelCommand) -> None:
    """Apply the changes that precede the effects of a command."""
    match command:
        case do.Ask() | do.Assign():
            world.open[index], world.asked = world.now, True
        case do.Elapse(millis):
            world.now += millis
        case do.Settle():
            world.now += 8 * 61_000
        case do.RestartBroker(broker):
            world.leaders.update({None} if broker in world.leaders else ())
            world.alive.add(broker)
            world.registered.add(broker)
            world.leaving.discard(broker)
        case do.RegainSession(broker):
            if broker in world.alive - world.leaving:
                world.registered.add(broker)
        case do.Elect(broker):
            world.leaders = {broker}
            world.led.add(broker)
        case do.ShutDown(broker):
            world.leaving.add(broker)


def finish(world: ChannelMonitor, command: ChannelCommand) -> None:
    """Apply the changes that follow the effects of a command."""
    match command:
        case do.Crash(broker) | do.LoseSession(broker) | do.ShutDown(broker):
            world.registered.discard(broker)
            if isinstance(command, do.Crash):
                world.alive.discard(broker)
                world.leaving.discard(broker)
            world.leaders = {None if one == broker else one for one in world.leaders}
        case do.Settle():
            if None in world.leaders:
                elected = min(world.registered - world.leaving, default=None)
                world.leaders = (world.leaders - {None}) | {elected}
                world.led.update(() if elected is None else (elected,))


# ---------------------------------------------------------------------------------- writing


def written(world: ChannelMonitor, write: Write, command: ChannelCommand) -> None:
    record, before = write.record, world.current.get(write.bundle)
    if write.stands and world.trial.storage is Storage.NODES:
        session = write.writer not in world.effects.unconnected
        sentence = "broker {} has no session, and its {} of {} is stored"
        values = write.writer, record, write.bundle.value
        world.require("OWN-20", session, sentence, *values, kind="no session")
    if record is None:
        removed(world, write, before)
        return
    if not record.force:
        by_whom(world, write, record)
    if write.bundle is Bundle.PARENT and record.state is State.DELETED:
        world.divided = {True}
    world.in_flight = world.in_flight or record.state in IN_FLIGHT
    if world.trial.storage is Storage.NODES:
        stands = write.stands
        if stands:
            takes_place(world, write.bundle, before, record)
    else:
        last = world.removed.get(write.bundle)
        stands = bool(ruling(Storage.TOPIC, before, record, world.edition, last).accepted)
    name_brokers(world, write.bundle, record)
    if record.force and not isinstance(command, do.Settle):
        forced(world, write, record, before if stands else None, command)
    if stands:
        if write.bundle is Bundle.PARENT:
            if record.state is State.FREE:
                leave_division_open(world)
            in_flight = world.splitting and record.state in IN_FLIGHT
            world.splitting = record.state is State.SPLITTING or in_flight
        world.current[write.bundle] = record
        world.removed.pop(write.bundle, None)
        if write.bundle in world.counted:
            world.counted[write.bundle] = record.version


def takes_place(
    world: ChannelMonitor, bundle: Bundle, before: RecordData | None, record: RecordData
) -> None:
    """Check that a stored record follows the one before (OWN-20), or the removed one (OWN-40)."""
    last, name = world.removed.get(bundle), bundle.value
    if last is None:
        fits = bool(ruling(Storage.NODES, before, record, world.edition).accepted)
        world.require("OWN-20", fits, "{} of {} does not follow {}", record, name, before)
    else:
        sentence = "version {} of {} was removed, then {} is stored"
        newer = distance(last, record.version) > 0
        world.require("OWN-40", newer, sentence, last, name, record, kind="stands")


def removed(world: ChannelMonitor, write: Write, before: RecordData | None) -> None:
    """Check that a removed record was not in use (OWN-6)."""
    if not write.stands or before is None:
        return
    in_use = before.state in ACTIVE
    if write.bundle is Bundle.PARENT:
        leave_division_open(world)
    if world.trial.storage is Storage.NODES:
        world.require("OWN-6", not in_use, "broker {} removed {}", write.writer, before)
    if world.trial.storage is Storage.NODES or not in_use:
        del world.current[write.bundle]
        world.splitting = world.splitting and write.bundle is not Bundle.PARENT
        if not world.edition.versions_restart:
            world.removed[write.bundle] = world.counted[write.bundle] = before.version


def leave_division_open(world: ChannelMonitor) -> None:
    """Leave it open whether a parent is divided, if its record was given up while it was split."""
    if world.splitting and world.divided != {True}:
        world.divided = set()


def by_whom(world: ChannelMonitor, write: Write, record: RecordData) -> None:
    """Check that a record without force concerns its writer (OWN-10)."""
    match record.state:
        case State.OWNED:
            speaker = broker_of(record.destination)
        case State.FREE | State.DELETED | State.ASSIGNING:
            speaker = broker_of(record.source)
        case _:
            return
    if speaker is not None:
        own = speaker == write.writer
        sentence = "broker {} wrote {} of {}"
        kind = record.state.value
        world.require("OWN-10", own, sentence, write.writer, record, write.bundle.value, kind=kind)


def forced(
    world: ChannelMonitor,
    write: Write,
    record: RecordData,
    before: RecordData | None,
    command: ChannelCommand,
) -> None:
    """Check an override: by the leader, or by a broker that leaves about its own bundles (OWN-10),
    to a registered one (OWN-17, OWN-18). `before` is the record that it replaces, if it is stored.

    A clean-up that a leader has begun runs although another broker leads by then.
    """
    writer, what = write.writer, "broker {} overrides {} with {}"
    values = writer, write.bundle.value, record
    leaves = writer in world.leaving
    leads = (isinstance(command, do.Clean) and writer in world.led) or writer in world.leaders
    world.require("OWN-10", leaves or leads, what, *values, kind="override")
    if leaves and not leads and (before is not None or write.stands):
        own = before is not None and (
            (before.state in ACTIVE and broker_of(before.destination) == writer)
            or (before.state in IN_FLIGHT and broker_of(before.source) == writer)
        )
        why = fill(f"{what}, which is not its own", *values)
        world.run.require("OWN-10", own, why, "another's")
    if before is not None and before.state is State.OWNED:
        owner = broker_of(before.destination)
        healthy = owner in world.registered and owner not in world.leaving
        world.require("OWN-17", not healthy, f"{what}, whose owner is healthy", *values)
    given = broker_of(record.source if record.state is State.SPLITTING else record.destination)
    if given is not None and record.state in ACTIVE:
        present = given in world.registered - world.leaving
        world.require("OWN-18", present, f"{what}, to one that is not registered", *values)


def name_brokers(world: ChannelMonitor, bundle: Bundle, record: RecordData) -> None:
    """Record which brokers may serve by this record, and which ones lookups may name."""
    for broker in (broker_of(record.destination), broker_of(record.source)):
        if broker is not None:
            world.named.add((broker, bundle))
    broker = broker_of(record.source if record.state is State.SPLITTING else record.destination)
    if broker is not None and record.state in (State.OWNED, State.SPLITTING):
        world.entitled.update((broker, half) for half in halves_of(bundle))


# ------------------------------------------------------------------------ lookups and serving


def ended(world: ChannelMonitor, index: int, step: Step) -> None:
    """Check that lookups end once, in time, with a broker that was named, or with none where none
    owns the bundle (OWN-15, OWN-16, OWN-54).
    """
    for lookup in step.ended:
        known = world.open.pop(lookup.ticket, None) is not None
        sentence = "command {}: the lookup with ticket {} ended, which was not open"
        world.require("OWN-15", known, sentence, index + 1, lookup.ticket, kind="ended twice")
        command = world.trial.commands[lookup.ticket] if known else None
        if lookup.end is LookupEnd.OWNER and isinstance(command, do.Ask | do.Assign):
            named = (lookup.owner, command.bundle) in world.named
            sentence = "the lookup with ticket {} names broker {}, which no record does"
            world.require("OWN-16", named, sentence, lookup.ticket, lookup.owner)
        asked = command if isinstance(command, do.Ask) else None
        if asked and asked.broker in staying(world) and unowned(world, asked.bundle):
            none = lookup.end is LookupEnd.NONE
            sentence = "command {}: {} of a bundle that no broker owns ended {}"
            if due(world, [asked.bundle], none):
                world.require("OWN-54", none, sentence, index + 1, asked, lookup)
    for ticket, since in world.open.items():
        waits = world.now - since
        sentence = "after command {} the lookup with ticket {} still waits, {} ms"
        values = index + 1, ticket, waits
        world.require("OWN-15", waits < IN_FLIGHT_WAIT, sentence, *values, kind="waits")


def served(world: ChannelMonitor, index: int, step: Step) -> None:
    """Check which broker serves what now (OWN-7 to OWN-9, OWN-65)."""
    after = index + 1
    for serving in (one for one in step.serves if one.hashes):
        broker = serving.broker
        cut_off = goes_on(world, serving)
        taken = taken_from(world, serving) if cut_off else set[str]()
        sentence = "after command {} broker {} serves without a session"
        world.require("OWN-65", not cut_off, sentence, after, broker)
        registered = broker in world.registered or cut_off
        sentence = "after command {} broker {} serves without being registered"
        world.require("OWN-8", registered, sentence, after, broker)
        sentence = "after command {} broker {} serves {} without a session, and another owns it"
        world.run.require("OWN-8", not taken, fill(sentence, after, broker, sorted(taken)), "taken")
    served_once(world, index, step)


def served_once(world: ChannelMonitor, index: int, step: Step) -> None:
    """Check that each hash is served by one broker, which owned it (OWN-7, OWN-9)."""
    seen: dict[HalfName, int] = {}
    after = index + 1
    for broker, half in ((one.broker, half) for one in step.serves for half in one.hashes):
        other = seen.get(half)
        sentence = "after command {} {} is served by broker {} and by broker {}"
        world.require("OWN-7", other is None, sentence, after, half, other, broker)
        seen[half] = broker
        own = (broker, half) in world.entitled
        sentence = "after command {} broker {} serves {}, which it never owned"
        world.require("OWN-9", own, sentence, after, broker, half)


def goes_on(world: ChannelMonitor, serving: Served) -> bool:
    """Whether a broker that runs and does not shut down has lost its session, and serves only what
    it served before.
    """
    broker = serving.broker
    lost = broker in world.effects.unconnected and broker not in world.registered
    able = lost and broker in world.alive - world.leaving
    return able and all((broker, half) in world.serves for half in serving.hashes)


def taken_from(world: ChannelMonitor, serving: Served) -> set[str]:
    """The bundles with hashes that a broker serves, and that another broker owns."""
    return {
        bundle.value
        for bundle, record in world.current.items()
        if owner_of(record) not in (None, serving.broker)
        and not set(halves_of(bundle)).isdisjoint(serving.hashes)
    }


def differing(step: Step, right: Step) -> str | None:
    """The first part in which two steps differ; of refusals and failures only the kind counts."""
    failed = isinstance(right.result, CommandRefused | CommandBroke)
    same_result = type(step.result) is type(right.result) if failed else step.result == right.result
    if not same_result:
        return "result"
    parts = ("ended", "wrote", "serves", "views")
    return next((part for part in parts if getattr(step, part) != getattr(right, part)), None)
