"""The chapters of the specification as pages: each clause with its evidence."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from docs.site.interactive import played_by
from docs.site.markdown import ROOT, add_links, anchor, code, details, with_diagrams, within
from docs.site.worked_examples import calls, case_html, cases_by_clause, examples_by_clause
from evenkeel.report import track_record
from evenkeel_engine import spec
from evenkeel_engine.cli import coverage
from evenkeel_engine.cli.traceability import Evidence, find_evidence
from evenkeel_engine.mutation.catalogue import MUTANTS
from evenkeel_engine.text import count_noun

OTHERS: Final = (
    *("notation", "errata", "coverage", "trace", "wire"),
    *(f"wire/{part}" for part in (*spec.CHAPTERS, "shared", "bounds")),
)
HEADING: Final = re.compile(r"^### ([A-Z]{3}-\d+) · (MUST|SHOULD|DOES|NOTE) · (.+)$", re.MULTILINE)
END: Final = re.compile(r"^## ", re.MULTILINE)
EDITIONS_ITEM: Final = re.compile(r"^- \*\*Editions:\*\* .*\n", re.MULTILINE)


def pages() -> dict[str, str]:
    """Every chapter's page, and the other texts of the specification."""
    found = {f"spec/{chapter}": page(chapter) for chapter in spec.CHAPTERS}
    for name in OTHERS:
        found[f"spec/{name}"] = with_diagrams(add_links(text_of(name)))
    return found


def text_of(name: str) -> str:
    """A text of the specification, without links to what is no page. That of coverage is short on
    the forge, and here statement by statement.
    """
    text = coverage.render_coverage() if name == "coverage" else spec.chapter_text(name)
    return within(text, ROOT / "spec" / f"{name}.md")


def page(chapter: str) -> str:
    """One chapter."""
    text = text_of(chapter)
    head, *clauses = pieces(text)
    return with_diagrams(add_links(head) + played_by(chapter)) + "".join(clauses)


def pieces(text: str) -> Iterator[str]:
    """The text before the first clause, then each clause with the text that follows it."""
    headings = list(HEADING.finditer(text))
    yield text[: headings[0].start()]
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    for heading, end in zip(headings, ends, strict=True):
        body = text[heading.end() : end]
        stop = END.search(body)
        own, rest = (body, "") if stop is None else (body[: stop.start()], body[stop.start() :])
        yield clause(heading[1], own) + with_diagrams(add_links(rest))


def clause(id_: str, body: str) -> str:
    """A clause: its heading, what it says, and its evidence, folded."""
    entry = spec.find_clause(id_)
    shown = with_diagrams(add_links(EDITIONS_ITEM.sub("", body).strip() + known_defects(id_)))
    editions = ", ".join(sorted(entry.editions)) or "all editions"
    return f"""({anchor(id_)})=
### {id_} · {entry.title}

:::::{{clause}} {entry.title}
:id: {id_}
:level: {entry.level}
:chapter: {entry.chapter}
:editions: {editions}
:checked: {len(find_evidence()[id_].checks)}
:layout: clause

{shown}
:::::

{behind_it(id_)}
"""


def known_defects(id_: str) -> str:
    """The reported defects that break a clause, by what their users call them."""
    own = [row for row in reported() if id_ in row.clause.split()]
    found = (f"{row.title} ({', '.join(map(track_record.linked, row.issues))})" for row in own)
    return f"\n\nReported as {'; '.join(found)}." if own else ""


@cache
def reported() -> list[track_record.Row]:
    """The defects that have an issue."""
    known, later, _ = track_record.tables()
    return [row for row in (*later, *known) if row.issues]


def behind_it(id_: str) -> str:
    """The checks of a clause, and its examples."""
    parts = [details(f"<b>checked by</b> {counts(id_)}", list_evidence(id_), "behind")]
    if found := examples_by_clause().get(id_):
        parts.append(calls(found))
    parts += [case_html(case) for case in cases_by_clause().get(id_, ())]
    return (
        '<div class="folded">\n'
        + "".join(parts).replace('href="play/', 'href="../play/')
        + "</div>\n"
    )


def counts(id_: str) -> str:
    """How much of what checks a clause."""
    found = find_evidence()[id_]
    many = (
        ("judge", found.checks),
        ("theorem", found.theorems),
        ("state graph", found.graphs),
        ("case", found.counterexamples),
        ("mutant", mutants_of(found)),
    )
    counted = [count_noun(len(names), name) for name, names in many if names]
    return html.escape(", ".join(counted) or "nothing: it informs")


def list_evidence(id_: str) -> str:
    """The evidence of a clause, by name."""
    found, mutants = find_evidence()[id_], mutants_of(find_evidence()[id_])
    rows = [
        ("judges", [code(name.partition(" of ")[2]) for name in found.checks]),
        ("theorems", [code(name) for name in found.theorems]),
        ("state graphs", [html.escape(name) for name in found.graphs]),
        ("functions", [code(name) for name in found.functions]),
        ("mutants of these", [code(name) for name in mutants]),
        ("cases", [code(name) for name in found.counterexamples]),
    ]
    items = "".join(
        f"<dt>{name}</dt><dd>{'<br>'.join(values)}</dd>" for name, values in rows if values
    )
    return f"<dl>{items}</dl>"


def mutants_of(found: Evidence) -> list[str]:
    """The handwritten mutants of the functions that state a clause."""
    names = []
    for mutant in MUTANTS:
        if any(f"{source.path}: {source.name}" in found.functions for source in mutant.sources):
            names.append(mutant.name)
    return names
