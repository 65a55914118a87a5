"""Runs that differ in their seed alone, and their figures: a median and a range."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.operate.simulate.running import Run
from evenkeel.reference.shedding.cluster import MINUTE

MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure over the seeds. Infinite: it was never so."""

    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Series:
    """One strategy with one placement on one scenario, under one seed or several."""

    runs: tuple[Run, ...]

    @property
    def title(self) -> str:
        """What it is called among others of its scenario."""
        return self.runs[0].title

    @property
    def scenario(self) -> str:
        """The scenario's name."""
        return self.runs[0].job.file.name

    def spread_over(self, figure: Figure) -> Spread:
        """A figure over the seeds."""
        values = [figure(run) for run in self.runs]
        return Spread(statistics.median(values), min(values), max(values))


Figure = Callable[[Run], float]


def find_rest_minute(run: Run) -> float:
    """From which minute on a run rests; infinite if that was not found."""
    after = run.rests_after
    return math.inf if after is None else after / MINUTE


FIGURES: Final[dict[str, Figure]] = {
    "rests_after": find_rest_minute,
    "moves": lambda run: run.measures.unloads,
    "most_of_one": lambda run: run.measures.most_unloads,
    "back": lambda run: run.measures.returned,
    "moved": lambda run: run.measures.moved / MEGABYTE,
    "thrashing": lambda run: run.measures.thrashing,
    "thrash": lambda run: run.measures.thrash,
    "unserved": lambda run: run.measures.unserved / MINUTE,
    "orphaned": lambda run: run.measures.orphaned,
    "highest": lambda run: run.measures.highest,
    "mean_deviation": lambda run: run.measures.mean_deviation,
    "worst_deviation": lambda run: run.measures.worst_deviation,
    "last_deviation": lambda run: run.measures.last_deviation,
    "last_ratio": lambda run: run.measures.last_ratio,
}
"""Every figure of a run: minutes, MB/s, fractions, or plain numbers."""


def series_of(runs: Sequence[Run]) -> list[Series]:
    """The runs of each scenario and strategy together, in the order in which they come."""
    found: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        job = run.job
        found.setdefault((job.file.name, job.edition.name, run.title), []).append(run)
    return [Series(tuple(own)) for own in found.values()]
