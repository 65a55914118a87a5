"""When a broker publishes a report of its load, and what is in it (LOA-32 to LOA-49).

A broker checks every few seconds (`loadBalancerReportUpdateMinIntervalMillis`) whether a report
is due. Times are whole seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.traffic import Traffic, total
from evenkeel.reference.load.usage import (
    Resources,
    Weights,
    largest,
    max_usage,
    max_usage_in_double,
    max_weighted_usage,
    max_weighted_usage_with_heap,
)
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.settings import FRACTION, setting

Seconds = int
MINUTE: Final[Seconds] = 60

INFINITE: Final = float("inf")

REMOVAL_DELAY: Final[Seconds] = 10
"""A report is not removed again sooner than this (BrokerLoadDataReporter 4.0.8)."""

UNKNOWN_USAGE: Final = 1.0
"""The usage of a broker that has not measured anything: full (BrokerLoadData 4.0.8)."""


@dataclass(frozen=True, slots=True)
class ReportRules:
    """When reports are due, and how usage is weighted and smoothed.

    A number that changed by more than `threshold` since it was last stored makes a report due:
    rates, throughput and bundles by percent of what they were (from 0: at all), usage by points.
    """

    threshold: int = setting(
        "loadBalancerReportUpdateThresholdPercentage", 10, "percent", (0, 1000), "threshold"
    )
    max_interval: int = setting(
        "loadBalancerReportUpdateMaxIntervalMinutes", 15, "minutes", (0, 10_000), "max_interval"
    )
    weights: Weights = Weights()
    history: float = setting(
        "loadBalancerHistoryResourcePercentage", 0.9, "fraction", FRACTION, "history"
    )


@states("LOA-33", "LOA-43")
def percent_change(before: float, after: float) -> float:
    """How much a number has changed, in percent of what it was; from 0 to anything: infinite."""
    if before == 0:
        return 0.0 if after == 0 else INFINITE
    return 100 * abs((before - after) / before)


@states("LOA-33", "LOA-43")
def changes_of_traffic(
    before: Traffic, after: Traffic, bundles_before: int, bundles_after: int
) -> tuple[float, float, float]:
    """By how many percent the message rate, the throughput and the number of bundles changed."""
    return (
        percent_change(before.msg_rate, after.msg_rate),
        percent_change(before.throughput, after.throughput),
        percent_change(bundles_before, bundles_after),
    )


@states("LOA-32", "LOA-42")
def overdue(silence: Seconds | None, rules: ReportRules) -> bool:
    """Whether the longest interval is over; None: there is no report yet."""
    return silence is None or silence > rules.max_interval * MINUTE


@states("LOA-34", "LOA-36", "LOA-44", "LOA-61")
def sends(due: bool, force: bool, connected: bool = True) -> bool:
    """Whether a report is sent: if it is due or forced, and the store can be reached."""
    return connected and (due or force)


# ------------------------------------------------------------------------------- modular


@dataclass(frozen=True, slots=True)
class LocalReport:
    """A modular broker's report: its score, and sums over its bundles."""

    score: float = 0.0
    traffic: Traffic = Traffic()
    topics: int = 0
    bundles: int = 0
    producers: int = 0
    consumers: int = 0


@dataclass(frozen=True, slots=True)
class ModularReporter:
    """What a modular broker remembers between checks.

    `gained` and `lost` are the bundles since the last report; one can be in both.
    """

    published: LocalReport = LocalReport()
    published_at: Seconds = 0
    bundles: frozenset[str] = frozenset()
    gained: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()


@states("LOA-35")
def local_report(
    resources: Resources, bundles: Sequence[BundleStatistics], weights: Weights, edition: Edition
) -> LocalReport:
    """The report as it would be now. Source: LocalBrokerData.update 4.0.8."""
    report = LocalReport(
        score=max_weighted_usage(resources, weights),
        traffic=total(bundle.traffic for bundle in bundles),
        topics=sum(bundle.topics for bundle in bundles),
        bundles=len(bundles),
        producers=sum(bundle.producers for bundle in bundles),
        consumers=sum(bundle.consumers for bundle in bundles),
    )
    if edition.modular_usage_unweighted:
        return replace(report, score=max_usage(resources))
    return report


@states("LOA-37")
def measure(reporter: ModularReporter, bundles: Sequence[BundleStatistics]) -> ModularReporter:
    """The broker looks at its bundles: some were gained, some lost."""
    now = frozenset(bundle.bundle for bundle in bundles)
    return replace(
        reporter,
        bundles=now,
        gained=reporter.gained | (now - reporter.bundles),
        lost=reporter.lost | (reporter.bundles - now),
    )


@states("LOA-33", "LOA-39")
def change(before: LocalReport, after: LocalReport) -> float:
    """The largest change, in percent, or in points of the score."""
    return largest(
        (
            *changes_of_traffic(before.traffic, after.traffic, before.bundles, after.bundles),
            100.0 * abs(before.score - after.score),
        )
    )


@states("LOA-32", "LOA-33", "LOA-34", "LOA-39")
def modular_due(
    reporter: ModularReporter, now: LocalReport, at: Seconds, rules: ReportRules
) -> bool:
    """Whether a report is due. Source: ModularLoadManagerImpl.needBrokerDataUpdate 4.0.8."""
    return (
        overdue(at - reporter.published_at, rules)
        or change(reporter.published, now) > rules.threshold
    )


@states("LOA-37", "LOA-39")
def modular_written(reporter: ModularReporter, now: LocalReport, at: Seconds) -> ModularReporter:
    """The report was written: changes are counted from it."""
    return replace(reporter, published=now, published_at=at, gained=frozenset(), lost=frozenset())


@states("LOA-38", "LOA-39")
def modular_failed(reporter: ModularReporter, at: Seconds, edition: Edition) -> ModularReporter:
    """The report could not be written; no other broker has seen it."""
    return replace(reporter, published_at=at) if edition.failed_report_counts else reporter


# ---------------------------------------------------------------------------- extensible


@dataclass(frozen=True, slots=True)
class BrokerLoad:
    """An extensible broker's load data. New ones say that the broker is full and serves nothing.

    `max_usage` is unweighted; `weighted_max` and `throughput` are moving averages.
    """

    max_usage: float = UNKNOWN_USAGE
    weighted_max: float = UNKNOWN_USAGE
    throughput: float = 0.0
    traffic: Traffic = Traffic()
    bundles: int = 0


@dataclass(frozen=True, slots=True)
class ExtensibleReporter:
    """What an extensible broker remembers between checks.

    `measure` says that `now` holds measurements; None: no report since the last clearing, never
    removed.
    """

    now: BrokerLoad = BrokerLoad()
    published: BrokerLoad = BrokerLoad()
    measured: bool = False
    reported_at: Seconds | None = None
    removed_at: Seconds | None = None


@states("LOA-41")
def moved_on(average: float, latest: float, weight: float) -> float:
    """One step of a moving average; `weight` is that of what was before."""
    return average * weight + (1 - weight) * latest


@states("LOA-40", "LOA-41")
def update(
    reporter: ExtensibleReporter,
    resources: Resources,
    traffic: Traffic,
    bundles: int,
    rules: ReportRules,
) -> ExtensibleReporter:
    """The broker measures; the first measurement is taken as it is.

    Source: BrokerLoadData.update 4.0.8.
    """
    weighted = max_weighted_usage_with_heap(resources, rules.weights)
    throughput = traffic.throughput
    if reporter.measured:
        weighted = moved_on(reporter.now.weighted_max, weighted, rules.history)
        throughput = moved_on(reporter.now.throughput, throughput, rules.history)
    load = BrokerLoad(max_usage_in_double(resources), weighted, throughput, traffic, bundles)
    return replace(reporter, now=load, measured=True)


@states("LOA-45")
def lag(published: BrokerLoad, now: BrokerLoad) -> float:
    """How many points the published average is off."""
    return 100.0 * abs(published.weighted_max - now.weighted_max)


@states("LOA-42", "LOA-43", "LOA-44", "LOA-45", "LOA-48", "LOA-66")
def extensible_due(
    reporter: ExtensibleReporter, at: Seconds, rules: ReportRules, edition: Edition
) -> bool:
    """Whether a report is due. Source: BrokerLoadDataReporter.needBrokerDataUpdate 4.0.8."""
    before, now = reporter.published, reporter.now
    silence = None if reporter.reported_at is None else at - reporter.reported_at
    changes = [
        *changes_of_traffic(before.traffic, now.traffic, before.bundles, now.bundles),
        100.0 * abs(before.max_usage - now.max_usage),
    ]
    if not edition.published_average_may_lag:
        changes.append(lag(before, now))
    return overdue(silence, rules) or max(changes) > rules.threshold


def extensible_stored(reporter: ExtensibleReporter, at: Seconds) -> ExtensibleReporter:
    """The report was stored; after a failure everything stays as it was."""
    return replace(reporter, published=reporter.now, reported_at=at)


@states("LOA-42", "LOA-46")
def discard(reporter: ExtensibleReporter) -> ExtensibleReporter:
    """The broker gained or lost a bundle: what it measured is discarded."""
    return replace(reporter, now=BrokerLoad(), measured=False, reported_at=None)


@states("LOA-47")
def removal_due(reporter: ExtensibleReporter, at: Seconds) -> bool:
    """Whether the report is removed, too: not again within ten seconds."""
    return reporter.removed_at is None or at - reporter.removed_at >= REMOVAL_DELAY


@states("LOA-47")
def remove(reporter: ExtensibleReporter, at: Seconds) -> ExtensibleReporter:
    """The report was removed; after a failure it is tried again."""
    return replace(reporter, removed_at=at)
