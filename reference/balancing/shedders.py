"""The five shedders of the chapter *shedding* as the loop knows shedders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from evenkeel.reference.balancing.balancer import Shed
from evenkeel.reference.balancing.leader import Sent, View
from evenkeel.reference.balancing.planning import Plans
from evenkeel.reference.balancing.settings import WEIGHTS, Settings
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.report import moved_on
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import TopRules, top_bundles
from evenkeel.reference.load.usage import max_weighted_usage_with_heap
from evenkeel.reference.shedding import avg, overload, threshold, transfer, uniform
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel.reference.shedding.cluster import BrokerId, BundleLoad, BundleName, Decision, Millis
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel.reference.shedding.transfer import (
    LastUnload,
    TopBundle,
    TransferDecision,
    TransferReport,
    TransferRules,
    TransferView,
)
from evenkeel.reference.shedding.uniform import UniformRules
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.settings import rules_from

CHECK: Final[Millis] = 5_000
"""How often a broker of the extensible manager brings its averages forward (4.0.8)."""


def sheds(decision: Decision, reason: str) -> list[Shed]:
    """A modular shedder's decision, bundle by bundle; it names no destination."""
    return [
        Shed(bundle, broker, None, reason)
        for broker, bundles in decision.items()
        for bundle in bundles
    ]


class NoShedder:
    """A shedder that never moves anything."""

    def decide(self, view: View) -> list[Shed]:
        """Nothing."""
        return []


class Overload:
    """OverloadShedder."""

    def __init__(self, settings: Settings, edition: Edition) -> None:
        self._rules = rules_from(OverloadRules, settings)
        self._edition = edition

    def decide(self, view: View) -> list[Shed]:
        """One round."""
        return sheds(overload.decide(view.cluster, self._rules, self._edition), "overloaded")


class Threshold:
    """ThresholdShedder with its history."""

    def __init__(self, settings: Settings, edition: Edition) -> None:
        self._config = rules_from(ThresholdRules, settings)
        self._edition = edition
        self._history = threshold.NO_HISTORY
        self._last: Millis = 0

    def decide(self, view: View) -> list[Shed]:
        """One round; brokers that have left since the last one are forgotten first."""
        history = threshold.forget_departed(self._history, view.list_stayed(self._last))
        self._last = view.now
        self._history, decision = threshold.shed(history, view.cluster, self._config, self._edition)
        return sheds(decision, "above the average")


class Uniform:
    """UniformLoadShedder."""

    def __init__(self, settings: Settings, edition: Edition) -> None:
        self._rules = rules_from(UniformRules, settings)
        self._edition = edition

    def decide(self, view: View) -> list[Shed]:
        """One round."""
        decision = uniform.decide(view.cluster, self._rules, self._edition)
        return sheds(decision, "busier than the least busy")


class Avg:
    """AvgShedder with its hits and its plan, which its placement shares."""

    def __init__(self, settings: Settings, edition: Edition) -> None:
        self._rules = rules_from(AvgRules, settings)
        self._edition = edition
        self._state = avg.State()
        self.plans = Plans(edition)

    def decide(self, view: View) -> list[Shed]:
        """One round; what is to be shed is planned for the emptier of the pair."""
        found, destinations = self.decisions(view)
        self.plans.moves(view, destinations, found)
        return found

    def decisions(self, view: View) -> tuple[list[Shed], dict[BundleName, BrokerId]]:
        """The decisions of a round with their destinations; nothing is planned yet."""
        fresh = replace(self._state, plan=avg.Plan())
        self._state, decision = avg.decide(fresh, view.cluster, self._rules, self._edition)
        found, destinations = sheds(decision, "fuller of a pair"), {}
        for shed in found:
            load = view.cluster.bundles.get(shed.bundle, BundleLoad())
            to = self._state.plan.destination(shed.bundle, load)
            if to is not None:
                destinations[shed.bundle] = to
        return found, destinations


# ---------------------------------------------------------------------------- TransferShedder


@dataclass(frozen=True, slots=True)
class Averaged:
    """A report, and the moving averages that came with it."""

    sent: Sent
    load: float
    throughput: float


@states("BAL-11")
def averaged_by(before: Averaged | None, sent: Sent, weight: float) -> Averaged:
    """A broker's averages with this report, after those of its report before.

    It looks at itself every five seconds, and starts again when it gains or loses a bundle.
    """
    load = max_weighted_usage_with_heap(sent.report.resources, WEIGHTS)
    throughput = sent.report.traffic.throughput
    if before is None or before.sent.report.bundles != sent.report.bundles:
        return Averaged(sent, load, throughput)
    average_load, average_throughput = before.load, before.throughput
    for _ in range((sent.sent_at - before.sent.sent_at) // CHECK):
        average_load = moved_on(average_load, load, weight)
        average_throughput = moved_on(average_throughput, throughput, weight)
    return Averaged(sent, average_load, average_throughput)


class Averages:
    """The moving averages that brokers of the extensible manager keep and report."""

    def __init__(self, settings: Settings) -> None:
        self._weight = settings.history
        self._last: dict[BrokerId, Averaged] = {}
        self._sent: dict[tuple[BrokerId, Millis], Averaged] = {}

    def sends(self, sent: Sent) -> None:
        """A broker sends a report, which may be late."""
        averaged = averaged_by(self._last.get(sent.broker), sent, self._weight)
        self._last[sent.broker] = self._sent[sent.broker, sent.sent_at] = averaged

    def of(self, sent: Sent) -> tuple[float, float]:
        """Average load (a fraction) and average throughput (bytes/s) of a broker's report. One of
        which was never sent (outside the loop) is sent when it is looked at.
        """
        if (sent.broker, sent.sent_at) not in self._sent:
            self.sends(sent)
        averaged = self._sent[sent.broker, sent.sent_at]
        return averaged.load, averaged.throughput


def sheds_of(decision: TransferDecision) -> list[Shed]:
    """TransferShedder's decision, bundle by bundle."""
    return [
        Shed(move.bundle, move.source, move.destination, move.reason.value)
        for move in decision.moves
    ]


class Transfer:
    """TransferShedder with its count of hits."""

    def __init__(self, settings: Settings, averages: Averages, edition: Edition) -> None:
        self._config = rules_from(TransferRules, settings)
        self._rules = TopRules(settings.top_bundles)
        self._averages = averages
        self._edition = edition
        self._hits = 0

    def decide(self, view: View) -> list[Shed]:
        """One round."""
        _, decision = self.decide_moves(view)
        return sheds_of(decision)

    def decide_moves(self, view: View) -> tuple[TransferView, TransferDecision]:
        """The decisions of a round, and what TransferShedder was given."""
        shown = self.show_view(view)
        self._hits, decision = transfer.decide(self._hits, shown, self._config, self._edition)
        return shown, decision

    def show_view(self, view: View) -> TransferView:
        """The input of TransferShedder."""
        return TransferView(
            view.now,
            view.active,
            tuple(self.load_of(sent, view.owners) for sent in view.sent.values()),
            tuple(view.cluster.recently_unloaded),
            tuple(LastUnload(broker, at) for broker, at in view.unloaded_brokers.items()),
        )

    def load_of(self, sent: Sent, owners: Mapping[BundleName, BrokerId]) -> TransferReport:
        """A broker's report as TransferShedder reads it."""
        load, throughput = self._averages.of(sent)
        traffic = sent.report.traffic
        return TransferReport(
            sent.broker,
            load,
            traffic.throughput_in,
            traffic.throughput_out,
            throughput,
            sent.sent_at,
            tuple(self.top_of(sent, owners)),
        )

    def top_of(self, sent: Sent, owners: Mapping[BundleName, BrokerId]) -> Iterator[TopBundle]:
        """The broker's largest bundles, and whether it still serves them."""
        measured = [
            BundleStatistics(bundle, traffic, 1) for bundle, traffic in sent.traffic.items()
        ]
        for found in top_bundles(measured, self._rules, self._edition):
            name = BundleName(found.bundle)
            yield TopBundle(
                name,
                found.traffic.throughput_in,
                found.traffic.throughput_out,
                owners.get(name) == sent.broker,
            )
