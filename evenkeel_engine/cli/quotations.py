"""Quotations of the documents: found in their texts, and recognised by fingerprints."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from evenkeel_engine import content, spec
from evenkeel_engine.cli.coverage import read_rows, text_of
from evenkeel_engine.cli.options import Unusable
from evenkeel_engine.content import PROGRAM
from evenkeel_engine.files import Unreadable, read_text, write_file

STORED: Final = Path(str(content.chapters.__file__)).with_name("quotations.toml")
HEAD: Final = f"""\
# Fingerprints of the quotations that were found in the documents, by document. Written by
# `{PROGRAM} spec quotations FOLDER --write`; a quotation without one fails a test.
"""
ALIKE: Final = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "\u00a0": " "})
MARKUP: Final = re.compile(r"[`*#\\]")


def normalize_text(text: str) -> str:
    """A text without what typesetting does to it: markup, line ends, the shape of quotes."""
    return " ".join(MARKUP.sub("", text.translate(ALIKE)).split())


def compute_fingerprint(quotation: spec.Quotation) -> str:
    """The fingerprint of a quotation."""
    parts = map(normalize_text, (quotation.section, quotation.text))
    return hashlib.sha256("\n".join([quotation.document, *parts]).encode()).hexdigest()[:16]


def list_quotations() -> list[tuple[str, spec.Quotation]]:
    """Every quotation of the specification, with the clause or the page that has it."""
    found = [(entry.id, one) for entry in spec.read_entries().values() for one in entry.quotations]
    return [*found, *(("coverage.toml", row.quotation) for row in read_rows())]


@cache
def read_fingerprints() -> frozenset[str]:
    """The fingerprints of those that were found."""
    known = tomllib.loads(text_of(STORED))
    return frozenset(one for document in known.values() for one in document)


def write(found: Iterable[spec.Quotation], path: Path = STORED) -> None:
    """Keep the fingerprints of these."""
    known = sorted({(one.document, compute_fingerprint(one)) for one in found})
    lines = [HEAD]
    for document in sorted({document for document, _ in known}):
        marks = [f'    "{mark}",' for of, mark in known if of == document]
        lines += [f'"{document}" = [', *marks, "]"]
    write_file(path, "\n".join(lines) + "\n")


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a document, normalised, with the place of each quoted heading."""

    text: str
    headings: dict[str, list[int]]

    def has(self, quotation: spec.Quotation) -> str:
        """Why the words are not found under the heading; empty if they are."""
        section, words = normalize_text(quotation.section), normalize_text(quotation.text)
        if not self.headings.get(section):
            return f"has no line {quotation.section!r}"
        places = [match.start() for match in re.finditer(re.escape(words), self.text)]
        if not places:
            return "does not have these words"
        found = [(at, name) for name, all_ in self.headings.items() for at in all_]
        heads = [max((h for h in found if h[0] <= at), default=(0, "no heading")) for at in places]
        above = {name for _, name in heads}
        if section not in above:
            return f"has these words under {' and '.join(sorted(above))!r}"
        return ""


def read_documents(folder: Path) -> dict[str, Document]:
    """The documents in a folder, by the numbers that begin the names. Raises `Unusable`."""
    if not folder.is_dir():
        raise Unusable(f"{folder}: is no folder.")
    quoted_headings: dict[str, set[str]] = {}
    for _, one in list_quotations():
        quoted_headings.setdefault(one.document, set()).add(normalize_text(one.section))
    found = {}
    for document, headings in sorted(quoted_headings.items()):
        if len(files := sorted(folder.glob(f"{document}*"))) != 1:
            raise Unusable(f"{folder}: must have one file with a name that begins with {document}.")
        found[document] = read_document(files[0], headings)
    return found


def read_document(path: Path, headings: set[str]) -> Document:
    """One document, with the lines that are one of these headings. Raises `Unusable`."""
    try:
        raw = read_text(path)
    except Unreadable as why:
        raise Unusable(f"{path}: {why}.") from why
    lines = [line for line in map(normalize_text, raw.splitlines()) if line]
    places: dict[str, list[int]] = {}
    at = 0
    for line in lines:
        if line in headings:
            places.setdefault(line, []).append(at)
        at += len(line) + 1
    return Document(" ".join(lines), places)
