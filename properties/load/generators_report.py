"""Trials of `load.report_modular`, `load.report_extensible` and `load.top_bundles`.

Numbers change by just as much as makes a report due, or a little less or more; pauses are as long
as the longest interval, or a second longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.load.generators import BUNDLES
from evenkeel.properties.load.trials_report import (
    BundleState,
    Check,
    CheckLoad,
    ExtensibleCommand,
    ExtensibleReportTrial,
    Heard,
    ModularReportTrial,
)
from evenkeel.properties.load.trials_top import (
    CheckTop,
    TopBundlesTrial,
    TopCommand,
    TopReportTrial,
)
from evenkeel.reference.load.report import MINUTE, REMOVAL_DELAY, ReportRules
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import TopRules
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources, Weights

LEVELS: Final = (100.0, 110.0, 111.0, 90.0, 89.0, 0.0, 105.0, 115.0, 121.0)
"""Values of a load such that some of them differ by just 10 %."""

USAGES: Final = (50.0, 60.0, 61.0, 40.0, 39.0, 55.0, 70.0, 0.0, 90.0)
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


def draw_rules(draw: Draw) -> ReportRules:
    """Mostly the defaults."""
    if draw.chance(0.6):
        return ReportRules()
    weights = Weights(draw.pick((1.0, 0.0, 2.0)), draw.pick((0.0, 1.0)), draw.pick((0.0, 1.0)))
    return ReportRules(
        draw.pick((10, 0, 5, 20)), draw.pick((15, 1, 0)), weights, draw.pick((0.9, 0.5, 0.0, 1.0))
    )


def draw_after(draw: Draw, rules: ReportRules) -> int:
    """The usual five seconds, none, or as long as something lasts."""
    if draw.chance(0.2):
        return rules.max_interval * MINUTE + draw.pick((0, 1, -5)) if rules.max_interval else 1
    return draw.pick((5, 0, REMOVAL_DELAY, REMOVAL_DELAY - 1, 60, 300))


def draw_resources(draw: Draw, before: Resources) -> Resources:
    """As before, or with another CPU, seldom with others."""
    if draw.chance(0.5):
        return before
    memory = Resource(draw.pick(USAGES), 100.0) if draw.chance(0.2) else before.memory
    direct = Resource(draw.pick(USAGES), 100.0) if draw.chance(0.2) else before.direct_memory
    inbound = Resource(draw.pick(USAGES), 100.0) if draw.chance(0.2) else before.bandwidth_in
    return Resources(
        Resource(draw.pick(USAGES), 100.0), memory, direct, inbound, before.bandwidth_out
    )


def draw_level(draw: Draw, unit: float) -> Traffic:
    """A load that may differ by just 10 % from another."""
    rate, throughput = draw.pick(LEVELS) * unit, draw.pick(LEVELS) * unit * 1000
    share = draw.pick((0.5, 0.0, 1.0))
    return Traffic(rate * share, rate * (1 - share), throughput * share, throughput * (1 - share))


def draw_bundle(draw: Draw, bundle: str, unit: float) -> BundleStatistics:
    """A bundle's measurements."""
    clients = draw.integer(0, 3)
    return BundleStatistics(bundle, draw_level(draw, unit), draw.integer(0, 3), clients, clients)


def changed(
    draw: Draw, bundles: tuple[BundleStatistics, ...], names: Sequence[str]
) -> tuple[BundleStatistics, ...]:
    """As before, or other bundles, or the same ones with another load."""
    if draw.chance(0.5):
        return bundles
    if draw.chance(0.5):
        return tuple(draw_bundle(draw, bundle.bundle, 1.0) for bundle in bundles)
    kept = {bundle.bundle: bundle for bundle in bundles}
    chosen = draw.sample(names, 6)
    return tuple(kept.get(name) or draw_bundle(draw, name, 1.0) for name in chosen)


def report_modular_trial(draw: Draw) -> ModularReportTrial:
    """Checks of which some have changed nothing, little, or much."""
    rules, commands = draw_rules(draw), []
    resources = Resources(cpu=Resource(50.0, 100.0))
    bundles = tuple(draw_bundle(draw, name, 1.0) for name in draw.sample(BUNDLES, 4))
    for _ in draw.items(10, 0.85, least=1):
        resources = draw_resources(draw, resources)
        bundles = changed(draw, bundles, BUNDLES)
        commands.append(
            Check(
                draw_after(draw, rules),
                resources,
                bundles,
                force=draw.chance(0.1),
                connected=not draw.chance(0.1),
                store_fails=draw.chance(0.1),
            )
        )
    return ModularReportTrial(rules, tuple(commands))


def report_extensible_trial(draw: Draw) -> ExtensibleReportTrial:
    """Checks as above, and bundles that come and go."""
    rules = draw_rules(draw)
    commands: list[ExtensibleCommand] = []
    resources = Resources(cpu=Resource(50.0, 100.0))
    traffic, bundles = draw_level(draw, 1.0), draw.integer(0, 3)
    for _ in draw.items(10, 0.85, least=1):
        after = draw_after(draw, rules)
        if draw.chance(0.2):
            commands.append(draw_heard(draw, after))
            continue
        resources = draw_resources(draw, resources)
        traffic = draw_level(draw, 1.0) if draw.chance(0.3) else traffic
        bundles = draw.integer(0, 12) if draw.chance(0.2) else bundles
        force, fails = draw.chance(0.1), draw.chance(0.1)
        commands.append(CheckLoad(after, resources, traffic, bundles, force, fails))
    return ExtensibleReportTrial(rules, tuple(commands))


def draw_heard(draw: Draw, after: int) -> Heard:
    """Some bundle's change of state, mostly one that concerns the broker."""
    state = draw.pick(tuple(BundleState))
    source = draw.chance(0.7)
    return Heard(
        after,
        state,
        source,
        draw.chance(0.7),
        failed=draw.chance(0.1),
        store_fails=draw.chance(0.2),
    )


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
    most = draw.pick((1, 2, 3, 10)) if draw.chance(0.9) else draw.pick((0, -1))
    isolated = tuple(draw.sample(NAMESPACES[:2], 1)) if draw.chance(0.3) else ()
    grouped = tuple(draw.sample(NAMESPACES[:2], 1)) if draw.chance(0.3) else ()
    return TopBundlesTrial(bundles, TopRules(most, draw.chance(0.3), isolated, grouped))


def draw_apart(draw: Draw) -> tuple[BundleStatistics, ...]:
    """Some bundles, each heavier than the one before, but not by its place."""
    chosen = draw.sample(BUNDLES, 5)
    weights = (3e6, 1e6, 5e6, 0.0, 4e6, 2e6)
    step = draw.integer(0, 5)
    return tuple(
        BundleStatistics(name, Traffic(throughput_in=weights[(place + step) % 6]))
        for place, name in enumerate(chosen)
    )


def top_report_trial(draw: Draw) -> TopReportTrial:
    """Checks of old and of new statistics, and bundles that come and go."""
    commands: list[TopCommand] = []
    statistics, bundles = 0, draw_apart(draw)
    for _ in draw.items(10, 0.85, least=1):
        after = draw.pick((5, 0, REMOVAL_DELAY, REMOVAL_DELAY - 1, 60))
        if draw.chance(0.25):
            commands.append(draw_heard(draw, after))
            continue
        if draw.chance(0.4):
            statistics, bundles = statistics + 1, draw_apart(draw)
        force, fails = draw.chance(0.1), draw.chance(0.15)
        commands.append(CheckTop(after, statistics, bundles, force, fails))
    return TopReportTrial(tuple(commands))
