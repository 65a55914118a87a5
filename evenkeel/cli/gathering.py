"""Finds out what stands behind each clause, by importing everything and running nothing."""

from __future__ import annotations

from evenkeel import spec
from evenkeel.cli.behind import MODELS_NEED, Behind
from evenkeel.extras import there
from evenkeel.harness.counterexample import shipped
from evenkeel.properties.catalogue import CLAUSES, STATED_BY
from evenkeel.properties.kit.clause import Clause


def gather() -> dict[str, Behind]:
    """What stands behind every clause of the specification, by id."""
    behind = {id_: Behind() for id_ in spec.entries()}
    for id_, functions in STATED_BY.items():
        behind[id_].functions.extend(map(str, functions))
    for clause in CLAUSES:
        behind[clause.id].checks.append(name_of(clause))
    if all(there(module) for module in MODELS_NEED):
        add_models(behind)
    for name, found in shipped():
        behind[found.clause].counterexamples.append(name)
    return behind


def add_models(behind: dict[str, Behind]) -> None:
    """What is proved and explored, which needs an extra."""
    from evenkeel.models.catalogue import GRAPHS, THEOREMS  # noqa: PLC0415 - of an extra

    for theorem in THEOREMS:
        for id_ in theorem.clauses:
            behind[id_].theorems.append(theorem.name)
    for graph in GRAPHS:
        for id_ in graph.clauses:
            behind[id_].graphs.append(graph.name)


def name_of(clause: Clause) -> str:
    """What checks a clause: the judge of its question, which speaks of several clauses."""
    return f"the judge of {clause.question}"
