"""The first page, the documents, and the glossary."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from docs.site.chapters import OTHERS
from docs.site.markdown import ROOT, linked, page_text, with_diagrams, within
from docs.site.picture import picture
from evenkeel.report import conformance
from evenkeel_engine import spec
from evenkeel_engine.check.comparison import render_comparison

LEFT_OUT: Final = {"site"}
WORD: Final = re.compile(r"(?<![\w*])\*([a-z][a-z -]{2,30})\*(?![\w*])")
SENTENCE: Final = re.compile(r"(?<=\.) (?=[A-Z*])")
ROW: Final = re.compile(r"^\| ([^|]+?) \| (.+?) \|$", re.MULTILINE)
NEARBY: Final = re.compile(r"\]\((?=#|\w+\.md)(\w+\.md)?")
TABLE: Final = re.compile(r"^\| word \| meaning \|\n\|[-|]+\|\n((?:\|.*\n)+)", re.MULTILINE)

PLAYS: Final = ("shedding", "loop", "ranges", "limits", "segments", "clause")


def pages() -> dict[str, str]:
    """The first page, the glossary, and every document of docs/ as it is."""
    documents = {
        f"docs/{path.relative_to(ROOT / 'docs').with_suffix('')}": document(path, text_of(path))
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if not LEFT_OUT & set(path.relative_to(ROOT / "docs").parts)
    }
    return {**documents, "index": index(list(documents)), "glossary": glossary()}


def text_of(path: Path) -> str:
    """A document's text. That of conformance is short on the forge, and here clause by clause."""
    if path == conformance.DOCS / "conformance.md":
        return render_comparison(conformance.stored(), "../spec")
    return path.read_text("utf-8")


def document(path: Path, text: str) -> str:
    """A document with this text; links to files that are no pages become text."""
    return with_diagrams(linked(within(text, path)))


def index(documents: list[str]) -> str:
    """The first page: what this is, and all other pages."""
    chapters = (f"spec/{chapter}" for chapter in spec.CHAPTERS)
    first = "docs/conformance"
    trees = {
        "Apache Pulsar": (first,),
        "Specification": (f"spec/{OTHERS[0]}", *chapters, *(f"spec/{name}" for name in OTHERS[1:])),
        "In your browser": tuple(f"play/{name}" for name in PLAYS),
        "Across the chapters": ("clauses", "editions", "glossary"),
        "Documents": (name for name in documents if name != first),
    }
    text = page_text("index").replace("{clauses}", str(len(spec.read_entries())))
    text = text.replace("{picture}", picture())
    return "\n".join([text, *(tree(caption, names) for caption, names in trees.items())])


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
        lines += [word, f"  {linked(found[word])}", ""]
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
