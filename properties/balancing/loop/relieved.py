"""Whether what relieved a broker goes where there is less load (BAL-22)."""

from __future__ import annotations

from evenkeel.properties.balancing.loop.progress import is_constant
from evenkeel.properties.balancing.loop.trial import BalancingTrial
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.tolerance import DOUBLE
from evenkeel.reference.balancing.history import Gauge, History, Moment
from evenkeel.reference.balancing.settings import Placer
from evenkeel.reference.shedding.cluster import BrokerId, BundleName


class Relieved:
    """`left`: the bundles that were shed and are not placed yet; `gauges`: what was last reported;
    `given`: the messages of what was placed with each broker since.
    """

    def __init__(self, trial: BalancingTrial, findings: Findings) -> None:
        self.findings = findings
        self.limit = trial.balancer.settings.overloaded_percent / 100 - DOUBLE
        self.rates = {bundle.name: bundle.traffic.msg_rate for bundle in trial.scenario.bundles}
        self.left: set[BundleName] = set()
        self.gauges: dict[BrokerId, Gauge] = {}
        self.given: dict[BrokerId, float] = {}

    def moment(self, moment: Moment) -> None:
        """One step of the run."""
        for placed in moment.placed:
            if placed.bundle in self.left:
                self.place(moment, placed.bundle, placed.broker)
                self.left.remove(placed.bundle)
            rate = self.given.get(placed.broker, 0.0) + self.rates[placed.bundle]
            self.given[placed.broker] = rate
        self.gauges = {gauge.broker: gauge for gauge in moment.gauges}
        self.given = {}
        self.left.update(move.bundle for move in moment.moves)

    def place(self, moment: Moment, bundle: BundleName, broker: BrokerId) -> None:
        """A bundle that was shed is placed: with nobody who surely carries more than another."""
        free = {
            gauge.msg_rate + self.given.get(other, 0.0): other
            for other, gauge in self.gauges.items()
            if gauge.usage < self.limit
        }
        if not free:
            return
        least = min(free)
        fuller = {b for b, gauge in self.gauges.items() if gauge.msg_rate * (1 - DOUBLE) > least}
        if fuller:
            sentence = f"at {moment.at} ms {bundle} goes to {broker}, not to {free[least]}"
            self.findings.note("BAL-22", broker not in fuller, sentence)


def relieves(trial: BalancingTrial, observed: History, findings: Findings) -> None:
    """Where load is constant, nothing happens, and placement goes by the reported messages."""
    by_messages = trial.balancer.placement is Placer.MESSAGE_RATE
    if by_messages and not trial.scenario.events and is_constant(trial.scenario):
        world = Relieved(trial, findings)
        for moment in observed.moments:
            world.moment(moment)
