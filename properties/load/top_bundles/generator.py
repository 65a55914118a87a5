"""Trials of `load.top_bundles`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.load.top_bundles.trial import TopBundlesTrial
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import TopRules
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.settings import INT

NAMESPACES: Final = (
    "tenant/ns",
    "tenant/other",
    "pulsar/system",
    "pulsar/broker-1:8080",
    "pulsar/cluster/broker-1:8080",
    "sla-monitor/cluster/broker-1:8080",
    "pulsar/systems",
    "sla-monitor/broker-1:8080",
)


RANGES: Final = ("0x00000000_0x40000000", "0x40000000_0x80000000", "0x80000000_0xffffffff")


def draw_statistics(draw: Draw, name: str) -> BundleStatistics:
    """Measurements that are equal to others' in most respects, up to the steps."""
    inbound = draw.pick((100_000.0, 0.0, 149_999.0, 150_000.0, 300_000.0, 50_000.0, 49_999.0))
    outbound = draw.pick((0.0, 100_000.0, 160_000.0, 1e7))
    rate = draw.pick((0.0, 49.0, 50.0, 100.0, 1000.0))
    return BundleStatistics(
        name,
        Traffic(rate, draw.pick((0.0, 100.0)), inbound, outbound),
        draw.pick((0, 1, 499, 500)),
        draw.pick((0, 1, 500)),
        draw.pick((0, 500)),
        draw.pick((0, 99_999, 100_000)),
    )


def top_bundles_trial(draw: Draw) -> TopBundlesTrial:
    """Some bundles of ordinary and of special namespaces, some with policies."""
    names: list[str] = []
    for _ in draw.items(14, 0.85):
        namespace = draw.pick(NAMESPACES[:2]) if draw.chance(0.7) else draw.pick(NAMESPACES)
        names.append(f"{namespace}/{draw.pick(RANGES)}")
    bundles = tuple(draw_statistics(draw, name) for name in dict.fromkeys(names))
    most = draw.pick((1, 2, 3, 10)) if draw.chance(0.9) else draw.pick((0, -1, 0, -1, INT[0]))
    isolated = tuple(draw.sample(NAMESPACES[:2], 1)) if draw.chance(0.3) else ()
    grouped = tuple(draw.sample(NAMESPACES[:2], 1)) if draw.chance(0.3) else ()
    return TopBundlesTrial(bundles, TopRules(most, draw.chance(0.3), isolated, grouped))
