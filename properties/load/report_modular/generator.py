"""Trials of `load.report_modular`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evenkeel.properties.draw import Draw, seldom_large, seldom_repeated
from evenkeel.properties.load.drawing import BUNDLES, MANY_BUNDLES, draw_many
from evenkeel.properties.load.drawn_reports import (
    draw_after,
    draw_level,
    draw_resources,
    draw_rules,
)
from evenkeel.properties.load.report_modular.trial import Check, ModularReportTrial
from evenkeel.properties.load.weighing import draw_weighing
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.usage import Resource, Resources


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


@seldom_repeated("commands")
def report_modular_trial(draw: Draw) -> ModularReportTrial:
    """Checks of which some have changed nothing, little, or much."""
    return seldom_large(draw, draw_trial)


def draw_trial(draw: Draw, large: bool) -> ModularReportTrial:
    """The same; a large one has many bundles."""
    names: Sequence[str] = draw_many(draw, MANY_BUNDLES) if large else BUNDLES
    rules, commands = draw_rules(draw), []
    resources = Resources(cpu=Resource(50.0, 100.0))
    bundles = tuple(
        draw_bundle(draw, name, 1.0) for name in (names if large else draw.sample(BUNDLES, 4))
    )
    for _ in draw.items(4 if large else 10, 0.85, least=1):
        resources = draw_resources(draw, resources)
        bundles = changed(draw, bundles, names)
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
    if weighing := draw_weighing(draw):
        rules = replace(rules, weights=weighing.weights)
        commands = [replace(one, resources=weighing.of(one.resources)) for one in commands]
    return ModularReportTrial(rules, tuple(commands))
