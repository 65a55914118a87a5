"""Mutants of what modular shedders share: which bundles may move, and which first."""

from __future__ import annotations

from collections import Counter
from typing import Final

from evenkeel.properties.mutant_maker import (
    Function,
    always,
    defect,
    equivalent,
    then,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load.namespaces import is_monitoring, namespace_of
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding import cluster, selecting
from evenkeel.reference.shedding.cluster import (
    MINUTE,
    BrokerReport,
    BundleLoad,
    BundleName,
    Cluster,
    Millis,
)

DEFAULT_LOAD: Final = BundleLoad(Traffic(50.0, 50.0, 50_000.0, 50_000.0))


def _of_all_brokers(original: Function) -> Function:
    def movable(seen: Cluster, report: BrokerReport) -> dict[BundleName, BundleLoad]:
        found: dict[BundleName, BundleLoad] = {}
        for other in (report, *seen.brokers.values()):
            found |= original(seen, other)
        return found

    return movable


def _not_counting_grace(original: Function) -> Function:
    def movable(seen: Cluster, report: BrokerReport) -> dict[BundleName, BundleLoad]:
        found: dict[BundleName, BundleLoad] = original(
            Cluster(seen.brokers, seen.bundles, {}), report
        )
        return found

    return movable


def _with_defaults(original: Function) -> Function:
    def movable(seen: Cluster, report: BrokerReport) -> dict[BundleName, BundleLoad]:
        known = dict(original(seen, report))
        for bundle in report.bundles:
            strange = bundle not in seen.bundles and bundle not in seen.recently_unloaded
            if strange and not is_monitoring(namespace_of(bundle)):
                known[bundle] = DEFAULT_LOAD
        return known

    return movable


def _of_the_first_report(original: Function) -> Function:
    def movable(seen: Cluster, report: BrokerReport) -> dict[BundleName, BundleLoad]:
        found: dict[BundleName, BundleLoad] = original(seen, report)
        before = [*seen.brokers.values()]
        before = before[: before.index(report)]
        return {
            bundle: load
            for bundle, load in found.items()
            if not any(bundle in other.bundles for other in before)
        }

    return movable


def _of_one_report(original: Function) -> Function:
    def movable(seen: Cluster, report: BrokerReport) -> dict[BundleName, BundleLoad]:
        found: dict[BundleName, BundleLoad] = original(seen, report)
        times = Counter(b for other in seen.brokers.values() for b in other.bundles)
        return {bundle: load for bundle, load in found.items() if times[bundle] == 1}

    return movable


def _without_its_last_moment(
    recently_unloaded: dict[BundleName, Millis], now: Millis, grace_minutes: int
) -> dict[BundleName, Millis]:
    oldest = now - grace_minutes * MINUTE
    return {bundle: at for bundle, at in recently_unloaded.items() if at > oldest}


def long_throughput(load: BundleLoad) -> float:
    """Long-term bytes per second, in plus out."""
    return load.long_term.throughput


def long_rate(load: BundleLoad) -> float:
    """Long-term messages per second, in plus out."""
    return load.long_term.msg_rate


def _reversed(found: dict[BundleName, BundleLoad]) -> dict[BundleName, BundleLoad]:
    return dict(reversed(found.items()))


MUTANTS: Final = (
    defect(
        "bundles-of-other-brokers",
        selecting,
        "movable",
        _of_all_brokers,
        "Bundles are chosen of all brokers: the overloaded one keeps its load.",
        "SH18",
    ),
    defect(
        "monitoring-bundles-shed",
        cluster,
        "is_monitoring",
        always(False),
        "The heartbeat is shed, which cannot move; its load counts as gone.",
        "SH32",
    ),
    defect(
        "grace-period-ignored",
        selecting,
        "movable",
        _not_counting_grace,
        "The same bundle is interrupted every minute.",
    ),
    defect(
        "grace-period-without-its-last-moment-PULSAR_4_0",
        cluster,
        "within_grace",
        lambda _: _without_its_last_moment,
        "Other than 4.0, a bundle goes again when its grace period has just ended.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "grace-period-without-its-last-moment",
        cluster,
        "within_grace",
        lambda _: _without_its_last_moment,
        "The last moment of the grace period does not belong to it.",
    ),
    defect(
        "unknown-bundles-at-default-load",
        selecting,
        "movable",
        _with_defaults,
        "A bundle that was just loaded is shed before anything is known of it.",
    ),
    equivalent(
        "equal-bundles-in-another-order-PULSAR_4_0",
        selecting,
        "movable",
        then(_reversed),
        "Bundles of equal weight are chosen from the other end of the report.",
        PULSAR_4_0,
    ),
    equivalent(
        "shared-bundles-of-the-first-report",
        selecting,
        "movable",
        _of_the_first_report,
        "A bundle that two brokers report is shed from one of them only.",
    ),
    equivalent(
        "shared-bundles-stay",
        selecting,
        "movable",
        _of_one_report,
        "A bundle that two brokers report is shed once only one of them does.",
    ),
)
