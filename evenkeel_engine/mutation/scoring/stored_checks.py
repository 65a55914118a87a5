"""Replay the stored cases that run the changed statement against a mutant of the reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from time import process_time

from evenkeel_engine.check.limits import TooLong, compute_allowance, limit_time
from evenkeel_engine.mutation.code_swap import clear_caches
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.scoring.detection import NO_END, describe_error
from evenkeel_engine.mutation.scoring.reached import Coverage, note_statements, spots_of
from evenkeel_engine.stored.cases import StoredCase, find_problems, read_stored_cases


@dataclass(frozen=True, slots=True)
class Item:
    """A stored check: its name, and a function for what is wrong with it now; empty: nothing."""

    name: str
    problem: Callable[[], str]


@dataclass(frozen=True, slots=True)
class StoredChecks:
    """Checks that pass, what each runs of the reference, and its seconds of processor time."""

    items: tuple[Item, ...]
    reached: Coverage
    seconds: tuple[float, ...]


def sound_items(items: Iterator[Item]) -> StoredChecks:
    """What each of these runs. One that fails without a mutant detects nothing and is left out."""
    sound: list[Item] = []
    seconds: list[float] = []
    reached = Coverage()
    for item in items:
        noted = set[int]()
        with note_statements(noted.add):
            began = process_time()
            clear_caches()
            problem = item.problem()
            took = process_time() - began
        if not problem:
            for statement in noted:
                reached.note(statement)
            reached.assign_noted(len(sound))
            sound.append(item)
            seconds.append(took)
    return StoredChecks(tuple(sound), reached, tuple(seconds))


@cache
def stored_cases() -> StoredChecks:
    """The stored cases."""
    return sound_items(
        Item(f"case {case.id}", partial(case_problem, case)) for case in read_stored_cases()
    )


def case_problem(case: StoredCase) -> str:
    """How the reference or the judge contradicts a case; empty if they do not."""
    return next(find_problems(case), "")


def find_failing(mutant: Mutant, found: StoredChecks) -> tuple[str, str] | None:
    """The first check that a mutant in the reference fails, and how; or `no end`, and the check."""
    spots = spots_of(mutant)
    numbers = found.reached.find_by(spots.statements)
    with mutant.apply():
        for number in numbers:
            item = found.items[number]
            try:
                with limit_time(compute_allowance(found.seconds[number])):
                    clear_caches()
                    problem = item.problem()
            except TooLong:
                return NO_END, item.name
            except Exception as error:  # a mutant may fail in any way
                return item.name, describe_error(error)
            if problem:
                return item.name, problem
    return None
