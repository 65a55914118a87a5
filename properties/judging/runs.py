"""The runs of a rule program, each with the next plan."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from evenkeel.properties.judging.run import Contradiction, Run

MOST_RUNS: Final = 20_000
"""So many runs of one step are tried; then the verdict is undecided."""

MOST_BLAMING: Final = 400
"""So many runs are tried to find out whether a set of clauses is to blame."""

State = Hashable
Step = Callable[[Run, int, Any], State]
Failed = tuple[Contradiction, Run]
Ways = list[tuple[State, frozenset[str]]]
"""Where runs can be, each state once, with what was exercised on the way to it."""


@dataclass(frozen=True, slots=True)
class Program:
    """A judge's rule program for one case: `step(run, place, state)` gives the state behind it."""

    begin: State
    steps: int
    step: Step


class TooMany(Exception):
    """The cap on runs or states was hit."""


def runs(waived: frozenset[str], most: int) -> Iterator[Run]:
    """Every run, each with the next plan: whoever takes one does it before taking the next.

    Raises `TooMany` behind `most`.
    """
    plan: list[int] | None = []
    count = 0
    while plan is not None:
        count += 1
        if count > most:
            raise TooMany
        run = Run(plan, waived)
        yield run
        taken = run.taken
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        plan = [*(chosen for chosen, _ in taken[:-1]), taken[-1][0] + 1] if taken else None
