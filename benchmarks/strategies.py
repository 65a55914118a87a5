"""Trials per second of every shedding and placement strategy, with the seeded driver.

    python benchmarks/strategies.py [--seconds S] [--rounds N] [--edition NAME] [--subject COMMAND]

One process makes each strategy's trials, has them answered by the reference, and judges the
answers, which is what a campaign does on one core. With --subject the same trials are answered by
that process, too, and its times are printed, too. All strategies take turns, and the
best of the rounds counts: a machine with other work to do is only ever slower.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table

from evenkeel.reference.edition import EDITIONS, Edition
from evenkeel_engine.check.seeded import Block, make_trial, run_block
from evenkeel_engine.kit.catalogue import QUESTIONS, questions_of
from evenkeel_engine.subjects.base import Subject
from evenkeel_engine.subjects.choose import open_subject
from evenkeel_engine.subjects.process import SubjectUnusable

CHAPTERS = ("shedding", "placement", "balancing")
SEED = 5
BLOCK = 20
"""Trials between two looks at the clock."""


@dataclass(slots=True)
class Rates:
    """The best rates of a question so far, in trials per second, and what was judged."""

    generated: float = 0.0
    reference: float = 0.0
    subject: float = 0.0
    trials: int = 0
    failures: int = 0
    skipped: bool = False
    done: dict[str, int] = field(default_factory=dict)


def rate_of(once: Callable[[int], int], seconds: float, start: int) -> tuple[float, int]:
    """Trials per second, and the next index; `once` runs some from a start."""
    began, now = time.perf_counter(), start
    while (elapsed := time.perf_counter() - began) < seconds:
        now += once(now)
    return (now - start) / elapsed, now


def make(name: str, start: int) -> int:
    """Make a block of trials."""
    for index in range(start, start + BLOCK):
        make_trial(QUESTIONS[name], SEED, index)
    return BLOCK


def check(name: str, start: int, subject: Subject, edition: Edition, rates: Rates) -> int:
    """Make, answer and judge a block of trials."""
    tally = run_block(Block(name, SEED, start, BLOCK), subject, edition)
    rates.trials += 0 if tally.skipped else BLOCK
    rates.failures += sum(tally.failures.values())
    rates.skipped |= bool(tally.skipped)
    return BLOCK


def measure(
    name: str, subjects: dict[str, Subject], edition: Edition, seconds: float, rates: Rates
) -> None:
    """One turn of a question; every turn continues where the last one stopped."""

    def rate(part: str, once: Callable[[int], int], share: float) -> float:
        found, rates.done[part] = rate_of(once, seconds * share, rates.done.get(part, 0))
        return found

    rates.generated = max(rates.generated, rate("generated", lambda at: make(name, at), 0.25))
    for part, subject in subjects.items():

        def once(at: int, subject: Subject = subject) -> int:
            return check(name, at, subject, edition, rates)

        best = max(getattr(rates, part), rate(part, once, 1.0))
        setattr(rates, part, best)


def show(found: dict[str, Rates], edition: Edition, subject: Subject | None) -> None:
    """The table."""
    table = Table(title=f"trials per second, edition {edition.name}", title_justify="left")
    table.add_column("question", no_wrap=True)
    named = ["generated alone", "reference: all of it"]
    named += [f"{subject.name}: the same", "ratio"] if subject else []
    for column in (*named, "trials judged", "violations"):
        table.add_column(column, justify="right")
    for name, rates in found.items():
        cells = [f"{rates.generated:,.0f}", f"{rates.reference:,.0f}"]
        if subject:
            known = "not answered" if rates.skipped else f"{rates.subject:,.0f}"
            cells += [known, "" if rates.skipped else f"{rates.subject / rates.reference:.2f}"]
        table.add_row(name, *cells, f"{rates.trials:,}", f"{rates.failures:,}")
    console = Console()
    if not console.is_terminal:
        console.width = 150
    console.print(table)


def main() -> int:
    """Measure and print; 1 if there were violations, 2 if the subject cannot be used."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="per strategy and round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--edition", choices=list(EDITIONS), default="PULSAR_4_0")
    parser.add_argument("--subject", help="a command that speaks the wire protocol")
    options = parser.parse_args()
    edition = EDITIONS[options.edition]
    subjects = {"reference": open_subject("reference", edition)}
    try:
        other = open_subject(options.subject, edition) if options.subject else None
    except SubjectUnusable as unusable:
        print(unusable, file=sys.stderr)
        return 2
    if other is not None:
        subjects["subject"] = other
    found = {question.name: Rates() for question in questions_of(CHAPTERS, (), edition)}
    for _ in range(options.rounds):
        for name, rates in found.items():
            measure(name, subjects, edition, options.seconds, rates)
    show(found, edition, other)
    for subject in subjects.values():
        subject.close()
    return int(any(rates.failures for rates in found.values()))


if __name__ == "__main__":
    sys.exit(main())
