"""How long until a rare defect is noticed: our seeded driver, Hypothesis, and HypoFuzz.

    python -m pip install hypofuzz
    python benchmarks/guided.py [--rarest N] [--seconds S] [--mutant NAME ...]

HypoFuzz lets branch coverage guide what it draws next; it is not among our requirements, since what
was measured speaks against a guided mode. All three draw with the question's own generator, put the
trial to the mutant and judge every answer by the same clauses. Each goes on until a clause fails or
for so much processor time, in turn, in this one process. The defects are those kept by hand that
took the seeded driver the most trials.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.database import InMemoryExampleDatabase
from rich.console import Console
from rich.table import Table

from evenkeel.harness.limits import TooLong, limited
from evenkeel.harness.seeded import trial_seed
from evenkeel.mutation.catalogue import BY_NAME, MUTANTS
from evenkeel.mutation.mutant import Mutant
from evenkeel.mutation.scoring.score import blocks, failures, score
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.draw import SeededDraw
from evenkeel.properties.kit.question import judge
from evenkeel.properties.kit.strategies import strategy

try:
    from hypofuzz.database import HypofuzzDatabase
    from hypofuzz.hypofuzz import FuzzTarget
except ImportError:
    sys.exit("HypoFuzz is not installed here: python -m pip install hypofuzz")

LOOSE = settings(
    database=None,
    deadline=None,
    phases=[Phase.generate],
    max_examples=10**9,
    suppress_health_check=list(HealthCheck),
)


class Noticed(BaseException):
    """A clause fails. No `Exception`, which the others would begin to shrink."""


class OutOfTime(BaseException):
    """The processor time is used up. No `Exception`, which would be taken for a failure."""


@dataclass(slots=True)
class Hunt:
    """A mutant at one question: trials judged so far, and until when it may go on."""

    mutant: Mutant
    question: str
    seconds: float
    trials: int = 0
    began: float = 0.0

    def judge(self, trial: Any) -> None:
        """Put a trial to the mutant; `Noticed` where a clause fails or it does not answer."""
        if time.process_time() - self.began > self.seconds:
            raise OutOfTime
        self.trials += 1
        question, edition = QUESTIONS[self.question], self.mutant.edition
        try:
            with self.mutant.applied(), limited():
                observation = question.observe(trial, edition)
        except (Exception, TooLong) as error:  # a defect may fail in any way; that is its answer
            raise Noticed from error
        clauses = clauses_for(self.question, edition)
        for verdict in judge(question, clauses, trial, observation, edition):
            if verdict.failed:
                raise Noticed

    def run(self, driver: Callable[[Hunt], None]) -> str:
        """Trials and seconds of a driver until it notices the mutant."""
        self.trials, self.began = 0, time.process_time()
        try:
            driver(self)
        except Noticed:
            return f"{self.trials:,} in {time.process_time() - self.began:.1f} s"
        except OutOfTime:
            return f"not in {self.trials:,}"
        return f"not in all {self.trials:,} there are"


def seeded(hunt: Hunt) -> None:
    """Independent uniform draws."""
    generate = QUESTIONS[hunt.question].generate
    for index in count():
        hunt.judge(generate(SeededDraw(trial_seed(hunt.question, 1, index))))


def property_of(hunt: Hunt) -> Callable[[], None]:
    """The same as a test of Hypothesis's."""

    @seed(1)
    @settings(LOOSE)
    @given(strategy(QUESTIONS[hunt.question].generate))
    def holds(trial: Any) -> None:
        hunt.judge(trial)

    return holds


def by_hypothesis(hunt: Hunt) -> None:
    """Hypothesis's own draws, without shrinking."""
    property_of(hunt)()


def by_hypofuzz(hunt: Hunt) -> None:
    """HypoFuzz's, from nothing, without a process or a dashboard around it."""
    base = HypofuzzDatabase(InMemoryExampleDatabase())
    target = FuzzTarget.from_hypothesis_test(property_of(hunt), database=base)
    target._enter_fixtures()
    while True:
        target.run_one()


def rarest(amount: int) -> list[tuple[Mutant, str]]:
    """The kept defects that the seeded driver needs most trials for, and where it notices them."""
    done = [score(mutant, 1, 3000) for mutant in MUTANTS if not mutant.conforming]
    known = sorted((one for one in done if one.clause is not None), key=lambda one: -one.trials)
    return [(one.mutant, noticing(one.mutant)) for one in known[:amount]]


def noticing(mutant: Mutant) -> str:
    """The question at which the seeded driver notices a mutant first."""
    for block in blocks(mutant, 1, 3000):
        for shown in failures(mutant, block):
            return shown.check[1]
    raise SystemExit(f"{mutant.name} is not noticed within 3,000 trials a question")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rarest", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=60, help="processor time for each driver")
    parser.add_argument("--mutant", action="append", default=[])
    options = parser.parse_args()
    hunts: Sequence[tuple[Mutant, str]] = (
        [(BY_NAME[name], noticing(BY_NAME[name])) for name in options.mutant]
        if options.mutant
        else rarest(options.rarest)
    )
    table = Table("mutant", "question", "seeded", "Hypothesis", "HypoFuzz")
    for mutant, question in hunts:
        hunt = Hunt(mutant, question, options.seconds)
        table.add_row(
            mutant.name, question, *(hunt.run(one) for one in (seeded, by_hypothesis, by_hypofuzz))
        )
    Console(width=140, highlight=False).print(table)


if __name__ == "__main__":
    main()
