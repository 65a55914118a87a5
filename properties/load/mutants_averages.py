"""Mutants of bundles' averages and of what the leader knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.load.mutant_maker import Function, correct, defect, switched
from evenkeel.properties.mutant import Mutant
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load import averages, leader
from evenkeel.reference.load.averages import Average, BundleAverages
from evenkeel.reference.load.leader import BrokerAverages, BundleSample, Known
from evenkeel.reference.load.traffic import Traffic, total

Reports = Mapping[str, tuple[BundleSample, ...]]


def _guess_counts(original: Function) -> Function:
    def with_sample(average: Average, sample: Traffic) -> Average:
        counted = replace(average, samples=average.samples + (average.samples == 0))
        result: Average = original(counted, sample)
        return result

    return with_sample


def _endless(original: Function) -> Function:
    def with_sample(average: Average, sample: Traffic) -> Average:
        result: Average = original(replace(average, most=10**9), sample)
        return replace(result, most=average.most)

    return with_sample


def _moving_at_once(original: Function) -> Function:
    def with_sample(average: Average, sample: Traffic) -> Average:
        if average.samples == 0:
            first: Average = original(average, sample)
            return first
        full: Average = original(replace(average, samples=average.most), sample)
        return replace(full, samples=min(average.samples + 1, average.most))

    return with_sample


def _added_up(original: Function) -> Function:
    def with_sample(average: Average, sample: Traffic) -> Average:
        result: Average = original(average, sample)
        both = average.traffic.combined(sample, lambda old, new: 0.9 * old + new)
        return replace(result, traffic=both) if average.samples else result

    return with_sample


def _first_topics(original: Function) -> Function:
    def sampled(before: BundleAverages, sample: Traffic, topics: int) -> BundleAverages:
        result: BundleAverages = original(before, sample, topics)
        return replace(result, topics=before.topics or topics)

    return sampled


def _other_way_round(original: Function) -> Function:
    def with_sample(average: Average, sample: Traffic) -> Average:
        result: Average = original(average, sample)
        step = average.traffic.combined(sample, lambda old, new: old + (new - old) / result.samples)
        return replace(result, traffic=step if average.samples else sample)

    return with_sample


AVERAGES: Final[tuple[Mutant, ...]] = (
    defect(
        "guess-counts-as-sample",
        averages,
        "with_sample",
        _guess_counts,
        "Every new bundle looks as if it had 50 msg/s, for long.",
        "SH7",
    ),
    defect(
        "averages-of-all-time",
        averages,
        "with_sample",
        _endless,
        "A bundle that has been busy for a week looks busy for another.",
    ),
    defect(
        "moving-from-the-start",
        averages,
        "with_sample",
        _moving_at_once,
        "The first sample weighs nine times as much as the second.",
    ),
    defect(
        "samples-added-up",
        averages,
        "with_sample",
        _added_up,
        "A bundle's average grows to ten times its traffic.",
    ),
    defect(
        "unseen-bundles-are-idle",
        averages,
        "unseen",
        lambda _: lambda: averages.assumed(Traffic()),
        "All new bundles are placed on one broker, since none of them seems to add anything.",
    ),
    defect(
        "quotas-count-as-guess",
        averages,
        "from_quota",
        lambda _: averages.assumed,
        "A configured quota is gone with the first sample.",
    ),
    defect(
        "topics-of-the-first-report",
        averages,
        "sampled",
        _first_topics,
        "The number of a bundle's topics never changes.",
        edition=PULSAR_4_0,
    ),
    correct(
        "averages-by-steps",
        averages,
        "with_sample",
        _other_way_round,
        "The average is moved by a part of the difference; only its last bits are others.",
    ),
)


def _of_the_last_one(bundles: Mapping[str, BundleAverages], reports: Reports) -> dict[str, Any]:
    last = list(reports.values())[-1:]
    names = {sample.bundle for report in last for sample in report}
    return {bundle: average for bundle, average in bundles.items() if bundle in names}


def _all_remembered(bundles: Mapping[str, BundleAverages], reports: Reports) -> dict[str, Any]:
    del reports
    return dict(bundles)


def _fading(original: Function) -> Function:
    def updated(
        bundles: Mapping[str, BundleAverages], reports: Reports, fresh: Any
    ) -> dict[str, BundleAverages]:
        told = list(fresh)
        seen = {sample.bundle for report in told for sample in report}
        faded = {
            bundle: average
            if bundle in seen
            else averages.sampled(average, Traffic(), average.topics)
            for bundle, average in bundles.items()
        }
        result: dict[str, BundleAverages] = original(faded, reports, told)
        return result

    return updated


def _stays(original: Function) -> Function:
    return lambda known, broker, edition: known


def _of_one_partition(original: Function) -> Function:
    def reported(known: Known, broker: str, report: tuple[BundleSample, ...], edition: Any) -> Any:
        return known if broker.encode()[-6] % 2 else original(known, broker, report, edition)

    return reported


def _everything(original: Function) -> Function:
    def summed(known: Known, report: tuple[BundleSample, ...]) -> BrokerAverages:
        del report
        return BrokerAverages(
            total(average.short_term.traffic for average in known.bundles.values()),
            total(average.long_term.traffic for average in known.bundles.values()),
        )

    return summed


LEADER: Final[tuple[Mutant, ...]] = (
    defect(
        "bundles-of-the-last-broker-only",
        leader,
        "active",
        lambda _: _of_the_last_one,
        "All histories but those of one broker begin again with every report.",
        "SH43",
    ),
    defect(
        "bundles-never-forgotten",
        leader,
        "active",
        lambda _: _all_remembered,
        "Bundles that were split or deleted are shed, again and again.",
    ),
    defect(
        "silence-counts-as-nothing",
        leader,
        "updated",
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
        "brokers-have-all-bundles",
        leader,
        "summed",
        _everything,
        "Every broker seems to have the load of the whole cluster.",
    ),
    defect(
        "reports-sampled-once",
        leader,
        "reported",
        switched(every_notification_samples=False),
        "Averages move more slowly than those of 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "writing-samples-nothing",
        leader,
        "written",
        switched(every_notification_samples=False),
        "Averages move more slowly than those of 4.0.",
        edition=PULSAR_4_0,
    ),
)
