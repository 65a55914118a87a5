"""Editions: where what is promised and what is released disagree, one named switch each.

A specification has one class of editions: a frozen record of switches, each with a sentence that
says what it decides and a source. A file for each edition says what it is (`line`). Editions
without a parent are the *base editions*: the one that is promised, and the release that is modelled
whole. The others are a parent and the switches that differ from it. No code asks for an edition's
name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from importlib.resources import files
from types import ModuleType
from typing import Any, TypeVar

from evenkeel_engine.frame.line import Change, Line


@dataclass(frozen=True, kw_only=True)
class Edition:
    """A frozen record of switches, named as `--edition` takes it; it changes its `parent`."""

    name: str
    parent: str | None = None


E = TypeVar("E", bound=Edition)


def find_lines(package: ModuleType, kind: type[Edition]) -> dict[str, Line]:
    """What the files of editions say, by the edition's name, parents first."""
    types = {one.name: type(one.metadata["released"]) for one in fields(kind) if one.metadata}
    found = [
        read_line(tomllib.loads(file.read_text("utf-8")), types)
        for file in sorted(files(package).iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    ]
    by_name: dict[str, Line] = {line.name: line for line in found}

    def generation(line: Line) -> int:
        return 0 if line.parent is None else 1 + generation(by_name[line.parent])

    return {line.name: line for line in sorted(found, key=generation)}


def read_line(said: Mapping[str, Any], types: Mapping[str, type]) -> Line:
    """What one file says, with values of the switches' types. Raises `KeyError`, `ValueError`."""
    changes = []
    for change in said.get("changes", ()):
        value = change.get("value", True)
        if isinstance(value, dict):  # TOML has no null: an empty text says that there is none
            value = tuple((key, text or None) for key, text in value.items())
        value = types[change["switch"]](value)
        questions = tuple(change["questions"])
        changes.append(Change(**{**change, "value": value, "questions": questions}))
    return Line(**{**said, "changes": tuple(changes)})


def make_editions(kind: type[E], lines: Mapping[str, Line]) -> dict[str, E]:
    """The editions by name: a base edition's own values, or the parent's but for changes."""
    made: dict[str, E] = {}
    for line in lines.values():
        changes = {change.switch: change.value for change in line.changes}
        if line.parent is None:
            role = "released" if line.release else "promised"
            values = {one.name: one.metadata[role] for one in fields(kind) if one.metadata}
            made[line.name] = kind(name=line.name, **values)
        else:
            parent = made[line.parent]
            made[line.name] = replace(parent, name=line.name, parent=parent.name, **changes)
    return made


def describe_switches(kind: type[Edition]) -> dict[str, tuple[str, str]]:
    """Every switch: its sentence and its source."""
    return {
        one.name: (one.metadata["sentence"], one.metadata["source"])
        for one in fields(kind)
        if one.metadata
    }
