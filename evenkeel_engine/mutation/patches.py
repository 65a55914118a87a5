"""Mutants written by hand: `properties/<chapter>/mutants.toml`, one entry a mutant.

An entry names a function of the reference and what is different in it, in one of three forms:

- `old` and `new`: whole consecutive lines of the function, found exactly once whatever their
  indentation, and what replaces them;
- `switch`: the function as it is in an edition with these switches (it has a name `edition`);
- `body`: what replaces everything below the function's signature.

`imports` are statements that the new lines need. Further places of the same mutant are tables
`[[mutant.change]]`, with the same keys.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any, Final

from evenkeel_engine import content
from evenkeel_engine.content import EDITIONS, PROMISED
from evenkeel_engine.errors import UserError
from evenkeel_engine.mutation.chapter_files import table_of
from evenkeel_engine.mutation.code_swap import function_of
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.shapes import is_docstring
from evenkeel_engine.mutation.sites import FunctionSource, compile_function, functions_of

FILE: Final = "mutants.toml"


class WrongPatch(UserError, ValueError):
    """A patch that does not fit the function that it names: one sentence."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What is different in one function, named `module:qualified name` below the reference."""

    function: str
    old: str = ""
    new: str = ""
    body: str = ""
    switch: tuple[tuple[str, Any], ...] = ()
    imports: tuple[str, ...] = ()

    @property
    def source(self) -> FunctionSource:
        """The function. Raises `WrongPatch`."""
        module, _, name = self.function.partition(":")
        for source in functions_of(import_module(content.name(f"reference.{module}"))):
            if source.name == name:
                return source
        raise WrongPatch(f"The reference has no function {self.function}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch(Mutant):
    """A mutant written by hand."""

    changes: tuple[Edit, ...]

    @property
    def sources(self) -> tuple[FunctionSource, ...]:
        """The functions that are changed."""
        return tuple(dict.fromkeys(change.source for change in self.changes))

    @property
    def codes(self) -> Mapping[FunctionType, CodeType]:
        """The code that each of them has instead. Raises `WrongPatch`."""
        return compile_patched(self.changes)


def patches_of(chapter: str) -> list[Patch]:
    """The mutants in a chapter's file."""
    return [patch_of(chapter, entry) for entry in table_of(chapter, FILE).get("mutant", ())]


def patch_of(chapter: str, entry: Mapping[str, Any]) -> Patch:
    """The mutant that an entry describes. Raises `TypeError` where it has an unknown key."""
    rest = dict(entry)
    about = {key: rest.pop(key) for key in ("name", "description")}
    about |= {key: rest.pop(key) for key in ("defect", "conforming") if key in rest}
    edition = EDITIONS[rest.pop("edition", PROMISED.name)]
    tables = rest.pop("change", [])
    changes = tuple(map(change_of, [rest, *tables] if rest else tables))
    return Patch(**about, chapter=chapter, edition=edition, changes=changes)


def change_of(table: Mapping[str, Any]) -> Edit:
    """The change that a table describes. Raises `TypeError` where it has an unknown key."""
    switch, imports = table.get("switch", {}).items(), table.get("imports", ())
    return Edit(**{**table, "switch": tuple(switch), "imports": tuple(imports)})


@cache
def compile_patched(changes: Sequence[Edit]) -> Mapping[FunctionType, CodeType]:
    """The code of each function after the changes. Raises `WrongPatch`."""
    by_function: dict[FunctionSource, list[Edit]] = {}
    for change in changes:
        by_function.setdefault(change.source, []).append(change)
    return {
        function_of(source): compile_function(source, patch_function(source, own))
        for source, own in by_function.items()
    }


def patch_function(source: FunctionSource, changes: Sequence[Edit]) -> ast.FunctionDef:
    """A function after its changes, without docstring. Raises `WrongPatch`."""
    signature, body = _split_function(source)
    for change in changes:
        if change.body:
            body = textwrap.dedent(change.body)
        if change.old:
            body = _replace_lines(change, body.splitlines())
    first = [line for change in changes for line in _first_lines(change)]
    text = textwrap.indent("\n".join((*first, body)), "    ")
    [node] = ast.parse(f"{signature}\n{text}").body
    assert isinstance(node, ast.FunctionDef)
    return node


def _first_lines(change: Edit) -> list[str]:
    """What comes before everything else: imports, and the edition with other switches."""
    if not change.switch:
        return list(change.imports)
    switches = ", ".join(f"{name}={_format_value(name, value)}" for name, value in change.switch)
    switched = f"edition = dataclasses.replace(edition, {switches})"
    return [*change.imports, "import dataclasses", switched]


def _format_value(switch: str, value: Any) -> str:
    """A switch's value as source."""
    return f"type(edition.{switch})({value.value!r})" if isinstance(value, Enum) else repr(value)


def _split_function(source: FunctionSource) -> tuple[str, str]:
    """The text of a function: its signature, and what is below without docstring."""
    lines = inspect.getsource(sys.modules[source.module]).splitlines()
    node, docstring = source.node, source.node.body[0]
    below = docstring.lineno - 1
    start = docstring.end_lineno if is_docstring(docstring) else below
    signature = textwrap.dedent("\n".join(lines[node.lineno - 1 : below]))
    return signature, textwrap.dedent("\n".join(lines[start : node.end_lineno]))


def _replace_lines(change: Edit, lines: list[str]) -> str:
    """The lines of a function's body with the old ones replaced. Raises `WrongPatch`."""
    old = textwrap.dedent(change.old).strip("\n").splitlines()
    ends = range(len(old), len(lines) + 1)
    pieces = {end: "\n".join(lines[end - len(old) : end]) for end in ends}
    found = [end for end in ends if textwrap.dedent(pieces[end]).splitlines() == old]
    if len(found) != 1:
        raise WrongPatch(
            f"mutants.toml: {change.function} has these whole lines {len(found)} times, not once: "
            f"{change.old.strip()}"
        )
    start, end = found[0] - len(old), found[0]
    indentation = min(len(line) - len(line.lstrip()) for line in lines[start:end] if line)
    new = textwrap.indent(textwrap.dedent(change.new).strip("\n"), " " * indentation)
    return "\n".join((*lines[:start], new, *lines[end:]))
