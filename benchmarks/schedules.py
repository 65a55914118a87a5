"""What share of the channel's enumerated scopes random schedules reach.

    python benchmarks/schedules.py [--schedules N] [--seed S] [--wide]

One line for each scope; with --wide also the large ones, of some 10^5 states each.
"""

from __future__ import annotations

import argparse
import time

from rich.console import Console

from evenkeel.harness.schedule_coverage import coverage_of
from evenkeel.models.ownership.schedule_graphs import QUICK, scope_of
from evenkeel.models.ownership.wide_schedule_graphs import WIDE


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--schedules", type=int, default=10_000, help="of either sort")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wide", action="store_true")
    options = parser.parse_args()
    out = Console(highlight=False, soft_wrap=True, markup=False)
    out.print(f"states that {options.schedules:,} trials of the generator reach, and as many walks")
    out.print(f"{'scope':<31} {'states':>8} {'trials':>10} {'walks':>10} {'seconds':>9}")
    scopes = [scope_of(name, storage) for name, storage in QUICK]
    for scope in (*scopes, *(scope for _, scope, _, _ in WIDE if options.wide)):
        began = time.perf_counter()
        found = coverage_of(scope, options.schedules, options.seed)
        took = time.perf_counter() - began
        out.print(
            f"{found.scope:<31} {found.states:>8,} {found.share_by_trials:>10.1%} "
            f"{found.share_by_walks:>10.1%} {took:>9.1f}"
        )


if __name__ == "__main__":
    main()
