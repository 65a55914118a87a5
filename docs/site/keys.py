"""The index of settings: each key of broker.conf with its places and its defaults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from docs.site.markdown import add_links, anchor, page_text
from evenkeel.reference.edition import LINES
from evenkeel_engine import spec
from evenkeel_engine.cli import parameters

SECTION: Final = re.compile(r"^## (.+)$", re.MULTILINE)
ROW: Final = re.compile(r"^\|[^|]*\| `(\w+)` \| *(.*?) *\| *(.*?) *\| *(.*?) *\|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place:
    """A row of a table of parameters, and the section that has it; at the top of a chapter none."""

    chapter: str
    section: str
    default: str
    document: str


def page() -> str:
    """The page."""
    keys = sorted(parameters.list_names(), key=str.lower)
    return "\n".join(
        [page_text("keys"), *(f"## {key}\n\n{chr(10).join(facts(key))}\n" for key in keys)]
    )


def facts(key: str) -> Iterator[str]:
    """What there is to say of one key, as a list."""
    for place in places().get(key, ()):
        says = "no document names it" if place.document == "–" else f"documents: {place.document}"
        title = f", {place.section}" if place.section else ""
        yield f"- [{place.chapter}](spec/{place.chapter}.md){title}: {place.default} ({says})"
    for chapter, section in sections_naming(key):
        yield f"- Named in [{chapter}](spec/{chapter}.md){f', {section}' if section else ''}"
    clauses = [f"[{id_}](#{anchor(id_)})" for id_ in parameters.list_readers(key)]
    yield f"- Clauses: {', '.join(clauses)}" if clauses else "- No clause reads it."
    if ends := parameters.read_descriptions().get(key, {}).get("ends"):
        yield add_links(f"- At its ends: {ends}")
    if since := parameters.read_defaults().get(key):
        yield f"- Default by release: {'; '.join(defaults(since))}"


def defaults(since: Mapping[str, str | None]) -> Iterator[str]:
    """Each default with the first release that has it."""
    for edition, value in since.items():
        said = "no setting" if value is None else f"`{value or 'not set'}`"
        yield f"{said} from {LINES[edition].release} (`{edition}`)"


@cache
def places() -> dict[str, list[Place]]:
    """By key: the rows of all tables of parameters."""
    found: dict[str, list[Place]] = {}
    for chapter in spec.CHAPTERS:
        text = spec.chapter_text(chapter)
        for table in parameters.TABLE.finditer(text):
            titles = ["", *SECTION.findall(text, 0, table.start())]
            for key, unit, default, document in ROW.findall(table[0]):
                place = Place(chapter, titles[-1], f"{default} {unit}".strip(), document)
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
