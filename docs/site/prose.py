"""The first page, the documents, and the glossary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from docs.site import findings
from docs.site.chapters import OTHERS
from docs.site.interactive import pictures
from docs.site.markdown import ROOT, add_links, page_text, with_diagrams, within
from docs.site.picture import picture
from evenkeel.report import conformance
from evenkeel_engine import spec

LEFT_OUT: Final = {"site"}
WORD: Final = re.compile(r"(?<![\w*])\*([a-z][a-z -]{2,30})\*(?![\w*])")
SENTENCE: Final = re.compile(r"(?<=\.) (?=[A-Z*])")
ROW: Final = re.compile(r"^\| ([^|]+?) \| (.+?) \|$", re.MULTILINE)
NEARBY: Final = re.compile(r"\]\((?=#|\w+\.md)(\w+\.md)?")
SETTINGS: Final = re.compile(r"^- Settings: .*$", re.MULTILINE)
CODE: Final = re.compile(r"`(\w+)`")
TABLE: Final = re.compile(r"^\| word \| meaning \|\n\|[-|]+\|\n((?:\|.*\n)+)", re.MULTILINE)

WRITTEN_UP: Final = "docs/upstream/"
UPSTREAM: Final = "docs/upstream/README"
FIRST: Final = {
    "found": (
        "docs/conformance",
        UPSTREAM,
        "docs/track-record",
        "docs/agreement",
        "docs/new-defaults",
    ),
    "how": ("docs/how-to/check-your-own-strategy", "docs/how-to/my-cluster", "docs/tutorial"),
}
"""Documents that stand first in a part of the side bar."""
ADAPTERS: Final = ("docs/how-to/write-an-adapter",)
PLAYS: Final = ("shedding", "loop", "ranges", "limits", "segments", "clause")


def pages() -> dict[str, str]:
    """The first page, the glossary, and every document of docs/ as it is."""
    documents = {
        f"docs/{path.relative_to(ROOT / 'docs').with_suffix('')}": make_page(path, text_of(path))
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if not LEFT_OUT & set(path.relative_to(ROOT / "docs").parts)
    }
    shown = [name for name in documents if not name.startswith(WRITTEN_UP) or name == UPSTREAM]
    below = [f"/{name}" for name in documents if name not in shown]
    documents[UPSTREAM] += "\n" + tree("Written up", below)
    return {**documents, "index": index(shown), "glossary": glossary()}


def text_of(path: Path) -> str:
    """A document's text, with pictures and contents where it has comments that ask for them. That
    of conformance is short on the forge, and here clause by clause.
    """
    if path == conformance.DOCS / "conformance.md":
        return conformance.whole_page(
            conformance.newest_first(conformance.stored()), "../spec", conformance.LOST
        )
    text = path.read_text("utf-8")
    for name, drawing in pictures().items():
        text = text.replace(f"<!-- picture of {name} -->", f"```{{raw}} html\n{drawing}\n```")
    titles = re.findall(r"^## (.+)$", text, re.MULTILINE)
    ways = (f"- [{t}](#{re.sub(r'[^a-z0-9_ -]', '', t.lower()).replace(' ', '-')})" for t in titles)
    return text.replace("<!-- contents -->", "\n".join(ways))


def make_page(path: Path, text: str) -> str:
    """A document with this text; links to files that are no pages become text."""
    linked = SETTINGS.sub(lambda line: CODE.sub(to_key, line[0]), within(text, path))
    return with_diagrams(add_links(linked))


def to_key(found: re.Match[str]) -> str:
    """A setting, linked to where the index of settings has it."""
    return f"[{found[0]}](/keys.md#{found[1].lower()})"


def index(documents: list[str]) -> str:
    """The first page: what this is, what it found, and all other pages."""
    made = {
        "clauses": str(len(spec.read_entries())),
        "chapters": str(len(spec.CHAPTERS)),
        "picture": picture(),
        "numbers": findings.numbers(),
        "gravest": findings.gravest(),
        "unreported": str(findings.how_many()),
        "symptoms": str((ROOT / "docs/how-to/my-cluster.md").read_text("utf-8").count("\n## ")),
        "first_check": first_check(),
        **{f"picture of {name}": drawing for name, drawing in pictures().items()},
    }
    text = page_text("index")
    for name, value in made.items():
        text = text.replace(f"{{{name}}}", value)
    return "\n".join([text, *(tree(caption, names) for caption, names in trees(documents).items())])


def first_check() -> str:
    """How README says it: one text, so that both pages say the same."""
    readme = ROOT / "README.md"
    section = readme.read_text("utf-8").partition("\n## A first check\n")[2].partition("\n## ")[0]
    return within(section.strip(), readme)


def trees(documents: list[str]) -> dict[str, Sequence[str]]:
    """The side bar: what is for the fewest stands last."""
    named = {name for names in (*FIRST.values(), ADAPTERS) for name in names}
    others = [name for name in documents if name not in named]
    ways = [name for name in others if name.startswith("docs/how-to/")]
    pages = [f"spec/{name}" for name in OTHERS]
    wire = [name for name in pages if name.startswith("spec/wire")]
    notation, *texts = (name for name in pages if name not in wire)
    return {
        "What was found": FIRST["found"],
        "How to": [*FIRST["how"], *ways],
        "In your browser": [f"play/{name}" for name in PLAYS],
        "Specification": [notation, *(f"spec/{chapter}" for chapter in spec.CHAPTERS), *texts],
        "Across the chapters": ["clauses", "keys", "editions", "glossary"],
        "Documents": [name for name in others if name not in ways],
        "For authors of adapters": [*ADAPTERS, *wire],
    }


def tree(caption: str, names: Iterable[str]) -> str:
    """A part of the navigation."""
    listed = "\n".join(names)
    return f"```{{toctree}}\n:caption: {caption}\n:maxdepth: 1\n:hidden:\n\n{listed}\n```\n"


def glossary() -> str:
    """The words of the chapters' tables, and those that they introduce in italics."""
    found: dict[str, str] = {}
    for chapter in ("notation", *spec.CHAPTERS):
        text = from_root(spec.chapter_text(chapter), chapter)
        where = f"([{chapter}](spec/{chapter}.md))"
        for table in TABLE.findall(text):
            for word, meaning in ROW.findall(table):
                found.setdefault(word.replace("*", ""), f"{meaning} {where}")
        for sentence in sentences(text):
            for word in WORD.findall(sentence):
                found.setdefault(word, f"{sentence} {where}")
    lines = ["# Glossary\n", "```{glossary}"]
    for word in sorted(found):
        lines += [word, f"  {add_links(found[word])}", ""]
    return "\n".join([*lines, "```", ""])


def from_root(text: str, chapter: str) -> str:
    """A chapter's text, its links to places and pages next to it as they lead from the root."""
    return NEARBY.sub(lambda found: f"](spec/{found[1] or f'{chapter}.md'}", text)


def sentences(text: str) -> list[str]:
    """The sentences of a chapter outside its clauses."""
    outside = re.split(r"^### .*?(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    parts = "\n\n".join(outside).split("\n\n")
    paragraphs = (" ".join(part.split()) for part in parts)
    prose = (paragraph for paragraph in paragraphs if not paragraph.startswith(("#", "|")))
    return [sentence for one in prose for sentence in SENTENCE.split(one)]
