"""Whether what relieves a broker goes where there is less load (BAL-22, BAL-26)."""

from __future__ import annotations

from evenkeel.properties.balancing.loop.progress import is_constant
from evenkeel.properties.balancing.loop.trial import BalancingTrial
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.tolerance import DOUBLE
from evenkeel.reference.balancing.history import Gauge, History, Moment
from evenkeel.reference.balancing.scenario import Split
from evenkeel.reference.balancing.settings import Placer
from evenkeel.reference.load.averages import UNSEEN
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis


class Relieved:
    """`left`: the bundles that were shed, or split off, and are not placed yet, with the clause
    that says where they go; `gauges`: what was last reported;
    `given`: the messages of what was placed with each broker since; `before`: who served a bundle,
    or what it was split off from, and need not get it, however little it carries.
    """

    def __init__(self, trial: BalancingTrial, findings: Findings) -> None:
        self.findings = findings
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
        self.before |= {move.bundle: move.source for move in moment.moves}

    def split(self, now: Millis) -> None:
        """What has been split by now; a bundle that nobody served relieves nobody."""
        served = {b: broker for broker, gauge in self.gauges.items() for b in gauge.bundles}
        for event in [event for event in self.splits if event.at <= now]:
            self.splits.remove(event)
            if event.bundle in served and event.bundle not in self.left and event.unload:
                children = [child.name for child in event.children]
                self.left |= dict.fromkeys(children, "BAL-26")
                self.before |= dict.fromkeys(children, served[event.bundle])

    def place(self, clause: str, moment: Moment, bundle: BundleName, broker: BrokerId) -> None:
        """It is placed, with nobody who surely carries more than another."""
        free = {
            gauge.msg_rate + self.given.get(other, 0.0): other
            for other, gauge in self.gauges.items()
            if gauge.usage < self.limit and other != self.before.get(bundle)
        }
        if not free:
            return
        least = min(free)
        fuller = {b for b, gauge in self.gauges.items() if gauge.msg_rate * (1 - DOUBLE) > least}
        if fuller:
            sentence = f"at {moment.at} ms {bundle} goes to {broker}, not to {free[least]}"
            self.findings.note(clause, broker not in fuller, sentence)


def relieves(trial: BalancingTrial, observed: History, findings: Findings) -> None:
    """Where load is constant, nothing happens, and placement goes by the reported messages."""
    by_messages = trial.balancer.placement is Placer.MESSAGE_RATE
    quiet = all(isinstance(event, Split) for event in trial.scenario.events)
    if by_messages and quiet and is_constant(trial.scenario):
        world = Relieved(trial, findings)
        for moment in observed.moments:
            world.moment(moment)
