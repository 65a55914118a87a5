"""The stored cases, held against a mutant of the reference. Only what runs the changed statement
when nothing is changed is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from time import process_time

from evenkeel.harness.cases import Case, problems, stored
from evenkeel.harness.limits import TooLong, allowed, limited
from evenkeel.mutation.code_swap import forget
from evenkeel.mutation.mutant import Mutant
from evenkeel.mutation.scoring.detection import NO_END, described
from evenkeel.mutation.scoring.reached import Reached, noting, spots_of


@dataclass(frozen=True, slots=True)
class Item:
    """A kept thing: its name, and what is wrong with it now; empty: nothing."""

    name: str
    problem: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Kept:
    """Kept things with which nothing is wrong, what each runs of the reference, and how many
    seconds of processor time it takes.
    """

    items: tuple[Item, ...]
    reached: Reached
    seconds: tuple[float, ...]


def kept(items: Iterator[Item]) -> Kept:
    """What each of these runs. One that is wrong already can notice nothing, and is left out."""
    sound: list[Item] = []
    seconds: list[float] = []
    reached = Reached()
    for item in items:
        noted = set[int]()
        with noting(noted.add):
            began = process_time()
            problem = item.problem()
            took = process_time() - began
        if not problem:
            for statement in noted:
                reached.note(statement)
            reached.took(len(sound))
            sound.append(item)
            seconds.append(took)
    return Kept(tuple(sound), reached, tuple(seconds))


@cache
def kept_cases() -> Kept:
    """The stored cases."""
    return kept(Item(f"case {case.id}", partial(case_problem, case)) for case in stored())


def case_problem(case: Case) -> str:
    """How the reference or the judge says otherwise than a case."""
    forget()
    return next(problems(case), "")


def against(mutant: Mutant, found: Kept) -> tuple[str, str] | None:
    """The first kept thing with which something is wrong if the reference has a mutant; what.

    If it goes on for ever there, `no end`, and what with.
    """
    spots = spots_of(mutant)
    numbers = found.reached.by(spots.statements)
    with mutant.applied():
        for number in numbers:
            item = found.items[number]
            try:
                with limited(allowed(found.seconds[number])):
                    problem = item.problem()
            except TooLong:
                return NO_END, item.name
            except Exception as error:  # a mutant may fail in any way
                return item.name, described(error)
            if problem:
                return item.name, problem
    return None
