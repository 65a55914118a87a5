"""The statements of the documents, sentence by sentence, with their clauses.

`spec/coverage.toml` is the list, maintained by hand. `evenkeel spec coverage --write` counts it in
`spec/coverage.md`; the site has all statements.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from evenkeel_engine import content, spec
from evenkeel_engine.content import PROGRAM

LIST: Final = Path(str(content.chapters.__file__)).with_name("coverage.toml")
PAGE: Final = Path(str(content.chapters.__file__)).with_name("coverage.md")
TITLES: Final[dict[str, str]] = content.chapters.DOCUMENTS
HEAD: Final = f"""\
# Statements of the documents, and their clauses

Every statement of the documents that demands something of a subject, in its own words, with
the clauses that demand it; or why there is none. `{PROGRAM} spec quotations FOLDER` looks whether
every quotation is in the documents.
"""
WHOLE: Final = f"""\
All of them: `{PROGRAM} spec coverage --full`, the page of the same name on the site (`make site`),
or the list itself, [coverage.toml](coverage.toml). This page is made of it by
`{PROGRAM} spec coverage --write`; a test holds that it is current.
"""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a document. `clauses` demand it; without any, `why` is the reason."""

    quotation: spec.Quotation
    clauses: tuple[str, ...]
    why: str


class BadCoverage(ValueError):
    """A row of the list is empty, or names something unknown."""


def text_of(path: Path) -> str:
    """What a file of the specification holds; nothing if there is no such file."""
    return path.read_text("utf-8") if path.exists() else ""


@cache
def read_rows() -> tuple[Statement, ...]:
    """The list; a specification may have none. Raises `BadCoverage`."""
    return tuple(read(tomllib.loads(text_of(LIST))))


def read(data: Mapping[str, Sequence[Mapping[str, str]]]) -> Iterator[Statement]:
    """The rows of a list: tables by document, each row a section, words, clauses or a reason."""
    for document, found in data.items():
        section = ""
        for one in found:
            section = one.get("section", section)
            words, why = one["words"], one.get("why", "")
            clauses = tuple(one.get("clauses", "").split())
            if not section or not words or not (clauses or why):
                raise BadCoverage(f"coverage.toml, {document}: {words!r} has no clause, no reason")
            for clause in clauses:
                spec.find_clause(clause)
            yield Statement(spec.Quotation(document, section, words), clauses, why)


def count_statements() -> list[tuple[str, int, int]]:
    """Of each document: its number, its statements with a clause, and those without."""
    found = Counter((row.quotation.document, bool(row.clauses)) for row in read_rows())
    return [(name, found[name, True], found[name, False]) for name in TITLES]


def render_head() -> list[str]:
    """What is counted, and the sums."""
    counted = Counter(bool(row.clauses) for row in read_rows())
    total, some, none = counted.total(), counted[True], counted[False]
    return [HEAD, f"{total} statements: {some} with a clause, {none} without.\n"]


def short_page() -> str:
    """The counts by document, for the forge."""
    lines = [*render_head(), "| document | with a clause | without |", "|---|---|---|"]
    lines += [f"| {TITLES[name]} | {some} | {none} |" for name, some, none in count_statements()]
    return "\n".join([*lines, "", WHOLE])


def render_coverage() -> str:
    """Every statement. Links lead to the chapters' clauses."""
    lines = render_head()
    for document, title in TITLES.items():
        lines += [f"## {title}\n", "| section | statement | clauses |", "|---|---|---|"]
        last = ""
        for row in read_rows():
            if row.quotation.document != document:
                continue
            section = row.quotation.section if row.quotation.section != last else ""
            last = row.quotation.section
            words = row.quotation.text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
            lines.append(f"| {section} | {words} | {coverage_of(row)} |")
        lines.append("")
    return "\n".join(lines)


def coverage_of(row: Statement) -> str:
    """The clauses of a row, with links, and its remark."""
    links = ", ".join(f"[{id_}]({spec.find_clause(id_).chapter}.md)" for id_ in row.clauses)
    if not links:
        return f"none: {row.why}"
    return f"{links}; {row.why}" if row.why else links
