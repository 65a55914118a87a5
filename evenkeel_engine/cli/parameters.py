"""The tables of parameters in the chapters, generated from the dataclasses of settings.

    <!-- parameters package.reference.chapter.module:Rules -->
    | symbol | key | unit | default | document |
    <!-- end -->

`spec/parameters.toml` has each key's symbol in the formulas, and the documents that name it.
`python -m evenkeel_engine.cli.parameters` writes the tables; a test holds that they are current.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from evenkeel_engine import content, spec
from evenkeel_engine.cli.coverage import text_of
from evenkeel_engine.files import write_file

FOLDER: Final = Path(str(content.chapters.__file__)).parent
TABLE: Final = re.compile(
    r"(?P<begin><!-- parameters (?P<settings>[\w.]+:\w+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL
)
HEAD: Final = ["| symbol | key | unit | default | document |", "|---|---|---|---|---|"]


class BadParameters(ValueError):
    """A table names unknown settings, or a key without a description."""


@cache
def read_descriptions() -> dict[str, dict[str, str]]:
    """By key: its symbol, its documents, and its unit where the code gives none."""
    found: dict[str, dict[str, str]] = tomllib.loads(text_of(FOLDER / "parameters.toml"))
    return found


def list_settings(name: str) -> Iterator[tuple[str, str, Any]]:
    """The keys of a dataclass of settings, or of a table of keys, with units and defaults."""
    module, _, attribute = name.partition(":")
    found = getattr(import_module(module), attribute)
    if isinstance(found, tuple):
        yield from ((key.name, "", key.default) for key in found)
        return
    for one in fields(found):
        if key := one.metadata.get("key"):
            yield key, one.metadata.get("unit", ""), one.default


def render_table(name: str) -> str:
    """One table. Raises `BadParameters`."""
    lines = list(HEAD)
    for key, unit, default in list_settings(name):
        if key not in read_descriptions():
            raise BadParameters(f"parameters.toml has nothing about {key}")
        about = read_descriptions()[key]
        cells = [
            about.get("symbol", ""),
            f"`{key}`",
            unit or about.get("unit", ""),
            str(default).lower() if isinstance(default, bool) else f"{default:,}",
            about.get("document", "–"),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    if len(lines) == len(HEAD):
        raise BadParameters(f"{name} has no settings")
    return "\n".join(lines) + "\n"


def rewrite_tables(text: str) -> str:
    """A chapter's text with its tables as they must be."""
    return TABLE.sub(lambda m: f"{m['begin']}{render_table(m['settings'])}{m['end']}", text)


def list_chapter_files() -> Iterator[Path]:
    """The chapters' files."""
    return (FOLDER / f"{chapter}.md" for chapter in spec.CHAPTERS)


if __name__ == "__main__":
    for path in list_chapter_files():
        write_file(path, rewrite_tables(path.read_text("utf-8")))
