"""Whether moves reduce unevenness: they go where there is less load (BAL-17, BAL-22, BAL-26)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product

from evenkeel.properties.balancing.loop.progress import is_constant
from evenkeel.properties.balancing.loop.trials import BalancingTrial
from evenkeel.properties.tolerance import DOUBLE, SINGLE
from evenkeel.reference.balancing.history import Gauge, History, Moment
from evenkeel.reference.balancing.scenario import Scenario, Split
from evenkeel.reference.balancing.settings import BalancerSpec, Placer, Strategy
from evenkeel.reference.load.averages import UNSEEN
from evenkeel.reference.load.namespaces import namespace_of
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis
from evenkeel_engine.kit.approx import add_in_order
from evenkeel_engine.kit.run import MonitorRun, fill


class ReliefMonitor:
    """Checks that bundles that leave a broker go to a less loaded one.

    `left`: bundles that were shed or split off and are not placed yet, with the clause about their
    destination; `gauges`: the last reports; `given`: the messages of what each broker was given
    since; `before`: a bundle's last broker, or that of its parent; `sources`: that broker's gauge
    then; `moved`, `parents`: bundles that were moved or split since these reports.
    """

    def __init__(self, run: MonitorRun, trial: BalancingTrial) -> None:
        self.run = run
        self.limit = trial.balancer.settings.overloaded_percent / 100 - DOUBLE
        self.rates = {
            bundle.name: max(bundle.traffic.msg_rate, UNSEEN.msg_rate)
            for bundle in trial.scenario.every_bundle
        }
        self.splits = [event for event in trial.scenario.events if isinstance(event, Split)]
        self.left: dict[BundleName, str] = {}
        self.gauges: dict[BrokerId, Gauge] = {}
        self.given: dict[BrokerId, float] = {}
        self.evenly = trial.balancer.settings.distribute_evenly
        self.new: dict[BrokerId, list[BundleName]] = {}
        self.moved = self.parents = frozenset[BundleName]()
        self.before: dict[BundleName, BrokerId] = {}
        self.sources: dict[BundleName, Gauge] = {}

    def moment(self, moment: Moment) -> None:
        """One step of the run."""
        self.split(moment.at)
        for placed in moment.placed:
            if clause := self.left.pop(placed.bundle, ""):
                self.place(clause, moment, placed.bundle, placed.broker)
            rate = self.given.get(placed.broker, 0.0) + self.rates[placed.bundle]
            self.given[placed.broker] = rate
            self.new.setdefault(placed.broker, []).append(placed.bundle)
        self.gauges = {gauge.broker: gauge for gauge in moment.gauges}
        self.given, self.new = {}, {}
        self.moved = frozenset(move.bundle for move in moment.moves)
        self.parents = frozenset()
        self.left |= dict.fromkeys((move.bundle for move in moment.moves), "BAL-22")
        for move in moment.moves:
            self.leaves(move.bundle, move.source)

    def split(self, now: Millis) -> None:
        """Process the splits up to now; a bundle that no broker served relieves none."""
        served = {b: broker for broker, gauge in self.gauges.items() for b in gauge.bundles}
        for event in [event for event in self.splits if event.at <= now]:
            self.splits.remove(event)
            self.parents |= {event.bundle}
            if event.bundle in served and event.bundle not in self.left and event.unload:
                children = [child.name for child in event.children]
                self.left |= dict.fromkeys(children, "BAL-26")
                for child in children:
                    self.leaves(child, served[event.bundle])

    def leaves(self, bundle: BundleName, broker: BrokerId) -> None:
        """A bundle leaves a broker; its gauge is stored."""
        self.before[bundle] = broker
        self.sources.pop(bundle, None)
        if broker in self.gauges:
            self.sources[bundle] = self.gauges[broker]

    def place(self, clause: str, moment: Moment, bundle: BundleName, broker: BrokerId) -> None:
        """Judge a placement. Not the broker that the bundle left, if another carries less than that
        one does now and did then: "less loaded" can mean either. And a bundle that was shed does
        not go where there is more load than on its old broker.
        """
        before, left = self.before.get(bundle), self.sources.get(bundle)
        if left is None:
            return
        wrong = dict[BrokerId, list[BrokerId]]()
        if before in self.gauges:
            now_less = self.less_than(self.gauges[before], before)
            wrong[before] = [other for other in self.less_than(left, before) if other in now_less]
        if clause == "BAL-22":
            for other, gauge in self.gauges.items():
                if self.is_more(gauge, left):
                    wrong[other] = self.less_than(left, before)
        if any(wrong.values()):
            less = wrong.get(broker, [])  # the rule may count before load
            by_rule = (
                [o for o in less if o in even] for even in self.ways(bundle) if broker in even
            )
            better = min((less, *by_rule), key=len)
            sentence = f"at {moment.at} ms {bundle} goes to {broker}, not to {''.join(better[:1])}"
            self.run.require(clause, not better, sentence)

    def ways(self, bundle: BundleName) -> Iterator[Collection[BrokerId]]:
        """The brokers that even distribution leaves, where it is on: what was moved or split since
        the reports counts at its old broker, or not.
        """
        none = frozenset[BundleName]()
        if self.evenly:
            for gone in product((none, self.moved), (none, self.parents)):
                yield fewest(bundle, {b: self.held(b, *gone) for b in self.gauges})

    def held(self, broker: BrokerId, *gone: frozenset[BundleName]) -> frozenset[BundleName]:
        """What a broker reported, but for what has gone, and what was placed with it since."""
        reported = frozenset(self.gauges[broker].bundles)
        return reported.difference(*gone).union(self.new.get(broker, ()))

    def less_than(self, gauge: Gauge, before: BrokerId | None) -> list[BrokerId]:
        """The brokers, other than the bundle's own, that surely carry less than this one."""
        return [
            broker
            for broker, one in self.gauges.items()
            if broker != before and self.is_less(one, gauge)
        ]

    def is_less(self, gauge: Gauge, left: Gauge) -> bool:
        """Whether a broker that is not overloaded surely carries less, by messages and by usage."""
        rate = gauge.msg_rate + self.given.get(gauge.broker, 0.0)
        less = rate < left.msg_rate * (1 - DOUBLE) and gauge.usage < left.usage - SINGLE
        return less and gauge.usage < self.limit

    def is_more(self, gauge: Gauge, left: Gauge) -> bool:
        """Whether a broker surely carries more than another, by messages and by usage."""
        return gauge.msg_rate > left.msg_rate * (1 + DOUBLE) and gauge.usage > left.usage + SINGLE


def fewest(bundle: BundleName, held: Mapping[BrokerId, Collection[BundleName]]) -> list[BrokerId]:
    """The brokers with the fewest bundles of the namespace."""
    namespace = namespace_of(bundle)
    counts = {b: sum(namespace_of(name) == namespace for name in held[b]) for b in held}
    return [broker for broker, count in counts.items() if count == min(counts.values())]


def judge_relief(run: MonitorRun, trial: BalancingTrial, observed: History) -> None:
    """Judge runs with constant load, no events, and placement by message rates."""
    by_messages = trial.balancer.placement is Placer.MESSAGE_RATE
    quiet = all(isinstance(event, Split) for event in trial.scenario.events)
    if by_messages and quiet and is_constant(trial.scenario):
        world = ReliefMonitor(run, trial)
        for moment in observed.moments:
            world.moment(moment)


HALF = 0.5


def is_in_proportion(scenario: Scenario) -> bool:
    """Whether all bundles have equal ratios of messages, in and out, and all brokers are equal."""
    rates = {
        (load.msg_rate / load.throughput, load.throughput_in / load.throughput)
        for load in (bundle.traffic for bundle in scenario.bundles)
        if load.throughput
    }
    silent = [bundle for bundle in scenario.bundles if not bundle.traffic.throughput]
    sizes = {(broker.messages, broker.bandwidth, broker.present) for broker in scenario.brokers}
    return (
        len(rates) == 1
        and not any(bundle.traffic.msg_rate for bundle in silent)
        and len(sizes) == 1
        and is_constant(scenario)
        and not scenario.events
    )


def moves_parts(balancer: BalancerSpec) -> bool:
    """Whether at most half of a difference is moved, to the emptier broker."""
    settings = balancer.settings
    if balancer.strategy is Strategy.TRANSFER:
        return settings.transfer
    placements = {Strategy.UNIFORM: Placer.MESSAGE_RATE, Strategy.AVG: Placer.AVG}
    return (
        placements.get(balancer.strategy) is balancer.placement
        and 0 <= settings.max_unload_share <= HALF
        and not settings.distribute_evenly
    )


def squares(moment: Moment) -> float:
    """A measure of unevenness: the sum of the squares of the brokers' usages."""
    return add_in_order(gauge.usage * gauge.usage for gauge in moment.gauges)


def is_judged(moment: Moment, balancer: BalancerSpec) -> bool:
    """Whether no broker is overloaded: one that is may be skipped when bundles are placed."""
    limit = balancer.settings.overloaded_percent / 100 - DOUBLE
    free = balancer.strategy is Strategy.TRANSFER
    return free or all(gauge.usage < limit for gauge in moment.gauges)


def judge_evenness(run: MonitorRun, trial: BalancingTrial, observed: History) -> None:
    """Judge single rounds of moves, between two moments when every bundle is served."""
    if not (moves_parts(trial.balancer) and is_in_proportion(trial.scenario)):
        return
    idle = {one.name for one in trial.scenario.bundles if not one.traffic.throughput}
    before: Moment | None = None
    rounds = 0
    for moment in observed.moments:
        if not moment.away:
            if before is not None and rounds == 1 and is_judged(before, trial.balancer):
                was, now = squares(before), squares(moment)
                sentence = "the round at {} ms: squares {:.6f}, then {:.6f}"
                kind, values = str(trial.balancer.strategy), (before.at, was, now)
                run.require("BAL-17", now <= was * (1 - DOUBLE), fill(sentence, *values), kind)
            before, rounds = moment, 0
        rounds += any(move.bundle not in idle for move in moment.moves)
