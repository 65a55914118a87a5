"""Whether the strategy allows the brokers that bundles are placed with, by the reports (BAL-27).

The reference is not used: a broker's last report is its gauge, and what it was given since counts,
too. What is close to a limit, and what cannot be known from outside (turns, histories and choices
of brokers that are down), leaves every answer open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise
from math import floor

from evenkeel.properties.balancing.loop.evenness import fewest
from evenkeel.properties.balancing.loop.progress import is_constant
from evenkeel.properties.balancing.loop.trials import BalancingTrial, Cluster
from evenkeel.properties.tolerance import DOUBLE, SINGLE, tolerance_of
from evenkeel.reference.balancing.balancer import Alone
from evenkeel.reference.balancing.history import Gauge, History, Moment
from evenkeel.reference.balancing.scenario import (
    DelayReports,
    Join,
    LeaderChange,
    LoseReports,
    Split,
)
from evenkeel.reference.balancing.settings import Placer, Strategy
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.averages import UNSEEN
from evenkeel.reference.load.namespaces import SYSTEM, namespace_of
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel_engine.kit.approx import add_in_order
from evenkeel_engine.kit.run import MonitorRun


class PlacementMonitor:
    """Judges placements by what the leader knows.

    `reports`: the last gauge of every broker that is registered; `given`: what was placed with each
    since; `relieving`: bundles that left a broker to relieve it; `destinations`: those of
    transfers; `ranges`: those with a destination fixed already, in 4.0; `targets`: the broker for
    which AvgShedder shed a bundle; `shaky`: whether a broker was down and still registered, or a
    fixed destination may have been used: then placements are not judged.
    """

    def __init__(
        self, run: MonitorRun, trial: BalancingTrial, edition: Edition, alone: Alone
    ) -> None:
        self.balancer, self.edition, self.run = trial.balancer, edition, run
        self.settings = trial.balancer.settings
        self.transfers = trial.balancer.strategy is Strategy.TRANSFER
        self.constant = is_constant(trial.scenario)
        keeps = self.transfers and edition.extensible_never_unloads
        self.cluster = Cluster(trial.scenario, keeps, alone.children)
        self.rates = {
            bundle.name: bundle.traffic.msg_rate for bundle in trial.scenario.every_bundle
        }
        self.reports: dict[BrokerId, Gauge] = {}
        self.given: dict[BrokerId, list[BundleName]] = {}
        self.relieving: set[BundleName] = set()
        self.destinations: dict[BundleName, BrokerId] = {}
        self.ranges: set[str] = set()
        self.targets: dict[BundleName, BrokerId] = {}
        self.shaky = False

    def moment(self, moment: Moment) -> None:
        """One step of the run."""
        self.happen(moment)
        for placed in moment.placed:
            self.looked_up(moment, placed.bundle, placed.broker)
            self.cluster.assign(placed.bundle, placed.broker)
            self.given.setdefault(placed.broker, []).append(placed.bundle)
            self.relieving.discard(placed.bundle)
        self.shaky = bool(self.cluster.dying)
        self.reports |= {gauge.broker: gauge for gauge in moment.gauges}
        self.given = {}
        if moment.moves and not self.shaky:
            self.check_moves(moment)
        self.leave(moment)

    def happen(self, moment: Moment) -> None:
        """Process events: a new broker reports at once, one that left is forgotten."""
        served = set(self.cluster.owner)
        events = self.cluster.pass_to(moment.at)
        if not tolerance_of(self.edition).exact:  # back before anyone missed it: is it idle?
            back = (event.broker for event in events if isinstance(event, Join))
            self.shaky = self.shaky or any(broker in self.reports for broker in back)
        for split in events:
            if isinstance(split, Split) and split.bundle in served | self.relieving:
                self.relieving |= {child.name for child in split.children}
        registered = self.cluster.registered
        if registered != self.reports.keys():
            fresh = {gauge.broker: gauge for gauge in self.cluster.gauges()}
            known = fresh | self.reports
            self.reports = {b: gauge for b, gauge in known.items() if b in registered}

    def looked_up(self, moment: Moment, bundle: BundleName, broker: BrokerId) -> None:
        """Clients were sent to a broker."""
        destination, target = self.destinations.pop(bundle, None), self.targets.pop(bundle, None)
        fixed = destination in self.cluster.up or bundle.rpartition("/")[2] in self.ranges
        self.shaky = self.shaky or fixed or bool(self.cluster.dying)
        if not self.shaky:
            self.judge(moment, bundle, broker, target)

    def check_moves(self, moment: Moment) -> None:
        """A modular leader of 4.0 chooses destinations when it sheds."""
        if self.edition.destination_when_shed and not self.transfers:
            for move in moment.moves:
                if move.destination is not None:
                    self.judge(moment, move.bundle, move.destination, None)
        elif self.balancer.placement is Placer.AVG and self.constant:
            partners = self.partners()
            for move in moment.moves:
                self.targets.pop(move.bundle, None)
                if move.source in partners:
                    self.targets[move.bundle] = partners[move.source]

    def partners(self) -> dict[BrokerId, BrokerId]:
        """AvgShedder's pairs: the fullest with the emptiest, and so on; none if two are alike."""
        ranked = sorted(self.reports.values(), key=lambda gauge: gauge.usage)
        if any(more.usage - less.usage < SINGLE for less, more in pairwise(ranked)):
            return {}
        names = [gauge.broker for gauge in ranked]
        return dict(zip(reversed(names), names, strict=True))

    def leave(self, moment: Moment) -> None:
        """Carry out the moves, and store their destinations."""
        for move in moment.moves:
            self.cluster.carry_out(move, moment.at)
            self.relieving.add(move.bundle)
            if move.destination is None:
                continue
            if not move.transfer and self.edition.destination_when_shed:
                self.ranges.add(move.bundle.rpartition("/")[2])
            elif move.transfer or self.balancer.strategy is not Strategy.AVG:
                self.destinations[move.bundle] = move.destination
            elif self.balancer.placement is Placer.AVG:  # AvgShedder may name its target
                self.targets[move.bundle] = move.destination

    # The allowed brokers.

    def judge(
        self, moment: Moment, bundle: BundleName, broker: BrokerId, target: BrokerId | None
    ) -> None:
        """One placement."""
        active = [name for name in self.reports if name in self.cluster.registered]
        if broker not in active or len(active) < 2:
            return
        left = active if self.transfers else self.fewest(bundle, active)
        by_load = bundle in self.relieving and not self.edition.even_distribution_before_load
        if target in left or (by_load and target in active):
            allowed = {target}
        else:
            ways = (left, active) if by_load else (left,)
            allowed = {b for way in ways for b in way if self.may_be_chosen(b, way)}
            if not self.transfers and any(self.full(b) is not False for b in allowed):
                allowed = {b for b in allowed if self.full(b) is not True}
                allowed |= {b for b in active if self.may_be_chosen(b, active)}
        if len(allowed) < len(active):
            sentence = f"at {moment.at} ms {bundle} goes to {broker}, not to {join(allowed)}"
            self.run.require("BAL-27", broker in allowed, sentence)

    def fewest(self, bundle: BundleName, brokers: Collection[BrokerId]) -> list[BrokerId]:
        """The brokers with the fewest bundles of the namespace, where these are spread."""
        namespace = namespace_of(bundle)
        if not (self.settings.distribute_evenly or namespace == SYSTEM):
            return list(brokers)
        reports, given = self.reports, self.given
        return fewest(bundle, {b: {*reports[b].bundles, *given.get(b, ())} for b in brokers})

    def may_be_chosen(self, broker: BrokerId, others: Collection[BrokerId]) -> bool:
        """Whether the strategy may choose this one among others, as far as that can be known."""
        if self.transfers:
            return not self.constant or self.below(broker, others)
        if self.balancer.placement is not Placer.MESSAGE_RATE or not self.constant:
            return True
        fit = [other for other in others if self.full(other) is False]
        if self.full(broker) is True:
            return not fit
        least = min((self.bound_messages(other)[1] for other in fit), default=float("inf"))
        return self.bound_messages(broker)[0] * (1 - DOUBLE) <= least

    def below(self, broker: BrokerId, others: Collection[BrokerId]) -> bool:
        """Whether a broker is well below the mean, or none is."""
        usages = {other: self.reports[other].usage for other in others}
        least = add_in_order(usages.values()) / len(usages) - self.settings.usage_difference / 100
        return usages[broker] <= least + SINGLE or min(usages.values()) > least - SINGLE

    def full(self, broker: BrokerId) -> bool | None:
        """Whether a broker is overloaded; None if that is close to the limit."""
        distance = self.reports[broker].usage - self.settings.overloaded_percent / 100
        return None if abs(distance) < SINGLE else distance > 0

    def bound_messages(self, broker: BrokerId) -> tuple[float, float]:
        """Bounds of a broker's messages: the rates of what was placed since may be unknown."""
        given = [self.rates[name] for name in self.given.get(broker, ())]
        base = self.reports[broker].msg_rate
        least = sum(floor(min(rate, UNSEEN.msg_rate)) for rate in given)
        return base + least, base + sum(max(rate, UNSEEN.msg_rate) for rate in given)


def join(brokers: Iterable[BrokerId | None]) -> str:
    """The brokers, for a sentence."""
    return " or ".join(sorted(str(broker) for broker in brokers)) or "anybody"


def knows_reports(trial: BalancingTrial) -> bool:
    """Whether every report arrives at once and the leader does not change."""
    others = DelayReports | LoseReports | LeaderChange
    return not any(isinstance(event, others) for event in trial.scenario.events)


def judge_placements(
    run: MonitorRun, trial: BalancingTrial, observed: History, edition: Edition, alone: Alone
) -> None:
    """Judge placements where the reports are known."""
    if knows_reports(trial):
        world = PlacementMonitor(run, trial, edition, alone)
        for moment in observed.moments:
            world.moment(moment)
