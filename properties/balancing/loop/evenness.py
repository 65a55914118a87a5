"""Whether what relieves a broker goes where there is less load (BAL-22, BAL-26)."""

from __future__ import annotations

from evenkeel.properties.balancing.loop.progress import is_constant
from evenkeel.properties.balancing.loop.trials import BalancingTrial
from evenkeel.properties.kit.approx import added
from evenkeel.properties.kit.run import MonitorRun, fill
from evenkeel.properties.kit.tolerance import DOUBLE, SINGLE
from evenkeel.reference.balancing.history import Gauge, History, Moment
from evenkeel.reference.balancing.scenario import Scenario, Split
from evenkeel.reference.balancing.settings import BalancerSpec, Placer, Strategy
from evenkeel.reference.load.averages import UNSEEN
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis


class Relieved:
    """`left`: the bundles that were shed, or split off, and are not placed yet, with the clause
    that says where they go; `gauges`: what was last reported;
    `given`: the messages of what was placed with each broker since; `before`: who served a bundle,
    or what it was split off from; `sources`: what that broker carried then.
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
        self.gauges = {gauge.broker: gauge for gauge in moment.gauges}
        self.given = {}
        self.left |= dict.fromkeys((move.bundle for move in moment.moves), "BAL-22")
        for move in moment.moves:
            self.leaves(move.bundle, move.source)

    def split(self, now: Millis) -> None:
        """What has been split by now; a bundle that nobody served relieves nobody."""
        served = {b: broker for broker, gauge in self.gauges.items() for b in gauge.bundles}
        for event in [event for event in self.splits if event.at <= now]:
            self.splits.remove(event)
            if event.bundle in served and event.bundle not in self.left and event.unload:
                children = [child.name for child in event.children]
                self.left |= dict.fromkeys(children, "BAL-26")
                for child in children:
                    self.leaves(child, served[event.bundle])

    def leaves(self, bundle: BundleName, broker: BrokerId) -> None:
        """A bundle leaves a broker, which carries so much then."""
        self.before[bundle] = broker
        self.sources.pop(bundle, None)
        if broker in self.gauges:
            self.sources[bundle] = self.gauges[broker]

    def place(self, clause: str, moment: Moment, bundle: BundleName, broker: BrokerId) -> None:
        """It is placed. Not with the broker that it left, where another carries less than that one
        now, and than it did then: either can be meant by "less loaded". And nothing that was shed
        goes where there is more load than it came from.
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
            better = wrong.get(broker, [])
            sentence = f"at {moment.at} ms {bundle} goes to {broker}, not to {''.join(better[:1])}"
            self.run.require(clause, not better, sentence)

    def less_than(self, gauge: Gauge, before: BrokerId | None) -> list[BrokerId]:
        """The brokers but for the bundle's own that surely carry less than this one."""
        return [
            broker
            for broker, one in self.gauges.items()
            if broker != before and self.is_less(one, gauge)
        ]

    def is_less(self, gauge: Gauge, left: Gauge) -> bool:
        """Whether a broker that is not overloaded surely carries less than another, in messages
        and by its usage.
        """
        rate = gauge.msg_rate + self.given.get(gauge.broker, 0.0)
        less = rate < left.msg_rate * (1 - DOUBLE) and gauge.usage < left.usage - SINGLE
        return less and gauge.usage < self.limit

    def is_more(self, gauge: Gauge, left: Gauge) -> bool:
        """Whether a broker surely carries more than another, in messages and by its usage."""
        return gauge.msg_rate > left.msg_rate * (1 + DOUBLE) and gauge.usage > left.usage + SINGLE


def relieves(run: MonitorRun, trial: BalancingTrial, observed: History) -> None:
    """Where load is constant, nothing happens, and placement goes by the reported messages."""
    by_messages = trial.balancer.placement is Placer.MESSAGE_RATE
    quiet = all(isinstance(event, Split) for event in trial.scenario.events)
    if by_messages and quiet and is_constant(trial.scenario):
        world = Relieved(run, trial)
        for moment in observed.moments:
            world.moment(moment)


HALF = 0.5


def is_in_proportion(scenario: Scenario) -> bool:
    """Whether all bundles have the same messages per byte, in and out, and brokers are equal."""
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
    """Whether at most half of a difference is moved, and to the emptier broker."""
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
    """How uneven it is: the sum of the squares of the brokers' usages."""
    return added(gauge.usage * gauge.usage for gauge in moment.gauges)


def is_judged(moment: Moment, balancer: BalancerSpec) -> bool:
    """Whether nobody is overloaded: who is, may be passed over when bundles are placed."""
    limit = balancer.settings.overloaded_percent / 100 - DOUBLE
    free = balancer.strategy is Strategy.TRANSFER
    return free or all(gauge.usage < limit for gauge in moment.gauges)


def evens(run: MonitorRun, trial: BalancingTrial, observed: History) -> None:
    """One round of moves, from a moment when everything is served to the next such moment."""
    if not (moves_parts(trial.balancer) and is_in_proportion(trial.scenario)):
        return
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
        rounds += bool(moment.moves)
