"""Runs for the theorems of this chapter: whole weights, constant load, no grace period."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from evenkeel.properties.balancing.loop.evenness import judge_evenness
from evenkeel.properties.balancing.loop.trials import BalancingTrial
from evenkeel.properties.kit.observations import Broke, Refused
from evenkeel.properties.kit.run import MonitorRun
from evenkeel.reference.balancing.history import History
from evenkeel.reference.balancing.scenario import BrokerSpec, BundleSpec, Scenario, Timing
from evenkeel.reference.balancing.settings import USUAL_PLACER, BalancerSpec, Settings, Strategy
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName

SOURCE, OTHER = BrokerId("a:1"), BrokerId("b:1")

FULL: Final = 10_000.0
"""Messages per second that fill a broker."""

BYTES: Final = 1_000.0
"""Bytes for each message, in and out."""


def bundle_of(broker: int, index: int) -> BundleName:
    """The bundle number `index` of a broker at first."""
    return BundleName(f"t/n/0x{broker:x}{index:x}000000_0x{broker:x}{index + 1:x}000000")


def trial_with(
    strategy: Strategy,
    settings: Settings,
    weights: Mapping[BrokerId, Sequence[int]],
    unit: float = 1.0,
    steps: int = 4,
) -> BalancingTrial:
    """Brokers with bundles of so many units (msg/s), and a round a minute."""
    brokers = tuple(BrokerSpec(broker, FULL, FULL * BYTES) for broker in weights)
    bundles = tuple(
        BundleSpec(bundle_of(number, index), traffic_of(weight * unit), owner=broker)
        for number, (broker, sizes) in enumerate(weights.items())
        for index, weight in enumerate(sizes)
    )
    timing = Timing(steps, MINUTE, MINUTE, 1000, 0, 30_000)
    spec = BalancerSpec(strategy, USUAL_PLACER[strategy], settings)
    return BalancingTrial(Scenario(brokers, bundles, timing), spec)


def traffic_of(messages: float) -> Traffic:
    """Traffic of so many messages a second."""
    return Traffic(messages / 2, messages / 2, messages * BYTES / 2, messages * BYTES / 2)


def evens_out(trial: BalancingTrial, answer: History | Refused | Broke) -> bool:
    """Every round of the run makes the load more even (BAL-17)."""
    if not isinstance(answer, History):
        return False
    run = MonitorRun(frozenset())
    judge_evenness(run, trial, answer)
    return "BAL-17" not in run.findings.violated
