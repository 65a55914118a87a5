"""What the modular manager's leader knows of bundles and brokers (LOA-17 to LOA-23, LOA-64).

Brokers publish reports; each report lists every bundle that the broker serves. Whenever a report
changes, the leader is notified and brings its averages up to date.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from evenkeel.reference.edition import Edition
from evenkeel.reference.load import averages as averaging
from evenkeel.reference.load.averages import BundleAverages
from evenkeel.reference.load.traffic import Traffic, total
from evenkeel_engine.frame.clauses import states


@dataclass(frozen=True, slots=True)
class BundleSample:
    """What a report says of one bundle."""

    bundle: str
    traffic: Traffic
    topics: int


@dataclass(frozen=True, slots=True)
class BrokerAverages:
    """The averages of a broker: the sums over the bundles in its latest report."""

    short_term: Traffic
    long_term: Traffic


@dataclass(frozen=True, slots=True)
class Known:
    """All that the leader knows. `reports` are the latest ones of the brokers that are there.

    `earlier`: the sums of brokers that are not those of their bundles now (LOA-64).
    """

    reports: Mapping[str, tuple[BundleSample, ...]] = field(default_factory=dict)
    bundles: Mapping[str, BundleAverages] = field(default_factory=dict)
    earlier: Mapping[str, BrokerAverages] = field(default_factory=dict)


@states("LOA-20", "LOA-22")
def publish(known: Known, broker: str, report: tuple[BundleSample, ...], edition: Edition) -> Known:
    """A broker publishes a report, and the leader is notified."""
    reports = {**known.reports, broker: report}
    if edition.every_notification_samples:
        return notify_again(known.bundles, reports)
    after, before = add_samples(known.bundles, (report,)), known.reports.get(broker, ())
    if names(before) <= names(report):  # nothing that was reported is reported no more
        return Known(reports, after)
    return Known(reports, active(after, reports))


@states("LOA-18", "LOA-22")
def leave(known: Known, broker: str, edition: Edition) -> Known:
    """A broker leaves with its report, and the leader is notified."""
    reports = {name: report for name, report in known.reports.items() if name != broker}
    if edition.every_notification_samples:
        return notify_again(known.bundles, reports)
    return Known(reports, active(known.bundles, reports))


@states("LOA-22")
def write_averages(known: Known, edition: Edition) -> Known:
    """The leader writes what it knows to the metadata store.

    Source: ModularLoadManagerImpl.writeBundleDataOnZooKeeper 4.0.8.
    """
    if edition.every_notification_samples:
        return notify_again(known.bundles, known.reports)
    return known


@states("LOA-22", "LOA-64")
def notify_again(
    bundles: Mapping[str, BundleAverages], reports: Mapping[str, tuple[BundleSample, ...]]
) -> Known:
    """All last samples again, broker by broker; each broker's sums are taken at its turn.

    That makes a difference only where a later broker reports one of its bundles, too.
    """
    after = active(add_samples(bundles, reports.values()), reports)
    if sum(map(len, reports.values())) == len(after):
        return Known(reports, after)
    now, earlier = dict(bundles), {}
    for broker, report in reports.items():
        now = active(add_samples(now, (report,)), reports)
        earlier[broker] = sum_up(now, report)
    return Known(reports, after, earlier)


@states("LOA-19", "LOA-20")
def add_samples(
    bundles: Mapping[str, BundleAverages], fresh: Iterable[tuple[BundleSample, ...]]
) -> dict[str, BundleAverages]:
    """The averages with the fresh reports' samples.

    Source: ModularLoadManagerImpl.updateBundleData 4.0.8.
    """
    after = dict(bundles)
    for report in fresh:
        for sample in report:
            before = after.get(sample.bundle) or averaging.guess()
            after[sample.bundle] = averaging.add_sample(before, sample.traffic, sample.topics)
    return after


@states("LOA-17", "LOA-67")
def active(
    bundles: Mapping[str, BundleAverages], reports: Mapping[str, tuple[BundleSample, ...]]
) -> dict[str, BundleAverages]:
    """The bundles that are in some broker's latest report; the others are forgotten.

    Source: ModularLoadManagerImpl.updateBundleData 4.0.8.
    """
    reported = names(*reports.values())
    return {bundle: average for bundle, average in bundles.items() if bundle in reported}


def names(*reports: tuple[BundleSample, ...]) -> set[str]:
    """The bundles that are in some of these reports."""
    return {sample.bundle for report in reports for sample in report}


@states("LOA-21")
def broker_averages(known: Known) -> dict[str, BrokerAverages]:
    """Every broker's averages. Source: TimeAverageBrokerData.reset 4.0.8."""
    return {
        broker: known.earlier.get(broker) or sum_up(known.bundles, report)
        for broker, report in known.reports.items()
    }


@states("LOA-21")
def sum_up(
    bundles: Mapping[str, BundleAverages], report: tuple[BundleSample, ...]
) -> BrokerAverages:
    """The sums over the bundles of a report; an unknown one counts as unseen."""
    mine = [bundles.get(sample.bundle) or averaging.guess() for sample in report]
    return BrokerAverages(
        total(average.short_term.traffic for average in mine),
        total(average.long_term.traffic for average in mine),
    )
