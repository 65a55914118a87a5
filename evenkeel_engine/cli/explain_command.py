"""`evenkeel explain`: the clauses and their evidence."""

from __future__ import annotations

import re
from dataclasses import asdict, fields
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer

from evenkeel_engine import content, spec
from evenkeel_engine.cli import options
from evenkeel_engine.cli.options import Format, Unusable
from evenkeel_engine.cli.output import finish, print_listing, print_prose
from evenkeel_engine.cli.parameters import (
    find_tables,
    format_value,
    list_names,
    list_readers,
    read_defaults,
    read_descriptions,
)
from evenkeel_engine.cli.traceability import Evidence, find_evidence
from evenkeel_engine.content import UNSTATED
from evenkeel_engine.text import count_noun

COLUMNS: Final = tuple(part.name for part in fields(Evidence))

ELSE: Final = "a clause's id has three letters and a number, and chapters list all settings."
"""What is said of a name that is near none."""


def explain(
    clause: Annotated[
        str | None,
        typer.Argument(
            help="A clause's id, or the name of a setting; none: a table of all clauses.",
            autocompletion=options.CLAUSES_OFFERED,
        ),
    ] = None,
    chapter: options.ChapterOption = None,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Show a clause, and what checks it; of a setting, what reads it.

    Without a clause: a table of how many functions, properties, theorems, graphs and
    counterexamples each clause has. `evenkeel score` shows which mutants a clause kills.
    """
    if clause is None:
        explain_all(options.chapters_of(chapter), format_)
    if chapter:
        raise Unusable("--chapter is for the table of clauses: give a clause or a chapter.")
    if re.fullmatch(r"[A-Za-z]{1,4}-?\d+", clause):
        [id_] = options.clauses_of([clause])
        explain_one(id_, format_)
    if "." in clause and clause.casefold() in options.question_names():
        page = f"spec/wire/{clause.casefold().partition('.')[0]}.md"
        raise Unusable(f"{clause} is a question: {page} describes it")
    explain_setting(
        options.resolve_name("There is no setting", clause, list_names(), ELSE), format_
    )


def explain_all(chapters: list[str], format_: Format) -> NoReturn:
    """Print a table of the clauses of these chapters (none: of all)."""
    entries = [e for e in spec.read_entries().values() if not chapters or e.chapter in chapters]
    known = find_evidence()
    unchecked = [
        e.id for e in entries if e.level is not spec.Level.NOTE and not known[e.id].checked
    ]
    if format_ is Format.TEXT:
        counts = ("#functions", "#properties", "#theorems", "#graphs", "#counterexamples")
        rows = []
        for e in entries:
            counted = (len(getattr(known[e.id], name)) for name in COLUMNS)
            rows.append([e.id, e.level, e.basis, e.title, list_editions(e), *counted])
        print_listing(["clause", "level", "basis", "title", "edition", *counts], rows)
    summary = f"{len(entries)} clauses, {len(unchecked)} without a check" + (
        f": {', '.join(unchecked)}" if unchecked else ""
    )
    data = {
        e.id: {"level": e.level.value, "basis": e.basis.value, **asdict(known[e.id])}
        for e in entries
    }
    raise typer.Exit(finish(format_, summary, 1 if unchecked else 0, {"clauses": data}))


def list_editions(entry: spec.Entry) -> str:
    """The editions that a clause names, for a reader."""
    return ", ".join(sorted(entry.editions)) or "all"


def explain_one(id_: str, format_: Format) -> NoReturn:
    """Print a clause and its evidence."""
    entry, found = spec.find_clause(id_), find_evidence()[id_]
    if format_ is Format.TEXT:
        binds = ", effect ".join(filter(None, (entry.level, entry.effect)))
        print_prose(f"{entry.id} ({binds}): {entry.title}")
        for text in entry.sentence.splitlines():
            print_prose(text)
        print_prose(f"Formula: {entry.formula}")
        print_prose(f"Editions: {list_editions(entry)}")
        print_prose(f"Basis: {entry.basis}: {entry.source}")
        print_prose(f"Example: {entry.example}")
        for text in entry.note.splitlines():
            print_prose(text)
        if id_ in UNSTATED:
            print_prose(f"function: none; {UNSTATED[id_]}")
        for name in COLUMNS:
            for item in getattr(found, name):
                print_prose(f"{name.removesuffix('s')}: {item}")
        print_prose(f"written in: {place_of(entry.chapter)}")
    data = {
        "clause": entry.id,
        "level": entry.level.value,
        "effect": entry.effect,
        "title": entry.title,
        "sentence": entry.sentence,
        "formula": entry.formula,
        "editions": sorted(entry.editions),
        "basis": entry.basis.value,
        "source": entry.source,
        "quotations": [asdict(quotation) for quotation in entry.quotations],
        "example": entry.example,
        "note": entry.note,
        **asdict(found),
    }
    summary = (
        f"{entry.id} of chapter {entry.chapter}: {len(found.functions)} functions, "
        f"{len(found.checks)} properties, "
        f"{len(found.theorems)} theorems, {len(found.graphs)} graphs, "
        f"{len(found.counterexamples)} counterexamples"
    )
    raise typer.Exit(finish(format_, summary, 0, data))


def explain_setting(key: str, format_: Format) -> NoReturn:
    """Print where a setting decides: the components that have it, and the clauses."""
    rows, entries = find_tables().get(key, {}), [spec.find_clause(id_) for id_ in list_readers(key)]
    defaults = read_defaults().get(key, {})
    ends = read_descriptions().get(key, {}).get("ends", "")
    tables = [
        {
            "component": name.removeprefix(f"{content.PACKAGE}."),
            "default": row.default,
            "unit": row.unit,
            "bounds": row.bounds,
        }
        for name, row in rows.items()
    ]
    if format_ is Format.TEXT:
        for name, row in rows.items():
            span = row.bounds and "; in trials {:,} to {:,}".format(*row.bounds)
            print_prose(
                f"{name.removeprefix(f'{content.PACKAGE}.reference.')}: "
                f"{format_value(row.default)} {row.unit}".rstrip()
                + (span or "")
            )
        for edition, value in defaults.items():
            said = "no setting" if value is None else value or "not set"
            print_prose(f"default from {edition} on: {said}")
        if ends:
            print_prose(f"at its ends: {ends}")
        if entries:
            found = [[e.id, e.level, e.title, list_editions(e)] for e in entries]
            print_listing(["clause", "level", "title", "edition"], found)
    decides = f"{count_noun(len(entries), 'clause')} that it decides"
    summary = (
        f"{key}: in {count_noun(len(rows), 'component')}; "
        f"{decides if entries else 'no clause reads it'}"
    )
    clauses = [entry.id for entry in entries]
    data = {"setting": key, "components": tables, "defaults": defaults, "clauses": clauses}
    data["ends"] = ends
    raise typer.Exit(finish(format_, summary, 0, data))


def place_of(chapter: str) -> Path:
    """The file of a chapter, below this folder as a relative path."""
    whole = Path(str(files(content.chapters).joinpath(f"{chapter}.md"))).resolve()
    return whole.relative_to(Path.cwd()) if whole.is_relative_to(Path.cwd()) else whole
