"""How many trials it takes until a defect is detected: handwritten mutants, and sampled ones.

    python benchmarks/time_to_kill.py [--sampled N] [--most N] [--seeds N] [--chapter C ...]

Every defect is tried with several seeds. Trials rotate over all questions of its chapter, so
"trials" is over all of them, as in a campaign. A table of median, 95th percentile, and those that
were never detected within the most; then the slowest.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from rich.console import Console
from rich.table import Table

from evenkeel_engine.mutation.sampled import sample_mutants
from evenkeel_engine.mutation.scoring.detection import InSubject, follow
from evenkeel_engine.mutation.scoring.scope import ScoreScope
from evenkeel_engine.mutation.scoring.score import score_mutant


@dataclass(frozen=True, slots=True)
class Killed:
    """A defect, of which sort and chapter, and after how many trials; None: never."""

    name: str
    sort: str
    chapter: str
    trials: int | None


def by_hand(chapters: Sequence[str], seeds: Sequence[int], most: int) -> list[Killed]:
    """The handwritten defects."""
    found = []
    for mutant in ScoreScope(tuple(chapters)).list_mutants():
        for seed in () if mutant.conforming else seeds:
            done = score_mutant(mutant, seed, most)
            trials = done.trials if done.clause is not None else None
            found.append(Killed(mutant.name, "handwritten", mutant.chapter, trials))
    return found


def by_seed(chapters: Sequence[str], amount: int, most: int) -> list[Killed]:
    """Mutants sampled by seed."""
    found = []
    for mutant in sample_mutants(1, amount, chapters):
        outcome = follow(mutant, InSubject(mutant), 1, most)
        trials = outcome.trials if outcome.by is not None else None
        found.append(Killed(mutant.name, "sampled", mutant.chapter, trials))
    return found


def row(name: str, those: Sequence[Killed]) -> list[str]:
    """A row of the table. One that was never detected counts as slower than all."""
    known = sorted(one.trials for one in those if one.trials is not None)
    never = len(those) - len(known)
    if len(known) < 2:
        return [name, str(len(those)), "", "", str(never)]
    last = quantiles(known, n=20)[-1]
    return [name, str(len(those)), f"{median(known):,.0f}", f"{last:,.0f}", str(never)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sampled", type=int, default=1000)
    parser.add_argument("--most", type=int, default=3000, help="trials of each question at most")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--chapter", action="append", default=[])
    options = parser.parse_args()
    done = by_hand(options.chapter, range(1, options.seeds + 1), options.most)
    if options.sampled:
        done += by_seed(options.chapter, options.sampled, options.most)
    table = Table("defects", "tried", "median", "95 %", "never")
    for column in table.columns[1:]:
        column.justify = "right"
    for sort in sorted({one.sort for one in done}):
        own = [one for one in done if one.sort == sort]
        for chapter in sorted({one.chapter for one in own}):
            those = [one for one in own if one.chapter == chapter]
            table.add_row(*row(f"{sort}, {chapter}", those))
        table.add_row(*row(f"{sort}, all", own), end_section=True)
    out = Console(width=110, highlight=False)
    out.print(table)
    slow = sorted(done, key=lambda one: (one.trials is not None, -(one.trials or 0)))
    for one in slow[:20]:
        out.print(f"{one.trials or 'never':>8}  {one.sort}: {one.name}", markup=False)


if __name__ == "__main__":
    main()
