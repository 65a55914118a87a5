"""The specification as data: the numbered clauses of `spec/*.md`.

A clause in a chapter's file is a heading `### ID · LEVEL · Title`, a normative paragraph, and a
list of `- **Name:** text` items. Everything that names a clause does so through `clause`, so
that an id which the specification does not have fails at import.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import Final

CHAPTERS: Final = (
    "bundles",
    "splitting",
    "ownership",
    "load",
    "placement",
    "shedding",
    "balancing",
    "throttling",
)
_HEADING: Final = re.compile(r"^### ([A-Z]{3}-\d+) · (MUST|SHOULD|NOTE) · (.+)$", re.MULTILINE)
_ITEM: Final = re.compile(r"^- \*\*(\w+):\*\* ", re.MULTILINE)
_ITEMS: Final = ("Formula", "Editions", "Source", "Example")


class UnknownClause(LookupError):
    """No chapter of the specification has a clause with this id."""


class BadSpecification(ValueError):
    """A clause in a chapter's file lacks something or is written twice."""


class Level(StrEnum):
    """How binding a clause is. A NOTE informs and needs no check."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    NOTE = "NOTE"


@dataclass(frozen=True, slots=True)
class Entry:
    """One numbered clause as the specification words it.

    `editions` names the editions to which it belongs; empty means all of them.
    """

    id: str
    chapter: str
    level: Level
    title: str
    sentence: str
    formula: str
    editions: frozenset[str]
    source: str
    example: str

    def holds_in(self, edition: str) -> bool:
        """Whether the clause belongs to the edition with this name."""
        return not self.editions or edition in self.editions


@cache
def entries() -> dict[str, Entry]:
    """All clauses by id, in the order of the chapters."""
    found: dict[str, Entry] = {}
    for chapter in CHAPTERS:
        for entry in parse_chapter(chapter, chapter_text(chapter)):
            if entry.id in found:
                raise BadSpecification(f"spec/{chapter}.md: {entry.id} is written twice")
            found[entry.id] = entry
    return found


def clause(id_: str) -> Entry:
    """The clause with this id. Raises `UnknownClause`."""
    try:
        return entries()[id_]
    except KeyError:
        raise UnknownClause(f"the specification has no clause {id_}") from None


def chapter_text(chapter: str) -> str:
    """The text of `spec/<chapter>.md`."""
    return files(__name__).joinpath(f"{chapter}.md").read_text("utf-8")


def parse_chapter(chapter: str, text: str) -> Iterator[Entry]:
    """The clauses of one chapter's text. Raises `BadSpecification` with the clause's id."""
    headings = list(_HEADING.finditer(text))
    for heading, following in zip_longest(headings, headings[1:]):
        body = text[heading.end() : following.start() if following else len(text)]
        body = re.split(r"^## ", body, maxsplit=1, flags=re.MULTILINE)[0]
        yield parse_entry(chapter, heading, body)


def parse_entry(chapter: str, heading: re.Match[str], body: str) -> Entry:
    """One clause from its heading and the text below it."""
    sentence, *pieces = _ITEM.split(body)
    items = {
        name: " ".join(text.split()) for name, text in zip(pieces[::2], pieces[1::2], strict=True)
    }
    if tuple(items) != _ITEMS:
        raise BadSpecification(
            f"spec/{chapter}.md: {heading[1]} must have the items {', '.join(_ITEMS)}, "
            f"not {', '.join(items) or 'none'}"
        )
    editions = items["Editions"].rstrip(".")
    return Entry(
        id=heading[1],
        chapter=chapter,
        level=Level(heading[2]),
        title=heading[3].strip(),
        sentence=" ".join(sentence.split()),
        formula=items["Formula"],
        editions=frozenset() if editions == "all" else frozenset(editions.split(", ")),
        source=items["Source"],
        example=items["Example"],
    )
