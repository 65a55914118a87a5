"""Everything that is proved and explored, over all chapters: discovered, not listed.

A module below `models/<chapter>/` has its theorems in `THEOREMS`, its graphs in `GRAPHS`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from importlib import import_module
from itertools import chain
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, Final

from evenkeel_engine import content, spec
from evenkeel_engine.proofs.graph import Graph
from evenkeel_engine.proofs.theorem import Theorem


def load_modules() -> Iterator[ModuleType]:
    """The modules of all chapters, in the order of chapters and names."""
    for chapter in spec.CHAPTERS:
        package = import_module(content.name(f"models.{chapter}"))
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            yield import_module(found.name)


THEOREMS: Final[tuple[Theorem, ...]] = tuple(
    chain.from_iterable(getattr(module, "THEOREMS", ()) for module in load_modules())
)
GRAPHS: Final[tuple[Graph[Any], ...]] = tuple(
    chain.from_iterable(getattr(module, "GRAPHS", ()) for module in load_modules())
)


def theorems_of(
    chapters: Collection[str] = (), clauses: Collection[str] = ()
) -> tuple[Theorem, ...]:
    """The theorems of these chapters about any of these clauses; none given: all."""
    return tuple(theorem for theorem in THEOREMS if concerns(theorem, chapters, clauses))


def graphs_of(
    chapters: Collection[str] = (), clauses: Collection[str] = (), largest: int | None = None
) -> tuple[Graph[Any], ...]:
    """The graphs of these chapters and clauses, none named: all; up to `largest` known states."""
    return tuple(
        graph
        for graph in GRAPHS
        if concerns(graph, chapters, clauses)
        and (largest is None or graph.size is None or graph.size.states <= largest)
    )


def concerns(
    model: Theorem | Graph[Any], chapters: Collection[str], clauses: Collection[str]
) -> bool:
    """The model belongs to one of the chapters and to one of the clauses, where any are given."""
    of_clauses = not clauses or not set(clauses).isdisjoint(model.clauses)
    return of_clauses and (not chapters or model.chapter in chapters)
