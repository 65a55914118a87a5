"""How heavy bundles are, and which may be listed (LOA-51 to LOA-54), for trials and judges."""

from __future__ import annotations

import math
from collections.abc import Iterable

from evenkeel.reference.load.namespaces import SYSTEM, is_monitoring, namespace_of
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import (
    CACHE_STEP,
    CONNECTION_STEP,
    MSG_RATE_STEP,
    THROUGHPUT_STEP,
    TopRules,
)

Rank = tuple[int, ...]


def nearest(value: float) -> int:
    """The nearest whole number, halves upwards."""
    floor = math.floor(value)
    return floor + (value - floor >= 0.5)


def rank(bundle: BundleStatistics) -> Rank:
    """LOA-54: what bundles are compared by, the first difference deciding."""
    traffic = bundle.traffic
    return (
        nearest(traffic.throughput_in / THROUGHPUT_STEP),
        nearest(traffic.throughput_out / THROUGHPUT_STEP),
        nearest((traffic.msg_rate_in + traffic.msg_rate_out) / MSG_RATE_STEP),
        (bundle.topics + bundle.producers + bundle.consumers) // CONNECTION_STEP,
        bundle.cache // CACHE_STEP,
    )


def is_idle(bundle: BundleStatistics) -> bool:
    """LOA-51: nothing goes through it."""
    return bundle.traffic.throughput_in + bundle.traffic.throughput_out == 0


def is_system(bundle: BundleStatistics) -> bool:
    """LOA-52: Pulsar's own namespace, and those of heartbeats and SLA monitors."""
    namespace = namespace_of(bundle.bundle)
    return namespace == SYSTEM or is_monitoring(namespace)


def is_bound(bundle: BundleStatistics, rules: TopRules) -> bool:
    """LOA-53: policies bind it, and may not be moved."""
    namespace = namespace_of(bundle.bundle)
    return not rules.with_policies and (namespace in rules.isolated or namespace in rules.grouped)


def eligible(bundles: Iterable[BundleStatistics], rules: TopRules) -> list[BundleStatistics]:
    """The bundles that may be listed."""
    return [
        bundle
        for bundle in bundles
        if not (is_idle(bundle) or is_system(bundle) or is_bound(bundle, rules))
    ]
