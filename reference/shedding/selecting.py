"""How shedders pick bundles: heaviest first, until an amount is reached or as long as they fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import is_monitoring, namespace_of
from evenkeel.reference.shedding.cluster import (
    BrokerReport,
    BundleLoad,
    BundleName,
    Cluster,
    movable,
)
from evenkeel_engine.frame.clauses import states

N = TypeVar("N", int, float)

Measure = Callable[[BundleLoad], float]
"""What a bundle weighs: its short-term message rate or its short-term throughput."""


@states("SHD-97")
def short_rate(load: BundleLoad) -> float:
    """Short-term messages per second, in plus out."""
    return load.short_term.msg_rate


@states("SHD-97")
def short_throughput(load: BundleLoad) -> float:
    """Short-term bytes per second, in plus out."""
    return load.short_term.throughput


@states("SHD-7", "SHD-8", "SHD-16")
def has_several_bundles(report: BrokerReport, edition: Edition) -> bool:
    """Whether the broker serves at least two bundles, so that it keeps one.

    Bundles of monitoring namespaces count or do not, by edition. Source: document 002,
    OverloadShedder; OverloadShedder, UniformLoadShedder 4.0.8.
    """
    if edition.monitoring_bundles_count:
        return len(report.bundles) > 1
    clustered = edition.clustered_monitors
    return sum(not is_monitoring(namespace_of(bundle), clustered) for bundle in report.bundles) > 1


@states("SHD-12", "SHD-84")
def heaviest_first(
    cluster: Cluster, report: BrokerReport, measure: Measure, edition: Edition
) -> dict[BundleName, float]:
    """The broker's movable bundles with what they weigh, the heaviest first.

    Among equals any order is right; here it is that of the report.
    """
    loads = movable(cluster, report, edition)
    weights = {bundle: measure(load) for bundle, load in loads.items()}
    return dict(sorted(weights.items(), key=lambda item: -item[1]))


@states("SHD-13", "SHD-14", "SHD-15", "SHD-85", "SHD-86")
def reaching(weights: Mapping[BundleName, float], amount: float) -> tuple[BundleName, ...]:
    """Bundles in the order given until they reach the amount together, but at least one.

    All of them where they do not suffice. Source: OverloadShedder 4.0.8.
    """
    taken: list[BundleName] = []
    marked = 0.0
    for bundle, weight in weights.items():
        if taken and not marked < amount:
            break
        taken.append(bundle)
        marked += weight
    return tuple(taken)


@states("SHD-26", "SHD-41")
def fitting(
    weights: Mapping[BundleName, float],
    budget: N,
    fits: Callable[[float, N], bool],
    spend: Callable[[N, float], N],
) -> tuple[BundleName, ...]:
    """Bundles in the order given, each that fits what the ones before have left of the budget."""
    taken: list[BundleName] = []
    for bundle, weight in weights.items():
        if fits(weight, budget):
            taken.append(bundle)
            budget = spend(budget, weight)
    return tuple(taken)
