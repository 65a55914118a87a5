"""The specification as data: the numbered clauses of `spec/*.md`.

A clause in a chapter's file is a heading `### ID · LEVEL · Title`, a normative paragraph, and a
list of `- **Name:** text` items. Its basis says whether the documents demand it, in words or by a
purpose, or whether it is practice where they are silent. Everything that names a clause does so
through `find_clause`, so that an id which the specification does not have fails at import.
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

from evenkeel_engine import content
from evenkeel_engine.content import EFFECTS
from evenkeel_engine.errors import UserError

CHAPTERS: Final[tuple[str, ...]] = content.chapters.CHAPTERS
_HEADING: Final = re.compile(r"^### ([A-Z]{3}-\d+) · (MUST|SHOULD|DOES|NOTE) · (.+)$", re.MULTILINE)
_NEARLY: Final = re.compile(r"^### .*·.*$", re.MULTILINE)
_ITEM: Final = re.compile(r"^- \*\*(\w+):\*\* ", re.MULTILINE)
_ITEMS: Final = ("Formula", "Editions", "Basis", "Example")
_EFFECT: Final = "Effect"
"""The item before these, of a SHOULD whose breach is graver than most."""
_BASIS: Final = re.compile(r"(documents|purpose|promise|practice): (.+)", re.DOTALL)
_QUOTED: Final = re.compile(
    rf'({"|".join(map(re.escape, content.chapters.DOCUMENTS))}), "([^"]+)": ("[^"]+"(?:, "[^"]+")*)'
)


class UnknownClause(UserError, LookupError):
    """No chapter of the specification has a clause with this id."""


class BadSpecification(UserError, ValueError):
    """A clause in a chapter's file lacks something, names an unknown edition, or is there twice."""


class Level(StrEnum):
    """How binding a clause is. A NOTE informs and needs no check.

    MUST: the documents demand it, or the subject promises it. SHOULD: they are silent, and the
    released code does so; a breach is a departure. DOES: what a release does, right or wrong.
    """

    MUST = "MUST"
    SHOULD = "SHOULD"
    DOES = "DOES"
    NOTE = "NOTE"


class Basis(StrEnum):
    """What a clause rests on: words of the documents, the purpose of a feature that they name, what
    a subject promises itself, or what the released code does or is meant to do.
    """

    DOCUMENTS = "documents"
    PURPOSE = "purpose"
    PROMISE = "promise"
    PRACTICE = "practice"


RESTS_ON: Final = {
    Basis.DOCUMENTS: "the documents",
    Basis.PURPOSE: "the purpose of a documented feature",
    Basis.PROMISE: "its own promise",
    Basis.PRACTICE: "practice",
}
"""How reports say it."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of a document, with their heading."""

    document: str
    section: str
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One numbered clause as the specification words it.

    `editions` names the editions to which it belongs; empty means all of them. `note` is what
    is below it, a table or what is left open. `effect` is what its breach does, if that is grave.
    """

    id: str
    chapter: str
    level: Level
    title: str
    sentence: str
    formula: str
    editions: frozenset[str]
    basis: Basis
    source: str
    example: str
    note: str = ""
    effect: str | None = None

    @property
    def quotations(self) -> tuple[Quotation, ...]:
        """The words of the documents on which it rests."""
        return quotations_in(self.source)

    def level_in(self, edition: str) -> Level:
        """The level of the clause in the edition with this name."""
        promised = edition == content.PROMISED.name or self.basis is Basis.PROMISE
        return self.level if self.level is Level.NOTE or promised else Level.DOES

    def holds_in(self, *lineage: str) -> bool:
        """Whether the clause belongs to an edition: its name, or its parents', is listed."""
        return not self.editions or not self.editions.isdisjoint(lineage)


@cache
def read_entries() -> dict[str, Entry]:
    """All clauses by id, in the order of the chapters and of their numbers."""
    found: dict[str, Entry] = {}
    for chapter in CHAPTERS:
        parsed = parse_chapter(chapter, chapter_text(chapter))
        for entry in sorted(parsed, key=lambda one: int(one.id[4:])):
            if entry.id in found:
                raise BadSpecification(f"spec/{chapter}.md: {entry.id} is written twice")
            found[entry.id] = entry
    return found


def find_clause(id_: str) -> Entry:
    """The clause with this id. Raises `UnknownClause`."""
    try:
        return read_entries()[id_]
    except KeyError:
        raise UnknownClause(f"the specification has no clause {id_}") from None


def signature_order(signature: str) -> tuple[str, int, str]:
    """The place of a clause's id, or of a signature that begins with it, by prefix and number."""
    prefix, _, rest = signature.partition("-")
    return prefix, int(rest.partition(":")[0]), signature


def chapter_text(chapter: str) -> str:
    """The text of `spec/<chapter>.md`."""
    return files(content.chapters).joinpath(f"{chapter}.md").read_text("utf-8")


def parse_chapter(chapter: str, text: str) -> Iterator[Entry]:
    """The clauses of one chapter's text. Raises `BadSpecification` with the clause's id."""
    for line in _NEARLY.findall(text):
        if not _HEADING.fullmatch(line):
            raise BadSpecification(
                f"spec/{chapter}.md: a clause begins with `### ABC-1 · LEVEL · Title`, three "
                f"capitals and one of {', '.join(Level)}; not with `{line}`"
            )
    headings = list(_HEADING.finditer(text))
    for heading, following in zip_longest(headings, headings[1:]):
        body = text[heading.end() : following.start() if following else len(text)]
        body = re.split(r"^##+ ", body, maxsplit=1, flags=re.MULTILINE)[0]
        yield parse_entry(chapter, heading, body)


def quotations_in(text: str) -> tuple[Quotation, ...]:
    """The quotations in a text: `002, "Section": "words", "more words"`."""
    return tuple(
        Quotation(found[1], found[2], words)
        for found in _QUOTED.finditer(text)
        for words in re.findall(r'"([^"]+)"', found[3])
    )


def join_prose(text: str) -> str:
    """Lines of prose as one line; the points of a list keep a line of their own."""
    found = ""
    for line in text.split("\n"):
        point = line.startswith("- ")
        after_list = not line.strip() and found.rpartition("\n")[2].startswith("- ")
        found += "\n" if (point and found) or after_list else " "
        found += line.strip()
    return "\n".join(" ".join(line.split()) for line in found.split("\n") if line.strip())


def parse_entry(chapter: str, heading: re.Match[str], body: str) -> Entry:
    """One clause from its heading and the text below it."""
    sentence, *pieces = _ITEM.split(body)
    if pieces:
        pieces[-1], _, note = pieces[-1].partition("\n\n")
    else:
        note = ""
    items = {
        name: " ".join(text.split()) for name, text in zip(pieces[::2], pieces[1::2], strict=True)
    }
    effect = items.pop(_EFFECT, None)
    if tuple(items) != _ITEMS:
        raise BadSpecification(
            f"spec/{chapter}.md: {heading[1]} must have the items {', '.join(_ITEMS)}, "
            f"not {', '.join(items) or 'none'}"
        )
    basis, source = read_basis(chapter, heading[1], items["Basis"])
    if effect is not None and (heading[2] != Level.SHOULD or effect not in EFFECTS):
        raise BadSpecification(
            f"spec/{chapter}.md: the effect of {heading[1]} must be {' or '.join(EFFECTS)}, and "
            "belongs to a SHOULD"
        )
    return Entry(
        id=heading[1],
        chapter=chapter,
        level=Level(heading[2]),
        title=heading[3].strip(),
        sentence=join_prose(sentence),
        formula=items["Formula"],
        editions=read_editions(chapter, heading[1], items["Editions"].rstrip(".")),
        basis=basis,
        source=source,
        example=items["Example"],
        note=note.strip(),
        effect=effect,
    )


def read_basis(chapter: str, id_: str, text: str) -> tuple[Basis, str]:
    """What a clause rests on, and where that is written."""
    if (found := _BASIS.fullmatch(text)) is None:
        raise BadSpecification(
            f"spec/{chapter}.md: the basis of {id_} must begin with `documents: `, "
            "`purpose: `, `promise: ` or `practice: `"
        )
    if found[1] in {Basis.DOCUMENTS, Basis.PURPOSE} and not quotations_in(found[2]):
        raise BadSpecification(
            f"spec/{chapter}.md: the basis of {id_} must quote one of "
            f'{", ".join(content.chapters.DOCUMENTS)}: `NAME, "Section": "words"`'
        )
    return Basis(found[1]), found[2]


def read_editions(chapter: str, id_: str, text: str) -> frozenset[str]:
    """The editions that a clause names; none if it belongs to all."""
    editions = frozenset() if text == "all" else frozenset(text.split(", "))
    if unknown := sorted(editions - content.EDITIONS.keys()):
        raise BadSpecification(
            f"spec/{chapter}.md: {id_} names {', '.join(unknown)}; "
            f"the editions are {', '.join(content.EDITIONS)}"
        )
    return editions
