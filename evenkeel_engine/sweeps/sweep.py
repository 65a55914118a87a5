"""A sweep: many independent jobs, each with an outcome, and one sentence about all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from evenkeel_engine.check.profile import AMOUNTS, Amounts, Profile

J = TypeVar("J")
SEED: Final = 1
"""Of sweeps whose expectations are listed for certain trials: no option changes it."""


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """What a run was asked for: the seed of trials and of sampled mutants, and how many."""

    seed: int
    profile: Profile

    @property
    def amounts(self) -> Amounts:
        """How many trials, mutants and states."""
        return AMOUNTS[self.profile]


@dataclass(frozen=True, slots=True)
class QuestionJob:
    """A number of trials of one question, put to the reference of one edition."""

    question: str
    edition: str
    seed: int
    trials: int


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """What one job found.

    `passed` things of the chapter were as they should be; `failures` says of each other one, in a
    sentence, what was wrong, and `unknown` what could not be decided. `amount` counts something
    else that the sweep's summary tells, such as states.
    """

    chapter: str
    passed: int = 1
    failures: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    amount: int = 0


def make_outcome(chapter: str, *failures: str, passed: int = 1, amount: int = 0) -> JobOutcome:
    """What a job found that checks one thing: it passed if there is no failure."""
    return JobOutcome(chapter, 0 if failures else passed, failures, amount=amount)


@dataclass(frozen=True, slots=True)
class Sweep(Generic[J]):
    """One sweep.

    `row` is what the table of chapters calls the things that pass. `says` is the summary, with
    `{passed}` and `{amount}` in it. `groups` are the jobs, hashable and pickled: those of a group
    are done in order in one process, since they share what they prepare. `endless` is
    the outcome of a job whose process had to be ended; without it that is a failure. `left_out`
    says why there is nothing to do here, if so. `frozen`: it also shows that no record is changed;
    the others leave that to it, are faster (`fast_dataclasses.py`), and come later.
    """

    name: str
    row: str
    says: str
    groups: Callable[[SweepPlan], Sequence[Sequence[J]]]
    work: Callable[[J], JobOutcome]
    endless: Callable[[J], JobOutcome] | None = None
    left_out: Callable[[], str] = str
    frozen: bool = False


@dataclass(slots=True)
class Swept:
    """What the jobs of a sweep found together."""

    sweep: Sweep[Any]
    passed: Counter[str] = field(default_factory=Counter)
    amount: int = 0
    failures: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def add(self, one: JobOutcome) -> None:
        """Count the outcome of a job."""
        self.passed[one.chapter] += one.passed
        self.amount += one.amount
        self.failures += one.failures
        self.unknown += [text for text in one.unknown if text not in self.unknown]

    @property
    def line(self) -> str:
        """The sweep in a line."""
        if reason := self.sweep.left_out():
            return f"{self.sweep.name} left out: {reason}"
        text = self.sweep.says.format(passed=f"{self.passed.total():,}", amount=f"{self.amount:,}")
        for many, what in ((self.failures, "failures"), (self.unknown, "unknown")):
            text += f", {len(many)} {what}" if many else ""
        return text
