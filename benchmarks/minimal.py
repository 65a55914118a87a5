"""How long it takes from a failure to the smallest trial that shows it, over the hand-kept defects.

    python benchmarks/minimal.py [--chapter C ...] [--every N] [--most N]

Each defect answers trials of its chapter's questions, as under `check`, until a clause objects;
what `check` does then is timed: it puts the failures of that block in order and shrinks the
smallest trial of the first. Processor time of this one process; half and 95 of 100 of the defects
are told, and the slowest with their questions.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from rich.console import Console

from evenkeel.harness.failure import describe, in_order
from evenkeel.harness.seeded import Block, run_block
from evenkeel.harness.subjects.local import MutantSubject
from evenkeel.harness.tally import Tally
from evenkeel.harness.unfrozen import unfreeze
from evenkeel.mutation.mutant import Mutant
from evenkeel.mutation.scoring.scope import EVERYTHING, Scope

BLOCK = 50
AIM = 1.0
"""Seconds, of 95 in 100."""
TOLD = 12


@dataclass(frozen=True, slots=True)
class Shrinking:
    """A defect, where it failed, and how long the rest took."""

    name: str
    question: str
    seconds: float


def first_failure(mutant: Mutant, subject: MutantSubject, most: int) -> Tally | None:
    """The first block of any of the chapter's questions in which a clause objects."""
    for start in range(0, most, BLOCK):
        for name in EVERYTHING.questions_about(mutant):
            tally = run_block(Block(name, 1, start, BLOCK), subject, mutant.edition)
            if tally.smallest:
                return tally
    return None


def shrinking(mutant: Mutant, most: int) -> Shrinking | None:
    """From the failure to a small trial; None where no clause objects within the most trials."""
    subject = MutantSubject(mutant)
    tally = first_failure(mutant, subject, most)
    if tally is None:
        return None
    began = time.process_time()
    first = in_order(tally, subject, mutant.edition, list(tally.smallest))[0]
    failure = describe(first, tally, subject, mutant.edition)
    return Shrinking(mutant.name, failure.found.question, time.process_time() - began)


def print_all(done: Sequence[Shrinking], unseen: int) -> None:
    """What they came to."""
    out = Console(width=110, highlight=False)
    times = sorted(one.seconds for one in done)
    within = sum(seconds < AIM for seconds in times) / len(times)
    out.print(
        f"{len(done)} defects, {unseen} more not noticed: half within {median(times):.2f} s, 95 % "
        f"within {quantiles(times, n=20)[-1]:.2f} s, {within:.0%} under {AIM:g} s (aim: 95 %)"
    )
    for one in sorted(done, key=lambda one: -one.seconds)[:TOLD]:
        out.print(f"{one.seconds:6.2f} s  {one.question}: {one.name}", markup=False)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chapter", action="append", default=[])
    parser.add_argument("--every", type=int, default=1, help="only every so manieth defect")
    parser.add_argument("--most", type=int, default=1000, help="trials of each question at most")
    options = parser.parse_args()
    unfreeze()
    wanted = [mutant for mutant in Scope(tuple(options.chapter)).mutants() if not mutant.conforming]
    tried = [shrinking(mutant, options.most) for mutant in wanted[:: options.every]]
    done = [one for one in tried if one is not None]
    if len(done) < 2:
        raise SystemExit("Fewer than two defects were noticed.")
    print_all(done, len(tried) - len(done))


if __name__ == "__main__":
    main()
