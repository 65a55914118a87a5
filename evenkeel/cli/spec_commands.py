"""`evenkeel matrix` and `evenkeel explain`: the clauses and what stands behind each."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Annotated

import typer

from evenkeel import spec
from evenkeel.cli.options import (
    ChapterOption,
    Format,
    FormatOption,
    SeedOption,
    chapters_of,
    clauses_of,
)
from evenkeel.cli.output import finish, line, progress, table
from evenkeel.drivers import score
from evenkeel.drivers.counterexample import shipped
from evenkeel.models.catalogue import GRAPHS, THEOREMS
from evenkeel.properties.catalogue import CLAUSES, STATED_BY
from evenkeel.properties.stated import WITHOUT_FUNCTION

KILL_TRIALS = 400
"""Trials of each question until a mutant counts as not killed by a clause, here."""


@dataclass(slots=True)
class Behind:
    """What stands behind one clause: names of the reference's functions that state it, of checks,
    theorems, graphs, counterexamples, and the mutants that it kills (only if they were run).
    """

    functions: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    theorems: list[str] = field(default_factory=list)
    graphs: list[str] = field(default_factory=list)
    defects: list[str] = field(default_factory=list)
    counterexamples: list[str] = field(default_factory=list)

    @property
    def checked(self) -> bool:
        """Whether any property, theorem or state model checks the clause."""
        return bool(self.checks or self.theorems or self.graphs)


def gather() -> dict[str, Behind]:
    """What stands behind every clause, without running anything."""
    behind: dict[str, Behind] = defaultdict(Behind)
    for id_, functions in STATED_BY.items():
        behind[id_].functions.extend(map(str, functions))
    for clause in CLAUSES:
        behind[clause.id].checks.append(f"{clause.check.__name__} on {clause.question}")
    for theorem in THEOREMS:
        for id_ in theorem.clauses:
            behind[spec.clause(id_).id].theorems.append(theorem.name)
    for graph in GRAPHS:
        for id_ in graph.clauses:
            behind[spec.clause(id_).id].graphs.append(graph.name)
    for name, found in shipped():
        behind[found.clause].counterexamples.append(name)
    return behind


def add_kills(behind: dict[str, Behind], chapters: list[str], seed: int) -> None:
    """Run the mutants and add each to the clauses that it violates."""
    mutant = [p for p in score.mutants_of(chapters) if not p.correct]
    with progress("matrix", len(mutant), "mutants") as advance:
        for defect in mutant:
            for id_ in score.kills(defect, seed, KILL_TRIALS):
                behind[id_].defects.append(defect.name)
            advance(defect.name, 1)


def matrix(
    chapter: ChapterOption = None,
    seed: SeedOption = 1,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Clause by clause: properties, theorems, graphs, defects killed, counterexamples."""
    chapters = chapters_of(chapter)
    entries = [e for e in spec.entries().values() if not chapters or e.chapter in chapters]
    behind = gather()
    add_kills(behind, chapters, seed)
    unchecked = [
        e.id for e in entries if e.level is not spec.Level.NOTE and not behind[e.id].checked
    ]
    if format_ is Format.TEXT:
        print_matrix(entries, behind)
    summary = f"{len(entries)} clauses, {len(unchecked)} without a check" + (
        f": {', '.join(unchecked)}" if unchecked else ""
    )
    data = {e.id: {n: getattr(behind[e.id], n) for n in Behind.__slots__} for e in entries}
    raise typer.Exit(finish(format_, summary, 1 if unchecked else 0, {"clauses": data}))


def print_matrix(entries: list[spec.Entry], behind: dict[str, Behind]) -> None:
    """A row per clause, with counts."""
    table(
        "matrix",
        [
            "clause",
            "level",
            "title",
            "edition",
            "#functions",
            "#properties",
            "#theorems",
            "#graphs",
            "#defects killed",
            "#counterexamples",
        ],
        [
            [
                e.id,
                e.level,
                e.title,
                ", ".join(sorted(e.editions)) or "all",
                *(len(getattr(behind[e.id], name)) for name in Behind.__slots__),
            ]
            for e in entries
        ],
    )


def explain(
    clause: Annotated[str, typer.Argument(help="A clause's id, such as BUN-15.")],
    format_: FormatOption = Format.TEXT,
) -> None:
    """What a clause says, where it comes from, and what checks it."""
    [id_] = clauses_of([clause])
    entry, behind = spec.clause(id_), gather()[id_]
    if format_ is Format.TEXT:
        line(f"{entry.id} ({entry.level}): {entry.title}")
        line(entry.sentence)
        line(f"Formula: {entry.formula}")
        line(f"Editions: {', '.join(sorted(entry.editions)) or 'all'}")
        line(f"Source: {entry.source}")
        line(f"Example: {entry.example}")
        if id_ in WITHOUT_FUNCTION:
            line(f"function: none; {WITHOUT_FUNCTION[id_]}")
        for name in ("functions", "checks", "theorems", "graphs", "counterexamples"):
            for item in getattr(behind, name):
                line(f"{name.removesuffix('s')}: {item}")
        line(f"written in: {files(spec).joinpath(f'{entry.chapter}.md')}")
    data = {
        "clause": entry.id,
        "level": entry.level.value,
        "title": entry.title,
        "sentence": entry.sentence,
        "formula": entry.formula,
        "editions": sorted(entry.editions),
        "source": entry.source,
        "example": entry.example,
        **{name: getattr(behind, name) for name in Behind.__slots__ if name != "defects"},
    }
    summary = (
        f"{entry.id} of chapter {entry.chapter}: {len(behind.functions)} functions, "
        f"{len(behind.checks)} properties, "
        f"{len(behind.theorems)} theorems, {len(behind.graphs)} graphs, "
        f"{len(behind.counterexamples)} counterexamples"
    )
    raise typer.Exit(finish(format_, summary, 0, data))
