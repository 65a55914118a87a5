"""What the files `properties/<chapter>/*.toml` say of mutants, by the name of the file.

A file says it of the code of its chapter; one in `properties/` itself, of what is in no chapter.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from evenkeel_engine import content, spec


def path_of(chapter: str, file: str) -> Path:
    """Where a chapter's file is; that of no chapter, if it is empty."""
    return Path(str(files(content.name("properties")))) / chapter / file


@cache
def table_of(chapter: str, file: str) -> Mapping[str, Any]:
    """What a chapter's file says; nothing if it has none. Raises `tomllib.TOMLDecodeError`."""
    path = path_of(chapter, file)
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def read_tables(file: str) -> Iterator[Mapping[str, Any]]:
    """What each of the files of this name says, in the order of chapters."""
    return (table_of(chapter, file) for chapter in (*spec.CHAPTERS, ""))
