"""Cross-checks of theorems, small graphs and worked examples against a mutant of the reference.
The solver is not run: only a theorem's rules are compared with the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from evenkeel_engine.check import worked_examples
from evenkeel_engine.mutation.scoring.stored_checks import Item, StoredChecks, sound_items

if TYPE_CHECKING:  # a worker has no solver, and imports no models
    from evenkeel_engine.proofs.graph import Graph
    from evenkeel_engine.proofs.theorem import Theorem

SEED, ARGUMENTS = 1, 40
"""Arguments on which each rule of a theorem is compared."""
LARGEST: Final = 2000
"""States of a graph that is explored at each mutant that it meets."""


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
    result = graph.explore()
    if result.violations:
        return result.violations[0].sentence
    if not result.has_its_size:
        return f"{result.states} states, {result.transitions} transitions"
    return "" if result.as_expected else "a cycle, or its broken rule goes unnoticed"
