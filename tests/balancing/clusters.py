"""Small clusters for the tests of this chapter."""

from __future__ import annotations

from dataclasses import replace

from evenkeel.operate.simulate import running, scenario_file
from evenkeel.operate.simulate.running import Job
from evenkeel.reference.balancing import loop, strategies
from evenkeel.reference.balancing.history import History
from evenkeel.reference.balancing.scenario import BrokerSpec, BundleSpec, Event, Scenario, Timing
from evenkeel.reference.balancing.settings import (
    USUAL_PLACER,
    BalancerSpec,
    Placer,
    Settings,
    Strategy,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import BrokerId, BundleName

MEGABYTE = 1_000_000.0


def broker(name: str, size: float = 1.0, present: bool = True) -> BrokerSpec:
    """A broker of 10,000 msg/s and 100 MB/s."""
    return BrokerSpec(BrokerId(name), 10_000 * size, 100 * MEGABYTE * size, present)


def bundle(name: str, owner: str | None, megabytes: float, messages: float = 0.0) -> BundleSpec:
    """A bundle with these MB/s in each direction and msg/s in."""
    traffic = Traffic(messages, 0.0, megabytes * MEGABYTE, megabytes * MEGABYTE)
    return BundleSpec(BundleName(name), traffic, owner=None if owner is None else BrokerId(owner))


def run(
    brokers: list[BrokerSpec],
    bundles: list[BundleSpec],
    timing: Timing,
    edition: Edition,
    strategy: Strategy = Strategy.NONE,
    settings: Settings | None = None,
    events: tuple[Event, ...] = (),
    seed: int = 1,
) -> History:
    """A run with the strategy's usual placement; not spread evenly by namespace."""
    settings = settings or Settings(distribute_evenly=False)
    scenario = Scenario(tuple(brokers), tuple(bundles), timing, events)
    spec = BalancerSpec(strategy, USUAL_PLACER[strategy], settings)
    return loop.run(scenario, strategies.hiring(spec, edition), loop.seeded(seed), edition)


def shipped_job(
    name: str, strategy: Strategy, steps: int, edition: Edition, placer: Placer | None = None
) -> Job:
    """The first steps of a shipped scenario."""
    file = scenario_file.load(name)
    timing = replace(file.scenario.timing, steps=steps)
    file = replace(file, scenario=replace(file.scenario, timing=timing))
    return Job(file, running.balancer_for(file, strategy, placer), 1, edition)
