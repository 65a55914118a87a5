"""Runs of shipped scenarios."""

from __future__ import annotations

from dataclasses import replace

from evenkeel.operate.simulate import running, scenario_file
from evenkeel.operate.simulate.running import RunJob
from evenkeel.reference.balancing.settings import Placer, Strategy
from evenkeel.reference.edition import PULSAR_4_0, Edition


def shipped_job(
    name: str,
    strategy: Strategy,
    steps: int,
    edition: Edition = PULSAR_4_0,
    placer: Placer | None = None,
) -> RunJob:
    """The first steps of a shipped scenario."""
    file = scenario_file.load(name)
    timing = replace(file.scenario.timing, steps=steps)
    file = replace(file, scenario=replace(file.scenario, timing=timing))
    return RunJob(file, running.balancer_for(file, strategy, placer), 1, edition)
