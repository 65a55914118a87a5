"""The cluster as the events of a trial and the observed placements and moves make it.

Nothing here decides, and nothing is asked of the reference: which brokers are up, who serves
which bundle, and what that weighs (BAL-1, BAL-2, BAL-7).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evenkeel.properties.judging.near import added
from evenkeel.reference.balancing.curves import (
    DAY,
    HALF_A_DAY,
    HOUR,
    Daily,
    Drift,
    Replay,
    Spike,
)
from evenkeel.reference.balancing.history import Gauge, Move
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
)
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis

NOTHING: Final = Traffic()


class Cluster:
    """`up`: the brokers that run; `dying`: those that crashed, and when the others learn of it;
    `slow`: whose processor does less, by how much and until when; `away`: the bundles that nobody
    serves, and when their clients look them up. `keeps`: who splits never unloads the children;
    `alone`: it does even where nobody else is there to take them.
    """

    def __init__(self, scenario: Scenario, keeps: bool = False, alone: bool = False) -> None:
        self.scenario = scenario
        self.bundles = scenario.every_bundle
        self.keeps = keeps
        self.alone = alone
        self.now: Millis = 0
        self.up = {broker.id for broker in scenario.brokers if broker.present}
        self.dying: dict[BrokerId, Millis] = {}
        self.slow: list[tuple[BrokerId, float, Millis]] = []
        self.owner = {b.name: b.owner for b in scenario.bundles if b.owner is not None}
        self.away: dict[BundleName, Millis] = {
            b.name: 0 for b in scenario.bundles if b.owner is None
        }

    def pass_to(self, now: Millis) -> list[Event]:
        """A step has passed: what has happened meanwhile."""
        self.now = now
        begun = now - self.scenario.timing.step
        events = [event for event in self.scenario.events if begun < event.at <= now]
        for event in events:
            self.happen(event)
        self.dying = {broker: at for broker, at in self.dying.items() if at > now}
        self.slow = [reason for reason in self.slow if reason[2] > now]
        return events

    def happen(self, event: Event) -> None:
        timing = self.scenario.timing
        match event:
            case Join(_, broker):
                self.up.add(broker)
                self.dying.pop(broker, None)
            case Leave(at, broker) if broker in self.up:
                self.lose(broker, at + timing.reconnect)
            case Crash(at, broker) if broker in self.up:
                self.dying[broker] = at + timing.session
                self.lose(broker, at + max(timing.session, timing.reconnect))
            case Slow(at, broker, factor, lasts):
                self.slow.append((broker, factor, at + lasts))
            case Split():
                self.split(event)

    def split(self, split: Split) -> None:
        """The children are with the owner, with nobody, or as far away as their parent is."""
        owner, back_at = self.owner.pop(split.bundle, None), self.away.pop(split.bundle, None)
        stay = self.keeps or not split.unload or (len(self.registered) == 1 and not self.alone)
        for child in split.children:
            if owner is not None and stay:
                self.owner[child.name] = owner
            elif owner is not None:
                self.away[child.name] = split.at + self.scenario.timing.reconnect
            elif back_at is not None:
                self.away[child.name] = back_at

    def lose(self, broker: BrokerId, back_at: Millis) -> None:
        self.up.discard(broker)
        for bundle in self.served_by(broker):
            self.leave(bundle, back_at)

    def carry_out(self, move: Move, at: Millis) -> None:
        """A bundle is with nobody for a while, or at once with the destination of a transfer."""
        timing = self.scenario.timing
        self.leave(move.bundle, at + (timing.transfer if move.transfer else timing.reconnect))
        at_once = move.transfer and timing.transfer == 0
        if at_once and move.destination and move.destination in self.up:
            self.assign(move.bundle, move.destination)

    def leave(self, bundle: BundleName, back_at: Millis) -> None:
        self.owner.pop(bundle, None)
        self.away[bundle] = back_at

    def assign(self, bundle: BundleName, broker: BrokerId) -> None:
        self.owner[bundle] = broker
        self.away.pop(bundle, None)

    @property
    def registered(self) -> frozenset[BrokerId]:
        """The brokers that are taken for alive: those that run or are not yet known to be dead."""
        return frozenset(self.up | self.dying.keys())

    def served_by(self, broker: BrokerId) -> list[BundleName]:
        return sorted(bundle for bundle, owner in self.owner.items() if owner == broker)

    def gauges(self) -> Iterator[Gauge]:
        """What every broker that is up carries, in doubles."""
        loads = {bundle.name: weight(bundle, self.now) for bundle in self.bundles}
        served: dict[BrokerId, list[BundleName]] = {}
        for bundle in sorted(self.owner):
            served.setdefault(self.owner[bundle], []).append(bundle)
        for broker in self.scenario.brokers:
            if broker.id in self.up:
                bundles = served.get(broker.id, [])
                yield self.gauge(broker, [loads[bundle] for bundle in bundles], bundles)

    def gauge(self, broker: BrokerSpec, loads: list[Traffic], bundles: list[BundleName]) -> Gauge:
        messages = added(load.msg_rate for load in loads)
        came, went = (
            added(load.throughput_in for load in loads),
            added(load.throughput_out for load in loads),
        )
        speed = min((by for slow, by, _ in self.slow if slow == broker.id), default=1.0)
        usage = max(messages / (broker.messages * speed), max(came, went) / broker.bandwidth)
        return Gauge(broker.id, usage, messages, came + went, tuple(bundles))


def weight(bundle: BundleSpec, now: Millis) -> Traffic:
    """A bundle's traffic at an instant, if somebody serves it."""
    base, curve = bundle.traffic, bundle.curve
    match curve:
        case Drift(per_hour, until):
            factor = max(0.0, 1.0 + per_hour * min(now, until) / HOUR)
        case Spike(begin, end, times):
            factor = times if begin <= now < end else 1.0
        case Daily(peak, low):
            from_peak = (now - peak) % DAY
            factor = 1.0 - (1.0 - low) * min(from_peak, DAY - from_peak) / HALF_A_DAY
        case Replay(rows):
            return next((row.traffic for row in reversed(rows) if row.at <= now), NOTHING)
        case _:
            return base
    if factor == 1.0:
        return base
    return base.combined(base, lambda one, _: one * factor)
