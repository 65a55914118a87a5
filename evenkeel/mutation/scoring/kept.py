"""What is kept in files, held against a mutant of the reference: counterexamples and recorded
answers. Only what runs the changed statement when nothing is changed is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from time import process_time

from evenkeel.harness import recorded
from evenkeel.harness.counterexample import Counterexample, replay, shipped
from evenkeel.harness.limits import TooLong, allowed, limited
from evenkeel.mutation.live import forget
from evenkeel.mutation.mutant import Mutant
from evenkeel.mutation.scoring.noticing import NO_END, described
from evenkeel.mutation.scoring.reached import Reached, noting, spots_of
from evenkeel.reference.edition import EDITIONS


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
def kept_files() -> Kept:
    """The shipped counterexamples."""
    return kept(Item(f"file {name}", partial(file_problem, name, file)) for name, file in shipped())


def file_problem(name: str, file: Counterexample) -> str:
    """How a counterexample does not replay."""
    forget()
    problems = replay(Path(name), file).problems
    return problems[0] if problems else ""


@cache
def kept_answers() -> Kept:
    """The recorded answers of all questions."""
    return kept(recorded_items())


def recorded_items() -> Iterator[Item]:
    """Every recorded line."""
    for question in recorded.questions():
        edition = recorded.recording(question).header.edition
        for number, line in enumerate(recorded.lines(question), 2):
            problem = partial(line_problem, question, edition, line)
            yield Item(f"recorded {question}, line {number}", problem)


def line_problem(question: str, edition: str, line: recorded.Line) -> str:
    """Whether a recorded line is contradicted."""
    forget()
    found = next(recorded.contradicted(question, EDITIONS[edition], (line,)), None)
    return "" if found is None else "answers otherwise than recorded"


def differs(mutant: Mutant) -> bool:
    """Whether some recorded answer contradicts the reference with this mutant in it."""
    return against(mutant, kept_answers()) is not None


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
