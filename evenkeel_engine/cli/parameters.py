"""The tables of parameters in the chapters, generated from the dataclasses of settings.

    <!-- parameters package.reference.chapter.module:Rules -->
    | symbol | key | unit | default | document |
    <!-- end -->

`spec/parameters.toml` has each key's symbol in the formulas, and the documents that name it.
`python -m evenkeel_engine.cli.parameters` writes the tables; a test holds that they are current.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from evenkeel_engine import content, spec
from evenkeel_engine.cli.coverage import text_of
from evenkeel_engine.files import write_file
from evenkeel_engine.frame.clauses import STATED
from evenkeel_engine.kit.stated import stated_by

FOLDER: Final = Path(str(content.chapters.__file__)).parent
TABLE: Final = re.compile(
    r"(?P<begin><!-- parameters (?P<settings>[\w.]+:\w+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL
)
HEAD: Final = ["| symbol | key | unit | default | document |", "|---|---|---|---|---|"]


class BadParameters(ValueError):
    """A table names unknown settings, or a key without a description."""


@dataclass(frozen=True, slots=True)
class Row:
    """A setting in a table; its name in the code, if it is in a class; what a trial may hold."""

    key: str
    unit: str
    default: Any
    field: str = ""
    bounds: tuple[float, float] | None = None


@cache
def read_descriptions() -> dict[str, dict[str, str]]:
    """By key: its symbol, its documents, and what else the head of the file says."""
    found: dict[str, dict[str, str]] = tomllib.loads(text_of(FOLDER / "parameters.toml"))
    return found


def list_settings(name: str) -> Iterator[Row]:
    """The settings of a dataclass, or of a table of keys."""
    found = pkgutil.resolve_name(name)
    if isinstance(found, tuple):
        yield from (describe_row(Row(key.name, "", key.default)) for key in found)
        return
    for one in fields(found):
        if key := one.metadata.get("key"):
            facts = one.metadata
            row = Row(key, facts.get("unit", ""), one.default, one.name, facts.get("bounds"))
            yield describe_row(row)


def describe_row(row: Row) -> Row:
    """The row with the unit that the descriptions give. Raises `BadParameters`."""
    if row.key not in read_descriptions():
        raise BadParameters(f"parameters.toml has nothing about {row.key}")
    return replace(row, unit=row.unit or read_descriptions()[row.key].get("unit", ""))


def render_table(name: str) -> str:
    """One table. Raises `BadParameters`."""
    lines = list(HEAD)
    for row in list_settings(name):
        about = read_descriptions()[row.key]
        cells = [about.get("symbol", ""), f"`{row.key}`", row.unit, format_value(row.default)]
        cells.append(about.get("document", "–"))
        lines.append(f"| {' | '.join(cells)} |")
    if len(lines) == len(HEAD):
        raise BadParameters(f"{name} has no settings")
    return "\n".join(lines) + "\n"


def format_value(value: Any) -> str:
    """A default as the tables have it."""
    return str(value).lower() if isinstance(value, bool) else f"{value:,}"


@cache
def find_tables() -> dict[str, dict[str, Row]]:
    """By key: its row in each table that has it, by the name of the class or of the table."""
    found: dict[str, dict[str, Row]] = {}
    for chapter in spec.CHAPTERS:
        for table in TABLE.finditer(spec.chapter_text(chapter)):
            for row in list_settings(table["settings"]):
                found.setdefault(row.key, {})[table["settings"]] = row
    return found


@cache
def read_defaults() -> dict[str, dict[str, str | None]]:
    """By key: its defaults by the first edition that has each; None: it is no setting any more."""
    found: dict[str, dict[str, str | None]] = {}
    place = content.facts.SETTINGS
    return pkgutil.resolve_name(place)() if place else found


def list_readers(key: str) -> list[str]:
    """The clauses that a setting decides: whose text names it, or of which a function reads it; of
    a setting that no function reads in a class, whose formula has its symbol, in the chapter of its
    table.
    """
    stated_by()  # imports the whole reference, so that all functions are noted
    entries = spec.read_entries()
    rows = find_tables().get(key, {})
    about = read_descriptions().get(key, {})
    symbol, words = about.get("symbol", ""), about.get("words", "")
    named = re.compile(rf"\b{key}\b{words and f'|{words}'}", re.IGNORECASE)
    sign = re.compile(rf"(?<!\w){re.escape(symbol)}(?!\w)")
    fields_ = {name: row.field for name, row in rows.items() if row.field}
    places = {place for name, field in fields_.items() for place in find_users(name, field)}
    inner = [name for name in rows if symbol and not (places and name in fields_)]
    chapters = {name.removeprefix(content.name("reference.")).partition(".")[0] for name in inner}
    return [
        id_
        for id_, e in entries.items()
        if named.search(f"{e.sentence} {e.formula} {e.source} {e.example} {e.note}")
        or (e.chapter in chapters and sign.search(e.formula))
        or not places.isdisjoint(STATED.get(id_, ()))
    ]


def list_names() -> set[str]:
    """The settings: those in tables, and those of which a default is known."""
    return {*find_tables(), *read_defaults()}


def find_users(name: str, field: str) -> set[str]:
    """The functions that read a field of a class or a property that reads it, or call one of their
    own module that does, where the class is used: each as `module:name`.
    """
    kind, read = name.partition(":")[2], field
    for at, one in vars(pkgutil.resolve_name(name)).items():
        getter = one.fget if isinstance(one, property) else None
        if getter is not None and re.search(rf"\.{field}\b", inspect.getsource(getter)):
            read += f"|{at}"
    users: set[str] = set()
    for module in list(sys.modules.values()):
        if module.__name__.startswith(content.name("reference")) and hasattr(module, kind):
            own = {
                one.__qualname__: inspect.getsource(one)
                for one in vars(module).values()
                if inspect.isfunction(one) and one.__module__ == module.__name__
            }
            words = [rf"\.({read})\b"]
            for _ in own:
                found = [at for at, text in own.items() if re.search("|".join(words), text)]
                words = [words[0], *(rf"(?<!def )\b{at}\(" for at in found)]
            users |= {f"{module.__name__}:{at}" for at in found} if own else set()
    return users


def rewrite_tables(text: str) -> str:
    """A chapter's text with its tables as they must be."""
    return TABLE.sub(lambda m: f"{m['begin']}{render_table(m['settings'])}{m['end']}", text)


def list_chapter_files() -> Iterator[Path]:
    """The chapters' files."""
    return (FOLDER / f"{chapter}.md" for chapter in spec.CHAPTERS)


if __name__ == "__main__":
    for path in list_chapter_files():
        write_file(path, rewrite_tables(path.read_text("utf-8")))
