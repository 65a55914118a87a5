"""What share of the channel's enumerated scopes random schedules reach.

    python benchmarks/coverage.py [--schedules N] [--seed S] [--wide]

One line for each scope; with --wide also the two large scopes, and how long enumerating them takes.
"""

from __future__ import annotations

import argparse
import time

from rich.console import Console

from evenkeel.drivers.schedule_coverage import coverage_of
from evenkeel.models.ownership.schedules import QUICK, WIDE, scope_of


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--schedules", type=int, default=10_000, help="of either sort")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wide", action="store_true")
    options = parser.parse_args()
    out = Console(highlight=False, soft_wrap=True, markup=False)
    scopes = [scope_of(name, storage) for name, storage in QUICK]
    for scope in (*scopes, *(WIDE if options.wide else ())):
        began = time.perf_counter()
        found = coverage_of(scope, options.schedules, options.seed)
        took = time.perf_counter() - began
        out.print(
            f"{found.scope:<36} {found.states:>7,} states; of {found.schedules:,} each, trials of "
            f"the generator reach {found.share_by_trials:>6.1%}, walks "
            f"{found.share_by_walks:>6.1%}   ({took:.1f} s)"
        )


if __name__ == "__main__":
    main()
