"""Pages generated from the catalogue: a comparison of editions, and the index of clauses."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from itertools import zip_longest
from typing import Any

from docs.site.markdown import add_links, anchor, page_text, table
from evenkeel.reference import edition as editions
from evenkeel.reference.edition import BASE_EDITIONS
from evenkeel_engine import spec
from evenkeel_engine.content import list_switches


def pages() -> dict[str, str]:
    """The two pages."""
    return {"editions": editions_page(), "clauses": page_text("clauses")}


def value(held: Any) -> str:
    """A switch's value."""
    if isinstance(held, bool):
        return "yes" if held else "no"
    return str(held.value if isinstance(held, Enum) else held)


def editions_page() -> str:
    """Every switch, and for each chapter the clauses that only one edition has."""
    parts = [page_text("editions")]
    switches = [field for field in fields(editions.Edition) if field.metadata]
    homes = {name: base.__name__ for base in editions.Edition.__mro__ for name in read_hints(base)}
    for home in (f"{chapter.capitalize()}Switches" for chapter in spec.CHAPTERS):
        parts.append(f"### {home.removesuffix('Switches')}\n")
        rows = [
            (
                add_links(field.metadata["sentence"]),
                *(value(getattr(edition, field.name)) for edition in BASE_EDITIONS.values()),
                field.metadata["source"],
            )
            for field in switches
            if homes[field.name] == home
            and len({getattr(edition, field.name) for edition in BASE_EDITIONS.values()}) > 1
        ]
        parts.append(table(("what is so", *BASE_EDITIONS, "source"), rows))
    parts += further_editions()
    return "\n".join([*parts, "## Clauses of one edition\n", *of_one_edition()])


def further_editions() -> list[str]:
    """The switches in which each other edition differs from its parent."""
    parts = ["## Other released lines\n"]
    for line in editions.LINES.values():
        if line.parent is not None:
            rows = [
                (
                    add_links(list_switches()[change.switch][0]),
                    value(change.value),
                    change.since,
                    change.until,
                    change.source,
                )
                for change in line.changes
            ]
            parts += [
                f"### {line.name}: {line.release}, unlike {line.parent}\n",
                table(("what is so", "", "since", "until", "source"), rows),
            ]
    return parts


def read_hints(kind: type) -> dict[str, Any]:
    """The fields that a class itself has."""
    return dict(vars(kind).get("__annotations__", {}))


def of_one_edition() -> list[str]:
    """For each chapter a table, an edition in each column."""
    parts = []
    for chapter in spec.CHAPTERS:
        own = [entry for entry in spec.read_entries().values() if entry.chapter == chapter]
        columns = [
            [f"[{e.id}](#{anchor(e.id)}) {e.title}" for e in own if e.editions == {name}]
            for name in BASE_EDITIONS
        ]
        if any(columns):
            rows = [list(row) for row in zip_longest(*columns, fillvalue="")]
            parts += [f"### Only in one edition: {chapter}\n", table(tuple(BASE_EDITIONS), rows)]
    return parts
