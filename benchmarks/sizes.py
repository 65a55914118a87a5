"""How the cost of a simulated step grows with brokers and with bundles.

    python benchmarks/sizes.py [--brokers N ...] [--bundles N ...] [--strategy S ...]

Bundles have owners from the beginning, and one broker in four carries more than the others, so
that shedders have work. For each strategy the reference's `balancing.loop` goes through the same
minutes of ever larger clusters; told are milliseconds of processor time a step, and the exponent
from each size to the next: 1.0 is linear, 2.0 quadratic.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from itertools import pairwise

from rich.console import Console
from rich.table import Table

from evenkeel.harness.unfrozen import unfreeze
from evenkeel.properties.balancing.loop.trials import BalancingTrial, answer_loop
from evenkeel.reference.balancing.scenario import BrokerSpec, BundleSpec, Scenario, Timing
from evenkeel.reference.balancing.settings import USUAL_PLACER, BalancerSpec, Settings, Strategy
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import BrokerId, BundleName

STEPS = 4
SHEDDERS = (
    Strategy.OVERLOAD,
    Strategy.THRESHOLD,
    Strategy.UNIFORM,
    Strategy.TRANSFER,
    Strategy.AVG,
)
MESSAGES = 100_000.0
BANDWIDTH = 1.25e9
FULL = 0.85
"""The usage of the fuller brokers; the others have half of it."""


def cluster(brokers: int, bundles: int) -> Scenario:
    """So many brokers that serve so many bundles, one broker in four twice as full."""
    ids = [BrokerId(f"broker-{number}") for number in range(brokers)]
    each = max(bundles / brokers, 1.0)
    specs = []
    for number in range(bundles):
        place = number % brokers
        share = (FULL if place % 4 == 0 else FULL / 2) / each
        messages, size = share * MESSAGES / 2, share * BANDWIDTH
        name = BundleName(f"tenant/app/0x{number:08x}_0x{number + 1:08x}")
        specs.append(BundleSpec(name, Traffic(messages, messages, size, size), owner=ids[place]))
    owners = tuple(BrokerSpec(broker, MESSAGES, BANDWIDTH) for broker in ids)
    return Scenario(owners, tuple(specs), Timing(STEPS))


def milliseconds(strategy: Strategy, brokers: int, bundles: int) -> float:
    """A step's processor time."""
    balancer = BalancerSpec(strategy, USUAL_PLACER[strategy], Settings())
    trial = BalancingTrial(cluster(brokers, bundles), balancer, 1)
    began = time.process_time()
    answer_loop(trial, DOCUMENTED)
    return (time.process_time() - began) * 1000 / (STEPS + 1)


def growth(sizes: Sequence[int], times: Sequence[float]) -> list[str]:
    """Times, each but the first with its exponent."""
    cells = [f"{times[0]:,.1f}"]
    for (before, size), (less, more) in zip(pairwise(sizes), pairwise(times), strict=True):
        cells.append(f"{more:,.1f} ({math.log(more / less) / math.log(size / before):.2f})")
    return cells


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--brokers", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--bundles", type=int, nargs="+", default=[10, 100, 1000, 10_000, 100_000])
    parser.add_argument("--strategy", type=Strategy, nargs="+", default=list(SHEDDERS))
    options = parser.parse_args()
    unfreeze()
    out = Console(width=120, highlight=False)
    for what, sizes, fixed in (
        ("brokers", options.brokers, options.bundles[len(options.bundles) // 2]),
        ("bundles", options.bundles, options.brokers[0]),
    ):
        other = "bundles" if what == "brokers" else "brokers"
        columns = [f"{size:,} {what}" for size in sizes]
        table = Table(f"{fixed:,} {other}, ms a step (exponent)", *columns)
        for strategy in options.strategy:
            pairs = [(size, fixed) if what == "brokers" else (fixed, size) for size in sizes]
            times = [milliseconds(strategy, *pair) for pair in pairs]
            table.add_row(strategy.value, *growth(sizes, times))
        out.print(table)


if __name__ == "__main__":
    main()
