"""What a modular shedder sees of the cluster, and the round around it (SHD-1 to SHD-6).

The leader holds every broker's latest report and averages for every bundle. A shedder of the
modular manager answers which bundles should leave which broker; the manager unloads them and
remembers for a while that it did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NewType

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import is_monitoring, namespace_of
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resources
from evenkeel_engine.frame.clauses import states

BrokerId = NewType("BrokerId", str)
"""A broker's id, `host:port`."""

BundleName = NewType("BundleName", str)
"""A bundle's full name, `tenant/namespace/0x…_0x…`."""

Millis = int
"""A time, or a span of time, in milliseconds."""

MINUTE: Final[Millis] = 60_000


@dataclass(frozen=True, slots=True)
class BundleLoad:
    """Averages of a bundle's traffic: over the last 10 samples, and over the last 1000."""

    short_term: Traffic = Traffic()
    long_term: Traffic = Traffic()


@dataclass(frozen=True, slots=True)
class BrokerReport:
    """A broker's latest report: how full it is, its traffic, the bundles that it serves.

    The traffic is what the broker measured last; it need not be the sum of the bundles' averages.
    `bundles` holds every bundle with a loaded topic, those of monitoring namespaces included.
    """

    resources: Resources = Resources()
    traffic: Traffic = Traffic()
    bundles: tuple[BundleName, ...] = ()


@dataclass(frozen=True, slots=True)
class Cluster:
    """All that a modular shedder is given. Pulsar: `LoadData` 4.0.8.

    A bundle in `recently_unloaded` is inside its grace period, whatever the time says there. The
    order of the mappings means nothing.
    """

    brokers: Mapping[BrokerId, BrokerReport]
    bundles: Mapping[BundleName, BundleLoad]
    recently_unloaded: Mapping[BundleName, Millis]


Decision = Mapping[BrokerId, tuple[BundleName, ...]]
"""What a modular shedder answers: the bundles that should leave each broker, in order of choice.

A broker that keeps all its bundles is not named.
"""


@states("SHD-1", "SHD-2", "SHD-3", "SHD-4", "SHD-5", "SHD-101")
def movable(
    cluster: Cluster, report: BrokerReport, edition: Edition
) -> dict[BundleName, BundleLoad]:
    """The broker's bundles that may be chosen, in the order of its report.

    It serves them, averages of them are known, they are not of a monitoring namespace, and not
    inside the grace period. Source: LoadData.getBundleDataForLoadShedding 4.0.8.
    """
    return {
        bundle: cluster.bundles[bundle]
        for bundle in report.bundles
        if bundle in cluster.bundles
        and bundle not in cluster.recently_unloaded
        and not is_monitoring(namespace_of(bundle), edition.clustered_monitors)
    }


@states("SHD-3", "SHD-6", "SHD-101")
def within_grace(
    recently_unloaded: Mapping[BundleName, Millis], now: Millis, grace_minutes: int
) -> dict[BundleName, Millis]:
    """The bundles still inside their grace period, its last moment included.

    Source: ModularLoadManagerImpl.doLoadShedding 4.0.8.
    """
    oldest = now - grace_minutes * MINUTE
    return {bundle: at for bundle, at in recently_unloaded.items() if at >= oldest}


@states("SHD-3", "SHD-6", "SHD-101")
def remember_unloads(
    recently_unloaded: Mapping[BundleName, Millis], unloaded: Iterable[BundleName], now: Millis
) -> dict[BundleName, Millis]:
    """Bundles that were really unloaded begin their grace period now."""
    return {**recently_unloaded, **dict.fromkeys(unloaded, now)}


@states("SHD-6")
def may_shed(brokers: int) -> bool:
    """Whether there is a broker to shed to: not with one alone."""
    return brokers > 1
