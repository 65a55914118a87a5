"""Put what is stored to a mutant of the reference: cases, worked examples, rules of theorems, and
small graphs, as far as they run the changed statement. The solver is not run: only a theorem's
rules are compared with the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from time import process_time
from typing import TYPE_CHECKING, Any, Final

from evenkeel_engine.check import worked_examples
from evenkeel_engine.check.limits import TooLong, compute_allowance, limit_time
from evenkeel_engine.mutation.code_swap import clear_caches
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.noting import Coverage, note_statements, spots_of
from evenkeel_engine.mutation.scoring.detection import NO_END, describe_error
from evenkeel_engine.stored.cases import StoredCase, find_problems, read_stored_cases

if TYPE_CHECKING:  # a worker has no solver, and imports no models
    from evenkeel_engine.proofs.graph import Graph
    from evenkeel_engine.proofs.theorem import Theorem

SEED, ARGUMENTS = 1, 40
"""Arguments on which each rule of a theorem is compared."""
LARGEST: Final = 2000
"""States of a graph that is explored at each mutant that it meets."""


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


@cache
def stored_examples() -> StoredChecks:
    """The worked examples."""
    return sound_items(
        Item(f"example {number} of {one.function}", one.problem)
        for number, one in enumerate(worked_examples.read_shipped(), 1)
    )


@cache
def stored_models() -> StoredChecks:
    """The cross-checks of all theorems, and the graphs that are pinned and small."""
    return sound_items(model_items())


def model_items() -> Iterator[Item]:
    """Theorems, then graphs."""
    from evenkeel_engine.proofs.catalogue import GRAPHS, THEOREMS  # noqa: PLC0415 - see above

    for theorem in THEOREMS:
        yield Item(f"theorem {theorem.name}", partial(theorem_problem, theorem))
    for graph in GRAPHS:
        if graph.size is not None and graph.size.states <= LARGEST:
            yield Item(f"graph {graph.name}", partial(graph_problem, graph))


def theorem_problem(theorem: Theorem) -> str:
    """A rule of a theorem that the reference does not equal."""
    from evenkeel_engine.proofs.theorem import cross_check  # noqa: PLC0415 - see above

    found = cross_check(theorem, SEED, ARGUMENTS)
    return f"{found[0].check}: {found[0].rule}, not {found[0].reference}" if found else ""


def graph_problem(graph: Graph[Any]) -> str:
    """What is wrong with a graph, or that it has another size."""
    if (result := graph.explore()).violations:
        return result.violations[0].sentence
    if not result.has_its_size:
        return f"{result.states} states, {result.transitions} transitions"
    return "" if result.as_expected else "a cycle, or its broken rule goes unnoticed"


def find_failing(mutant: Mutant, found: StoredChecks) -> tuple[str, str] | None:
    """The first check that a mutant in the reference fails, and how; or `no end`, and the check."""
    numbers = found.reached.find_by(spots_of(mutant).statements)
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
