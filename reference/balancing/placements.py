"""The placements of the chapter *placement* as the loop knows placements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evenkeel.reference.balancing.leader import View
from evenkeel.reference.balancing.settings import WEIGHTS, Settings
from evenkeel.reference.balancing.shedders import Averages, Avg
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.averages import UNSEEN, BundleAverages
from evenkeel.reference.load.namespaces import namespace_of
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.placement import candidates as candidacy
from evenkeel.reference.placement import message_rate, resource_usage, round_robin
from evenkeel.reference.placement.arithmetic import Number
from evenkeel.reference.placement.candidates import PlacementConfig
from evenkeel.reference.placement.message_rate import RateReport
from evenkeel.reference.placement.resource_usage import UsageConfig, UsageReport
from evenkeel.reference.placement.round_robin import Turn
from evenkeel.reference.shedding.avg import AvgRules, score
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport, BundleName, Millis
from evenkeel.reference.summation import ordered_sum
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.settings import rules_from

MANAGER = "modular"
ASSUMED = Traffic(UNSEEN.msg_rate_in, UNSEEN.msg_rate_out)
"""The rates of a bundle of which nothing is known."""


def held(view: View) -> dict[BrokerId, tuple[BundleName, ...]]:
    """The bundles that count for each broker: those it reported, and those given to it since."""
    since, reports = view.preallocated, view.cluster.brokers
    reported = {b: reports[b].bundles if b in reports else () for b in view.active}
    return {
        broker: tuple(dict.fromkeys((*bundles, *since[broker]))) if broker in since else bundles
        for broker, bundles in reported.items()
    }


@states("BAL-22")
def relieving(config: PlacementConfig, relieves: bool, edition: Edition) -> PlacementConfig:
    """How candidates are filtered: by the documents load alone decides what relieves a broker."""
    if relieves and not edition.even_distribution_before_load:
        return replace(config, distribute_evenly=False)
    return config


class Modular:
    """What all placements of the modular manager share: the candidates, and second choices."""

    def __init__(self, settings: Settings, edition: Edition) -> None:
        self.settings = settings
        self.edition = edition
        self._config = PlacementConfig(MANAGER, distribute_evenly=settings.distribute_evenly)

    def list_allowed(self, bundle: BundleName, view: View) -> tuple[BrokerId, ...]:
        """Every broker that may be chosen.

        Where a chosen one is overloaded the placement is asked again with all brokers.
        """
        left, all_usable = self.candidates(bundle, view)
        if not left:
            return ()
        first = self.among(bundle, left, view)
        fine = tuple(broker for broker in first if not self.is_overloaded(broker, view))
        if len(fine) == len(first):
            return first
        return self.asked_again(bundle, fine, all_usable, view)

    def asked_again(
        self,
        bundle: BundleName,
        fine: tuple[BrokerId, ...],
        all_usable: tuple[BrokerId, ...],
        view: View,
    ) -> tuple[BrokerId, ...]:
        """The brokers allowed where some of the first choice are overloaded, `fine` are not."""
        again = self.among(bundle, all_usable, view)
        return tuple(dict.fromkeys((*fine, *again)))

    def candidates(
        self, bundle: BundleName, view: View
    ) -> tuple[tuple[BrokerId, ...], tuple[BrokerId, ...]]:
        """The brokers that the manager's filters leave, and all that reported."""
        reported = [broker for broker in view.active if broker in view.cluster.brokers]
        cluster = candidacy.Cluster(
            view.active,
            {broker: candidacy.BrokerReport(manager=MANAGER) for broker in reported},
            {broker: names for broker, names in held(view).items() if broker in reported},
        )
        namespace = namespace_of(bundle)
        config = relieving(self._config, bundle in view.relieving, self.edition)
        left = candidacy.filter_all(cluster, namespace, True, config, self.edition).candidates
        all_usable = candidacy.usable(cluster, namespace, True, self.edition)
        return tuple(map(BrokerId, left)), tuple(map(BrokerId, all_usable))

    def is_overloaded(self, broker: BrokerId, view: View) -> bool:
        """Whether a broker's report is above the overload threshold."""
        resources = view.cluster.brokers[broker].resources
        percent = self.settings.overloaded_percent
        return message_rate.is_overloaded(resources, percent, WEIGHTS, self.edition)

    def among(
        self, bundle: BundleName, candidates: Sequence[BrokerId], view: View
    ) -> tuple[BrokerId, ...]:
        """The brokers that the strategy allows among these candidates."""
        raise NotImplementedError

    def note_choice(self, bundle: BundleName, broker: BrokerId, view: View) -> None:
        """Most placements remember nothing."""


class MessageRate(Modular):
    """LeastLongTermMessageRate. A broker's sums are computed when something changed."""

    def __init__(self, settings: Settings, edition: Edition) -> None:
        super().__init__(settings, edition)
        self._averages: Mapping[str, BundleAverages] = {}
        self._known: dict[BrokerId, tuple[Sequence[BundleName], RateReport]] = {}

    def among(
        self, bundle: BundleName, candidates: Sequence[BrokerId], view: View
    ) -> tuple[BrokerId, ...]:
        """The candidates with the lowest long-term message rate."""
        reports: dict[str, RateReport] = {b: self.report_of(b, view) for b in candidates}
        percent = self.settings.overloaded_percent
        found = message_rate.least_loaded(candidates, reports, percent, WEIGHTS, self.edition)
        return tuple(map(BrokerId, found))

    def report_of(self, broker: BrokerId, view: View) -> RateReport:
        """The broker's long-term rates, and those of what was given to it since its report."""
        if view.averages is not self._averages:
            self._averages, self._known = view.averages, {}
        since = view.preallocated.get(broker, ())
        before, report = self._known.get(broker, (None, None))
        if report is None or before != since:
            report = self.added_up(view.cluster.brokers[broker], since, view)
            self._known[broker] = since, report
        return report

    def added_up(self, report: BrokerReport, given: Sequence[BundleName], view: View) -> RateReport:
        """A report with the rates of its bundles, and of those that were given to its broker."""
        rates, since = self.long_term(report.bundles, view), self.long_term(given, view)
        return RateReport(
            report.resources,
            ordered_sum(rate.msg_rate_in for rate in rates),
            ordered_sum(rate.msg_rate_out for rate in rates),
            tuple(int(rate.msg_rate) for rate in since),
        )

    def long_term(self, bundles: Sequence[BundleName], view: View) -> list[Traffic]:
        """What is known of bundles, or assumed."""
        known = view.cluster.bundles
        return [known[bundle].long_term if bundle in known else ASSUMED for bundle in bundles]


class ResourceUsage(Modular):
    """LeastResourceUsageWithWeight of the modular manager, with its history."""

    def __init__(self, settings: Settings, edition: Edition) -> None:
        super().__init__(settings, edition)
        self.usage = UsageConfig(settings.usage_difference, settings.history, WEIGHTS)
        self._history: dict[str, Number] = {}
        self._last: Millis = 0
        self._before: tuple[tuple[BrokerId, ...], dict[str, Number]] = (), {}

    def among(
        self, bundle: BundleName, candidates: Sequence[BrokerId], view: View
    ) -> tuple[BrokerId, ...]:
        """The candidates well below the mean; every look steps their history."""
        self._history = resource_usage.keep_active(self._history, view.list_stayed(self._last))
        self._last = view.now
        usages: dict[str, Number] = {}
        for broker in candidates:
            before, seen = self._history.get(broker), self.report_of(broker, view)
            usages[broker] = resource_usage.smooth_usage(before, seen, self.usage, self.edition)
        self._history |= usages
        return every_one(candidates, usages, self.settings.usage_difference, self.edition)

    def asked_again(
        self,
        bundle: BundleName,
        fine: tuple[BrokerId, ...],
        all_usable: tuple[BrokerId, ...],
        view: View,
    ) -> tuple[BrokerId, ...]:
        """The second look steps history, too; `note_choice` takes it back where there was none."""
        self._before = fine, dict(self._history)
        return super().asked_again(bundle, fine, all_usable, view)

    def note_choice(self, bundle: BundleName, broker: BrokerId, view: View) -> None:
        """One of the first choice that is not overloaded was taken without a second look."""
        fine, history = self._before
        if broker in fine:
            self._history = history
        self._before = (), {}

    def report_of(self, broker: BrokerId, view: View) -> UsageReport:
        """What the broker reported."""
        report = view.cluster.brokers[broker]
        traffic = report.traffic
        return UsageReport(
            report.resources, len(report.bundles), traffic.msg_rate_in, traffic.msg_rate_out
        )


class RoundRobin(Modular):
    """RoundRobinBrokerSelector."""

    def __init__(self, settings: Settings, edition: Edition) -> None:
        super().__init__(settings, edition)
        self._turn = Turn()

    def among(
        self, bundle: BundleName, candidates: Sequence[BrokerId], view: View
    ) -> tuple[BrokerId, ...]:
        """The one whose turn it is."""
        self._turn, broker = round_robin.ask(self._turn, candidates, self.edition)
        return () if broker is None else (BrokerId(broker),)


class AvgPlacement(Modular):
    """AvgShedder as placement: where its plan says, else anywhere."""

    def __init__(self, settings: Settings, shedder: Avg, edition: Edition) -> None:
        super().__init__(settings, edition)
        self.plans = shedder.plans
        self._rules = rules_from(AvgRules, settings)

    def among(
        self, bundle: BundleName, candidates: Sequence[BrokerId], view: View
    ) -> tuple[BrokerId, ...]:
        """The planned broker if it is a candidate, else every candidate."""
        return self.plans.list_allowed(view, bundle, candidates, self.full(candidates, view))

    def full(self, candidates: Sequence[BrokerId], view: View) -> frozenset[BrokerId]:
        """The candidates whose score is above the overload threshold.

        The manager compares their usage with a share (`is_overloaded`), which rounds otherwise.
        """
        reports, percent = view.cluster.brokers, self.settings.overloaded_percent
        return frozenset(b for b in candidates if score(reports[b], self._rules) > percent)

    def asked_again(
        self,
        bundle: BundleName,
        fine: tuple[BrokerId, ...],
        all_usable: tuple[BrokerId, ...],
        view: View,
    ) -> tuple[BrokerId, ...]:
        """In 4.0 the first choice is the plan by then, and it is answered again."""
        if self.edition.random_choices_planned:
            left, _ = self.candidates(bundle, view)
            return self.among(bundle, left, view)
        return super().asked_again(bundle, fine, all_usable, view)

    def note_choice(self, bundle: BundleName, broker: BrokerId, view: View) -> None:
        """The plan is carried out; in 4.0 every choice becomes the plan."""
        self.plans.settle(view, bundle, broker)


class ExtensibleUsage:
    """LeastResourceUsageWithWeight of the extensible manager, which keeps no history."""

    def __init__(self, settings: Settings, averages: Averages, edition: Edition) -> None:
        self.settings = settings
        self._averages = averages
        self._edition = edition

    def list_allowed(self, bundle: BundleName, view: View) -> tuple[BrokerId, ...]:
        """The brokers well below the mean of those that reported, else all."""
        usages: dict[str, Number] = dict(self.usages(view).items())
        difference = self.settings.usage_difference
        return every_one(view.active, usages, difference, self._edition)

    def usages(self, view: View) -> dict[BrokerId, float]:
        """The average load of every broker that has reported."""
        return {broker: self._averages.of(sent)[0] for broker, sent in view.sent.items()}

    def note_choice(self, bundle: BundleName, broker: BrokerId, view: View) -> None:
        """Nothing is remembered."""


def every_one(
    candidates: Sequence[BrokerId], usages: dict[str, Number], difference: int, edition: Edition
) -> tuple[BrokerId, ...]:
    """All brokers that are allowed in some order of adding up."""
    sets = resource_usage.allowed_sets(candidates, usages, difference, edition)
    return tuple(dict.fromkeys(BrokerId(broker) for found in sets for broker in found))
