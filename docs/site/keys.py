"""The index of settings: each key of broker.conf with its places and its defaults."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from docs.site.markdown import anchor, page_text
from evenkeel.operate.conf import shipped
from evenkeel.reference.edition import LINES
from evenkeel_engine import spec
from evenkeel_engine.cli import parameters

SECTION: Final = re.compile(r"^## (.+)$", re.MULTILINE)
ROW: Final = re.compile(
    r"^\| *(.*?) *\| `(\w+)` \| *(.*?) *\| *(.*?) *\| *(.*?) *\|$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Place:
    """A row of a table of parameters, and the section that has the table; at the top of a chapter
    none.
    """

    chapter: str
    section: str
    symbol: str
    default: str
    document: str


def page() -> str:
    """The page."""
    named = {key for key in shipped.read_since_table() if sections_naming(key)}
    keys = sorted(places().keys() | named, key=str.lower)
    return "\n".join(
        [page_text("keys"), *(f"## {key}\n\n{chr(10).join(facts(key))}\n" for key in keys)]
    )


def facts(key: str) -> Iterator[str]:
    """What there is to say of one key, as a list."""
    clauses = dict.fromkeys(clauses_naming(key))
    for place in places().get(key, ()):
        says = "no document names it" if place.document == "–" else f"documents: {place.document}"
        title = f", {place.section}" if place.section else ""
        yield f"- [{place.chapter}](spec/{place.chapter}.md){title}: {place.default} ({says})"
        clauses |= dict.fromkeys(clauses_with_symbol(place))
    for chapter, section in sections_naming(key):
        yield f"- Named in [{chapter}](spec/{chapter}.md){f', {section}' if section else ''}"
    if clauses:
        yield f"- Clauses: {', '.join(f'[{id_}](#{anchor(id_)})' for id_ in clauses)}"
    if since := shipped.read_since_table().get(key):
        yield f"- Default by release: {'; '.join(defaults(since))}"


def defaults(since: shipped.Since) -> Iterator[str]:
    """Each default with the first release that has it."""
    editions = {line.release: line.name for line in LINES.values()}
    for release, value in since.items():
        said = "no setting" if value is False else f"`{value or 'empty'}`"
        yield f"{said} from {release} (`{editions[release]}`)"


@cache
def places() -> dict[str, list[Place]]:
    """By key: the rows of all tables of parameters."""
    found: dict[str, list[Place]] = {}
    for chapter in spec.CHAPTERS:
        text = spec.chapter_text(chapter)
        for table in parameters.TABLE.finditer(text):
            titles = ["", *SECTION.findall(text, 0, table.start())]
            for symbol, key, unit, default, document in ROW.findall(table[0]):
                place = Place(chapter, titles[-1], symbol, f"{default} {unit}".strip(), document)
                found.setdefault(key, []).append(place)
    return found


def sections_naming(key: str) -> list[tuple[str, str]]:
    """The sections, with their chapters, whose text has a key and no table with it."""
    tables = {(place.chapter, place.section) for place in places().get(key, ())}
    return [
        (chapter, title)
        for chapter in spec.CHAPTERS
        for title, text in sections(chapter)
        if (chapter, title) not in tables and re.search(rf"\b{key}\b", text)
    ]


@cache
def sections(chapter: str) -> list[tuple[str, str]]:
    """The sections of a chapter with their titles; what is before the first has none."""
    head, *rest = SECTION.split(spec.chapter_text(chapter))
    return [("", head), *zip(rest[::2], rest[1::2], strict=True)]


def clauses_naming(key: str) -> list[str]:
    """The clauses whose text has a key."""
    entries = spec.read_entries().values()
    return [
        entry.id
        for entry in entries
        if re.search(rf"\b{key}\b", f"{entry.sentence} {entry.formula} {entry.source} {entry.note}")
    ]


def clauses_with_symbol(place: Place) -> Iterator[str]:
    """The clauses of a table's section whose formula has the symbol of a row."""
    symbol = place.symbol.partition(" ")[0]
    if not symbol:
        return
    text = dict(sections(place.chapter)).get(place.section) if place.section else None
    text = text or spec.chapter_text(place.chapter)
    for entry in spec.read_entries().values():
        if f"\n### {entry.id} " in text and re.search(rf"(?<!\w){symbol}(?!\w)", entry.formula):
            yield entry.id
