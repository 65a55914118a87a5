"""Planted changes of reports and of the top bundles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.load.planting import (
    Function,
    always,
    correct,
    defect,
    first,
    switched,
    then,
)
from evenkeel.properties.planted import Planted
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load import report as reports
from evenkeel.reference.load import top_bundles
from evenkeel.reference.load.report import (
    MINUTE,
    ExtensibleReporter,
    LocalReport,
    ModularReporter,
    ReportRules,
)
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import Rank, TopRules
from evenkeel.reference.load.usage import Resources, max_weighted_usage_with_heap


def _with_itself(original: Function) -> Function:
    def due(reporter: ModularReporter, now: LocalReport, at: int, rules: ReportRules) -> bool:
        result: bool = original(replace(reporter, published=now), now, at, rules)
        return result

    return due


def _one_second_early(silence: int | None, rules: ReportRules) -> bool:
    return silence is None or silence >= rules.max_interval * MINUTE


def _of_the_new(original: Function) -> Function:
    return lambda before, after: original(after, before)


def _from_zero_is_none(original: Function) -> Function:
    return lambda before, after: 0.0 if before == 0 else original(before, after)


def _one_bundle_only(original: Function) -> Function:
    def local_report(resources: Resources, bundles: Any, weights: Any) -> LocalReport:
        result: LocalReport = original(resources, bundles, weights)
        part: LocalReport = original(resources, bundles[:1], weights)
        return replace(result, traffic=part.traffic, topics=part.topics)

    return local_report


def _due_only(due: bool, force: bool, connected: bool = True) -> bool:
    del force
    return connected and due


def _without_connection(due: bool, force: bool, connected: bool = True) -> bool:
    del connected
    return due or force


def _latest_moves_only(original: Function) -> Function:
    def measured(reporter: ModularReporter, bundles: Any) -> ModularReporter:
        fresh = replace(reporter, gained=frozenset(), lost=frozenset())
        result: ModularReporter = original(fresh, bundles)
        return result

    return measured


def _taken_for_written(original: Function) -> Function:
    def failed(reporter: ModularReporter, at: int, edition: Any) -> ModularReporter:
        result: ModularReporter = original(reporter, at, edition)
        return replace(result, gained=frozenset(), lost=frozenset())

    return failed


MODULAR: Final[tuple[Planted, ...]] = (
    defect(
        "compared-with-itself",
        reports,
        "modular_due",
        _with_itself,
        "A broker reports every 15 minutes, whatever happens meanwhile.",
        "SH46",
    ),
    defect(
        "reports-stay-out",
        reports,
        "overdue",
        always(False),
        "A broker whose load is constant is taken for dead after a while.",
    ),
    defect(
        "a-second-early",
        reports,
        "overdue",
        lambda _: _one_second_early,
        "Reports are written when the longest interval is just reached.",
    ),
    defect(
        "every-check-reports",
        reports,
        "modular_due",
        always(True),
        "Every broker writes to the metadata store every five seconds.",
    ),
    defect(
        "change-of-the-new-value",
        reports,
        "percent_change",
        _of_the_new,
        "A growth by 11 % counts as one by 9.9 %.",
    ),
    defect(
        "first-traffic-not-reported",
        reports,
        "percent_change",
        _from_zero_is_none,
        "A broker that gets its first bundle looks empty, and gets all the others, too.",
    ),
    defect(
        "one-bundle-counts",
        reports,
        "local_report",
        _one_bundle_only,
        "A broker seems to have the traffic of one of its bundles.",
    ),
    defect(
        "force-does-nothing",
        reports,
        "sends",
        lambda _: _due_only,
        "A broker that became the leader does not tell its load.",
    ),
    defect(
        "writes-without-connection",
        reports,
        "sends",
        lambda _: _without_connection,
        "Writing is tried in a lost session, and breaks the lock.",
    ),
    defect(
        "moves-between-reports-lost",
        reports,
        "measured",
        _latest_moves_only,
        "Bundles that came and went between two reports are never told.",
    ),
    defect(
        "failed-report-taken-for-written",
        reports,
        "modular_failed",
        _taken_for_written,
        "Bundles that a failed report told of are never told again.",
    ),
    defect(
        "failed-report-waits",
        reports,
        "modular_failed",
        switched(failed_report_counts=True),
        "The store fails once, and a broker's data are half an hour old.",
    ),
    defect(
        "failed-report-repeated",
        reports,
        "modular_failed",
        switched(failed_report_counts=False),
        "Every check writes after a failure.",
        edition=PULSAR_4_0,
    ),
)


def _measured_before(original: Function) -> Function:
    return lambda reporter, *rest: original(replace(reporter, measured=True), *rest)


def _never_smoothed(original: Function) -> Function:
    return lambda reporter, *rest: original(replace(reporter, measured=False), *rest)


def _not_cleared(reporter: ExtensibleReporter) -> ExtensibleReporter:
    return reporter


def _averages_kept(reporter: ExtensibleReporter) -> ExtensibleReporter:
    return replace(reporter, reported_at=None)


def _usage_only(original: Function) -> Function:
    return lambda *arguments: (0.0, 0.0, 0.0)


def _weighted(original: Function) -> Function:
    def updated(reporter: ExtensibleReporter, resources: Resources, *rest: Any) -> Any:
        result: ExtensibleReporter = original(reporter, resources, *rest)
        score = max_weighted_usage_with_heap(resources, rest[-1].weights)
        return replace(result, now=replace(result.now, max_usage=score))

    return updated


EXTENSIBLE: Final[tuple[Planted, ...]] = (
    defect(
        "new-brokers-are-full",
        reports,
        "updated",
        _measured_before,
        "A new broker gets no bundles for a minute, for it looks full.",
        "SH7",
    ),
    defect(
        "nothing-smoothed",
        reports,
        "updated",
        _never_smoothed,
        "One short peak moves bundles.",
    ),
    defect(
        "traffic-not-compared",
        reports,
        "changes_of_traffic",
        _usage_only,
        "A broker that loses all its traffic looks busy for 15 minutes.",
    ),
    defect(
        "load-data-at-every-check",
        reports,
        "extensible_due",
        always(True),
        "Every broker writes to the topic of load data every five seconds.",
    ),
    defect(
        "published-average-lags",
        reports,
        "extensible_due",
        switched(published_average_may_lag=True),
        "A broker at 90 % counts as one at 18 % for 15 minutes.",
    ),
    defect(
        "measurements-outlive-moves",
        reports,
        "cleared",
        lambda _: _averages_kept,
        "A broker that has shed its bundles looks full, and sheds on.",
    ),
    defect(
        "moves-not-noticed",
        reports,
        "cleared",
        lambda _: _not_cleared,
        "Bundles are moved by load data from before the last move.",
    ),
    defect(
        "removed-again-and-again",
        reports,
        "removal_due",
        always(True),
        "A thousand bundles arrive, and a thousand removals are written.",
    ),
    defect(
        "never-removed",
        reports,
        "removal_due",
        always(False),
        "Load data from before a move decide about the next one.",
    ),
    defect(
        "weighted-usage-compared",
        reports,
        "updated",
        _weighted,
        "A broker reports when others do not.",
        edition=PULSAR_4_0,
    ),
    defect(
        "load-data-never-expire",
        reports,
        "extensible_due",
        switched(published_average_may_lag=False),
        "A broker reports when those of 4.0 do not.",
        edition=PULSAR_4_0,
    ),
)


def _as_many_as_there_are(original: Function) -> Function:
    return lambda bundles, rules, edition: original(bundles, replace(rules, most=1000), edition)


def _idle_too(statistics: BundleStatistics, rules: TopRules) -> bool:
    namespace = top_bundles.namespace_of(statistics.bundle)
    return not top_bundles.is_system(namespace) and not top_bundles.is_bound(namespace, rules)


def _isolated_only(namespace: str, rules: TopRules) -> bool:
    return not rules.with_policies and namespace in rules.isolated


def _by_messages(original: Function) -> Function:
    def rank(statistics: BundleStatistics) -> Rank:
        inbound, outbound, messages, clients, cache = original(statistics)
        return (messages, inbound, outbound, clients, cache)

    return rank


def _without_steps(statistics: BundleStatistics) -> Any:
    traffic = statistics.traffic
    clients = statistics.topics + statistics.producers + statistics.consumers
    numbers = (traffic.throughput_in, traffic.throughput_out, traffic.msg_rate)
    return (*numbers, clients, statistics.cache)


def _all_for_none(original: Function) -> Function:
    def chosen(
        bundles: Sequence[BundleStatistics], rules: TopRules, edition: Any
    ) -> list[BundleStatistics]:
        most = rules.most if rules.most > 0 else len(bundles) + 1
        result: list[BundleStatistics] = original(bundles, replace(rules, most=most), edition)
        return result

    return chosen


TOP: Final[tuple[Planted, ...]] = (
    defect(
        "all-bundles-told",
        top_bundles,
        "top_bundles",
        _as_many_as_there_are,
        "A report of thousands of bundles is published every minute.",
    ),
    defect(
        "idle-bundles-told",
        top_bundles,
        "eligible",
        lambda _: _idle_too,
        "Idle bundles are moved back and forth.",
    ),
    defect(
        "system-bundles-told",
        top_bundles,
        "is_system",
        always(False),
        "A broker's heartbeat is chosen to be moved, which fails.",
        "SH32",
    ),
    defect(
        "bound-bundles-told",
        top_bundles,
        "is_bound",
        always(False),
        "Bundles that may not move are chosen in every cycle.",
        "SH35",
    ),
    defect(
        "groups-not-looked-at",
        top_bundles,
        "is_bound",
        lambda _: _isolated_only,
        "Bundles of anti-affinity groups are chosen in every cycle.",
        "SH35",
    ),
    defect(
        "ranked-by-messages",
        top_bundles,
        "rank",
        _by_messages,
        "The bundles with most bytes stay where they are.",
        "SH20",
    ),
    defect(
        "ranked-without-steps",
        top_bundles,
        "rank",
        lambda _: _without_steps,
        "One byte per second decides against a hundred megabytes out.",
    ),
    defect(
        "heaviest-first",
        top_bundles,
        "top_bundles",
        then(lambda chosen: chosen[::-1]),
        "The largest bundle is moved first, and nothing else fits.",
    ),
    defect(
        "none-breaks",
        top_bundles,
        "top_bundles",
        switched(no_top_bundles_breaks=True),
        "A limit of -1 stops all reports of bundles.",
    ),
    defect(
        "none-means-all",
        top_bundles,
        "top_bundles",
        _all_for_none,
        "A limit of 0 bundles is no limit.",
        edition=PULSAR_4_0,
    ),
    correct(
        "ties-the-other-way",
        top_bundles,
        "top_bundles",
        first(0, lambda bundles: bundles[::-1]),
        "Of bundles that are equal the others are listed.",
    ),
    correct(
        "none-is-empty",
        top_bundles,
        "top_bundles",
        switched(no_top_bundles_breaks=False),
        "With a limit of 0 the list is empty.",
        edition=PULSAR_4_0,
    ),
)
