"""Trials of `load.report_extensible`."""

from __future__ import annotations

from dataclasses import replace

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.load.drawn_reports import (
    draw_after,
    draw_heard,
    draw_level,
    draw_resources,
    draw_rules,
)
from evenkeel.properties.load.report_extensible.trial import (
    CheckLoad,
    ExtensibleCommand,
    ExtensibleReportTrial,
)
from evenkeel.properties.load.reports import Heard
from evenkeel.properties.load.weighing import draw_weighing
from evenkeel.reference.load.usage import Resource, Resources


@seldom_repeated("commands")
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
    if weighing := draw_weighing(draw):
        rules = replace(rules, weights=weighing.weights)
        commands = [
            one if isinstance(one, Heard) else replace(one, resources=weighing.of(one.resources))
            for one in commands
        ]
    return ExtensibleReportTrial(rules, tuple(commands))
