"""`evenkeel prove` and `evenkeel explore`: theorems by Z3, small scopes enumerated whole."""

from __future__ import annotations

from evenkeel.models.catalogue import GRAPHS, THEOREMS
from evenkeel.models.graph import Graph
from evenkeel.models.theorem import Theorem


def wanted_theorems(chapters: list[str], clauses: list[str]) -> list[Theorem]:
    """The theorems of these chapters about these clauses; none given: all."""
    return [
        theorem
        for theorem in THEOREMS
        if (not chapters or theorem.chapter in chapters)
        and (not clauses or set(clauses) & set(theorem.clauses))
    ]


def wanted_graphs(chapters: list[str], clauses: list[str]) -> list[Graph]:
    """The graphs of these chapters about these clauses; none given: all."""
    return [
        graph
        for graph in GRAPHS
        if (not chapters or graph.chapter in chapters)
        and (not clauses or set(clauses) & set(graph.clauses))
    ]
