"""Mutants of what the leader knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, defect, switched
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load import averages, leader
from evenkeel.reference.load.averages import BundleAverages
from evenkeel.reference.load.leader import BundleSample
from evenkeel.reference.load.traffic import Traffic

Reports = Mapping[str, tuple[BundleSample, ...]]


def _of_the_last_one(bundles: Mapping[str, BundleAverages], reports: Reports) -> dict[str, Any]:
    last = list(reports.values())[-1:]
    names = {sample.bundle for report in last for sample in report}
    return {bundle: average for bundle, average in bundles.items() if bundle in names}


def _fading(original: Function) -> Function:
    def sampled(bundles: Mapping[str, BundleAverages], fresh: Any) -> dict[str, BundleAverages]:
        told = list(fresh)
        seen = {sample.bundle for report in told for sample in report}
        faded = {
            bundle: average
            if bundle in seen
            else averages.sampled(average, Traffic(), average.topics)
            for bundle, average in bundles.items()
        }
        result: dict[str, BundleAverages] = original(faded, told)
        return result

    return sampled


def _stays(original: Function) -> Function:
    return lambda known, broker, edition: known


def _at_the_end(original: Function) -> Function:
    return lambda bundles, reports: replace(original(bundles, reports), earlier={})


def _first_report_only(original: Function) -> Function:
    def notified(bundles: Mapping[str, BundleAverages], reports: Reports) -> Any:
        seen: set[str] = set()
        once = {}
        for broker, report in reports.items():
            once[broker] = tuple(sample for sample in report if sample.bundle not in seen)
            seen.update(sample.bundle for sample in report)
        return replace(original(bundles, once), reports=reports)

    return notified


def _of_one_partition(original: Function) -> Function:
    return lambda known, broker, *rest: (
        known if broker.encode()[-6] % 2 else original(known, broker, *rest)
    )


MUTANTS: Final = (
    defect(
        "bundles-of-the-last-broker-only",
        leader,
        "active",
        lambda _: _of_the_last_one,
        "All histories but those of one broker begin again with every report.",
        "SH43",
    ),
    defect(
        "silence-counts-as-nothing",
        leader,
        "sampled",
        _fading,
        "Averages go down to nothing while a broker does not report, and it is not shed from.",
        "SH34",
    ),
    defect(
        "departed-broker-stays",
        leader,
        "left",
        _stays,
        "The bundles of a dead broker count as served.",
        "SH44",
    ),
    defect(
        "one-partition-of-reports-read",
        leader,
        "reported",
        _of_one_partition,
        "The leader knows half of the brokers: the others' reports are in another partition.",
        "SH52",
    ),
    defect(
        "every-notification-is-a-sample",
        leader,
        "reported",
        switched(every_notification_samples=True),
        "The larger the cluster, the shorter the memory of the averages.",
    ),
    defect(
        "writing-samples-nothing",
        leader,
        "written",
        switched(every_notification_samples=False),
        "Averages move more slowly than those of 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "sums-at-the-end",
        leader,
        "notified",
        _at_the_end,
        "Not 4.0: a broker's sums have a sample that another broker brought after its turn.",
        edition=PULSAR_4_0,
    ),
    defect(
        "a-bundle-counts-once",
        leader,
        "notified",
        _first_report_only,
        "Not 4.0: of a bundle in two reports only the first one's sample counts.",
        edition=PULSAR_4_0,
    ),
)
