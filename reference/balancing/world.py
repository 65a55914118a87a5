"""The cluster as it really is: which brokers are up, what each serves and carries.

Every function takes a world and returns the next one. The leader knows this world only by
reports (`leader`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from evenkeel.reference.balancing.curves import traffic_at
from evenkeel.reference.balancing.history import Gauge
from evenkeel.reference.balancing.scenario import (
    BrokerSpec,
    BundleSpec,
    Crash,
    Event,
    Join,
    Leave,
    Scenario,
    Slow,
    Split,
    Timing,
)
from evenkeel.reference.load.traffic import Traffic, total
from evenkeel.reference.load.usage import Resource, Resources, Weights, max_weighted_usage
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport, BundleName, Millis
from evenkeel_engine.frame.clauses import states


@dataclass(frozen=True, slots=True)
class Away:
    """A bundle that no broker serves: its clients look it up from `back_at` on.

    `destination` is the broker that was fixed for it when it was unloaded.
    """

    back_at: Millis
    destination: BrokerId | None = None


@dataclass(frozen=True, slots=True)
class World:
    """The cluster between two steps.

    `up` are the brokers that run; `dying` those that crashed, with the time at which the others
    learn of it; `slow` those whose processor does less, by how much and until when: of several
    that last, the slowest counts.
    """

    up: frozenset[BrokerId]
    dying: Mapping[BrokerId, Millis]
    slow: Mapping[BrokerId, tuple[tuple[float, Millis], ...]]
    owner: Mapping[BundleName, BrokerId]
    away: Mapping[BundleName, Away]


def beginning(scenario: Scenario) -> World:
    """The cluster before the first step."""
    return World(
        up=frozenset(broker.id for broker in scenario.brokers if broker.present),
        dying={},
        slow={},
        owner={b.name: b.owner for b in scenario.bundles if b.owner is not None},
        away={b.name: Away(0) for b in scenario.bundles if b.owner is None},
    )


def list_registered(world: World) -> frozenset[BrokerId]:
    """The brokers that are taken for alive: those that run and those not yet known to be dead."""
    return world.up | frozenset(world.dying)


@states("BAL-3")
def served_by(world: World, broker: BrokerId) -> tuple[BundleName, ...]:
    """The bundles that a broker serves, by name."""
    return tuple(sorted(bundle for bundle, owner in world.owner.items() if owner == broker))


def all_served(world: World) -> dict[BrokerId, tuple[BundleName, ...]]:
    """The bundles of each broker that serves any, by name."""
    found: dict[BrokerId, list[BundleName]] = {}
    for bundle in sorted(world.owner):
        found.setdefault(world.owner[bundle], []).append(bundle)
    return {broker: tuple(bundles) for broker, bundles in found.items()}


# ------------------------------------------------------------------------------- ownership


@states("BAL-2", "BAL-3", "BAL-7")
def unload(world: World, bundle: BundleName, away: Away) -> World:
    """The bundle is not served until its clients look it up again."""
    owner = dict(world.owner)
    owner.pop(bundle, None)
    return replace(world, owner=owner, away={**world.away, bundle: away})


@states("BAL-3", "BAL-7")
def assign(world: World, bundle: BundleName, broker: BrokerId) -> World:
    """A broker serves the bundle from now on, alone."""
    away = dict(world.away)
    away.pop(bundle, None)
    return replace(world, owner={**world.owner, bundle: broker}, away=away)


@states("BAL-2", "BAL-3", "BAL-7")
def lose(world: World, broker: BrokerId, back_at: Millis) -> World:
    """A broker is down: its clients look their bundles up from `back_at` on."""
    lost = {bundle: Away(back_at) for bundle in served_by(world, broker)}
    owner = {name: other for name, other in world.owner.items() if name not in lost}
    return replace(world, owner=owner, away={**world.away, **lost})


@states("BAL-26")
def divide(world: World, split: Split, stays: bool, back_at: Millis) -> World:
    """Children take a bundle's place: with its owner, or with none until `back_at`."""
    before, names = split.bundle, [child.name for child in split.children]
    broker, unserved = world.owner.get(before), world.away.get(before)
    owner = {name: other for name, other in world.owner.items() if name != before}
    away = {name: rest for name, rest in world.away.items() if name != before}
    if broker is not None and stays:
        owner |= dict.fromkeys(names, broker)
    elif broker is not None:
        away |= dict.fromkeys(names, Away(back_at))
    elif unserved is not None:
        away |= dict.fromkeys(names, Away(unserved.back_at))
    return replace(world, owner=owner, away=away)


# ---------------------------------------------------------------------------------- events


@states("BAL-7")
def happen(world: World, event: Event, timing: Timing) -> World:
    """What an event changes in the cluster. A broker that is down cannot go down."""
    match event:
        case Join(_, broker):
            return come_up(world, broker)
        case Leave(at, broker) if broker in world.up:
            return replace(lose(world, broker, at + timing.reconnect), up=world.up - {broker})
        case Crash(at, broker) if broker in world.up:
            known_at = at + timing.session
            return replace(
                lose(world, broker, max(known_at, at + timing.reconnect)),
                up=world.up - {broker},
                dying={**world.dying, broker: known_at},
            )
        case Slow(at, broker, factor, lasts):
            known = world.slow.get(broker, ())
            return replace(world, slow={**world.slow, broker: (*known, (factor, at + lasts))})
        case _:
            return world


def come_up(world: World, broker: BrokerId) -> World:
    """A broker runs, with no bundle."""
    dying = {name: at for name, at in world.dying.items() if name != broker}
    return replace(world, up=world.up | {broker}, dying=dying)


def pass_time(world: World, now: Millis) -> World:
    """Sessions that have expired by `now` are over, and so is slowness."""
    return replace(
        world,
        dying={broker: at for broker, at in world.dying.items() if at > now},
        slow={
            broker: tuple((by, until) for by, until in reasons if until > now)
            for broker, reasons in world.slow.items()
        },
    )


# ------------------------------------------------------------------------------------ load


def loads_at(bundles: tuple[BundleSpec, ...], now: Millis) -> dict[BundleName, Traffic]:
    """The traffic of every bundle at an instant, if a broker serves it."""
    return {bundle.name: traffic_at(bundle.traffic, bundle.curve, now) for bundle in bundles}


@states("BAL-1")
def resources_of(broker: BrokerSpec, carried: Traffic, speed: float) -> Resources:
    """How full a broker is: messages fill its processor, bytes its network, in and out apart.

    More than 100 % is demand that the broker cannot meet.
    """
    return Resources(
        cpu=Resource(carried.msg_rate, broker.messages * speed),
        bandwidth_in=Resource(carried.throughput_in, broker.bandwidth),
        bandwidth_out=Resource(carried.throughput_out, broker.bandwidth),
    )


@states("BAL-1")
def measure(
    world: World,
    broker: BrokerSpec,
    bundles: tuple[BundleName, ...],
    loads: Mapping[BundleName, Traffic],
) -> BrokerReport:
    """What a broker measures of itself: its usage, and the sum of its bundles."""
    carried = total([loads[bundle] for bundle in bundles])
    speed = min((factor for factor, _ in world.slow.get(broker.id, ())), default=1.0)
    return BrokerReport(resources_of(broker, carried, speed), carried, bundles)


def measure_all(
    world: World, brokers: tuple[BrokerSpec, ...], loads: Mapping[BundleName, Traffic]
) -> dict[BrokerId, BrokerReport]:
    """What every broker that is up measures."""
    served = all_served(world)
    return {
        broker.id: measure(world, broker, served.get(broker.id, ()), loads)
        for broker in brokers
        if broker.id in world.up
    }


@states("BAL-12")
def gauge(broker: BrokerId, report: BrokerReport, weights: Weights) -> Gauge:
    """What is recorded of a broker."""
    return Gauge(
        broker,
        max_weighted_usage(report.resources, weights),
        report.traffic.msg_rate,
        report.traffic.throughput,
        report.bundles,
    )
