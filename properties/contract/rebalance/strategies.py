"""Pulsar's five shedding strategies as balancers of this chapter, by the reference.

A unit is the only bundle of a namespace, and a round a minute. A load of 1 is 1,000 messages and
10 MB a second, half of them in: 1 % of the processor and of the bandwidth of the smallest broker.
The adapter of Apache Pulsar puts its own classes the same way (`Turn.java`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final
from urllib.parse import quote

from evenkeel.reference.balancing import leader as leaders
from evenkeel.reference.balancing.leader import Sent, View
from evenkeel.reference.balancing.loop import State, decide_move, placed_by, seed_choices
from evenkeel.reference.balancing.placements import AvgPlacement
from evenkeel.reference.balancing.settings import USUAL_PLACER, BalancerSpec, Settings, Strategy
from evenkeel.reference.balancing.strategies import hiring
from evenkeel.reference.balancing.world import World
from evenkeel.reference.contract.promises import Feature, Lessens, Measure, Promises, Trigger
from evenkeel.reference.contract.turn import Kind, Move, NodeView, Reply, Turn, UnitView
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.averages import BundleAverages, add_sample, guess
from evenkeel.reference.load.leader import Known
from evenkeel.reference.load.traffic import Traffic, total
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding.cluster import (
    MINUTE,
    BrokerId,
    BrokerReport,
    BundleName,
    Millis,
    may_shed,
)

MESSAGES: Final = 500.0
BYTES: Final = 5.0 * 1024 * 1024
OUT_OF_REACH: Final = 100_000_000
"""Loads know no bound. Where all brokers count as overloaded, placement is by chance."""
JUST_BELOW: Final = 1 - 1e-6
"""What is just at a threshold is not above it for the sake of rounding."""
ANY: Final = Promises(
    grace=True,
    places=True,
    knows=(
        Feature.UNSERVED,
        Feature.JOINS,
        Feature.LEAVES,
        Feature.CHANGES,
        Feature.GRACE,
        Feature.LATE,
        Feature.UNREPORTED,
    ),
)
"""What every strategy promises that runs in one of Pulsar's managers."""
PROMISES: Final = {
    Strategy.OVERLOAD: ANY,
    Strategy.THRESHOLD: replace(
        ANY, measure=Measure.USAGE, trigger=10, trigger_by=Trigger.ABOVE_MEAN
    ),
    Strategy.UNIFORM: replace(
        ANY,
        measure=Measure.LOAD,
        trigger=0.5,
        trigger_by=Trigger.RATIO,
        share=0.2,
        lessens=Lessens.ROUND,
    ),
    Strategy.TRANSFER: ANY,
    Strategy.AVG: replace(
        ANY,
        measure=Measure.USAGE,
        trigger=15,
        waits=10,
        share=0.5,
        evenness=15,
        lessens=Lessens.ROUND,
    ),
}


def configure(strategy: Strategy) -> Settings:
    """Pulsar's defaults, but nothing is averaged over time, no broker is overloaded unless the
    strategy is about that, AvgShedder has what its documents tell to set, and nothing is too
    little for ThresholdShedder.
    """
    settings = Settings(history=0)
    if strategy is not Strategy.OVERLOAD:
        settings = replace(settings, overloaded_percent=OUT_OF_REACH)
    if strategy is Strategy.THRESHOLD:
        settings = replace(settings, min_throughput=0)
    return replace(settings, max_unload_share=0.5) if strategy is Strategy.AVG else settings


class Employed:
    """A strategy with its manager around it, for one trial."""

    def __init__(self, strategy: Strategy, edition: Edition) -> None:
        spec = BalancerSpec(strategy, USUAL_PLACER[strategy], configure(strategy))
        self._promises = PROMISES[strategy]
        self._edition = edition
        self._balancer = hiring(spec, edition)()
        self._leader = leaders.new()
        self._choose = seed_choices(0)

    def answer(self, turn: Turn) -> Reply:
        """The answer to a turn."""
        if turn.do is Kind.OPEN:
            self._choose = seed_choices(turn.seed)
            return Reply(promises=self._promises)
        return self.place(turn) if turn.do is Kind.PLACE else self.shed(turn)

    def place(self, turn: Turn) -> Reply:
        """Where a lookup of the bundle is sent."""
        [unit] = [one for one in turn.units if one.name == turn.unit]
        view = self.look(turn)
        planned = isinstance(self._balancer.placement, AvgPlacement)
        if planned and not view.active and self._edition.planned_placement_needs_candidates:
            return Reply(broke="DividedByNone: there is no candidate (PLC-5)")
        broker = placed_by(self._balancer, name_bundle(unit), None, view, self._choose)
        return Reply(node=broker) if broker else Reply(cannot="no broker is left")

    def shed(self, turn: Turn) -> Reply:
        """What the manager unloads in a round, and what it remembers of that.

        The grace period is no shorter than reports are old, as by default.
        """
        grace = max(turn.grace, turn.round - turn.reported)
        self._leader = leaders.forget_old(self._leader, turn.round * MINUTE, grace)
        view = self.look(turn)
        if not may_shed(len(view.active)):
            return Reply()
        units = {name_bundle(unit): unit.name for unit in turn.units}
        world = World(frozenset(view.active), {}, {}, view.owners, {})
        moves: list[Move] = []
        for shed in self._balancer.shedder.decide(view):
            state = State(world, self._leader, self._balancer)
            move = decide_move(state, shed, view, self._choose, self._edition)
            if move is not None:
                moves.append(Move(units[move.bundle], move.source, move.destination))
                at = turn.round * MINUTE + MINUTE // 2
                self._leader = leaders.remember(self._leader, at, move.bundle, move.source)
        return Reply(moves=tuple(moves))

    def look(self, turn: Turn) -> View:
        """What the strategy is shown in a turn."""
        sent = {node.name: report(node, turn) for node in turn.nodes if node.up}
        latest = {BrokerId(name): one for name, one in sent.items()}
        known: dict[str, BundleAverages] = {
            name_bundle(unit): add_sample(guess(), make_traffic(unit.load), 1)
            for unit in turn.units
            if unit.load is not None
        }
        self._leader = replace(self._leader, latest=latest, known=Known(bundles=known))
        owners = {
            name_bundle(unit): BrokerId(unit.node) for unit in turn.units if unit.node in sent
        }
        return leaders.view(self._leader, turn.round * MINUTE, frozenset(latest), owners)


def name_bundle(unit: UnitView) -> BundleName:
    """The bundle that is a unit."""
    return BundleName(f"evenkeel/{quote(unit.name, safe='')}/0x00000000_0xffffffff")


def make_traffic(load: int) -> Traffic:
    """The traffic of a unit."""
    return Traffic(MESSAGES * load, MESSAGES * load, BYTES * load, BYTES * load)


def report(node: NodeView, turn: Turn) -> Sent:
    """The report of a broker, its fullest bundle first. What has no load is served, no more."""
    served = [unit for unit in turn.units if unit.node == node.name]
    served.sort(key=lambda unit: -(unit.load or 0))
    traffic = {
        name_bundle(unit): make_traffic(unit.load) for unit in served if unit.load is not None
    }
    load = sum(unit.load or 0 for unit in served)
    used = Resource(load / node.capacity * JUST_BELOW, 100)
    resources = Resources(cpu=used, bandwidth_in=used, bandwidth_out=used)
    bundles = tuple(map(name_bundle, served))
    sent_at: Millis = turn.reported * MINUTE
    reported = BrokerReport(resources, total(traffic.values()), bundles)
    return Sent(BrokerId(node.name), sent_at, sent_at, reported, traffic)


def hire(strategy: Strategy, edition: Edition) -> Callable[[Turn], Reply]:
    """A new balancer of a strategy."""
    return Employed(strategy, edition).answer


STRATEGIES: Final[Mapping[str, Callable[[Edition], Callable[[Turn], Reply]]]] = {
    strategy.value: partial(hire, strategy) for strategy in PROMISES
}
"""By name, what makes a balancer of an edition."""
