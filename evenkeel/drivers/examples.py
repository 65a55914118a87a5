"""Worked examples: a call of a function of the reference, and the answer that is written down.

An argument is in the JSON form of the type that the function says it takes; the answer in that of
what it returns. Where it is refused, `refused` names the refusal.
"""

from __future__ import annotations

import tomllib
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any, Final

from evenkeel import spec
from evenkeel.properties import examples
from evenkeel.properties.codec import Json, from_json, to_json
from evenkeel.reference.edition import EDITIONS, Edition

_MANY: Final = (Sequence, Iterable, Iterator)


@dataclass(frozen=True, slots=True)
class Example:
    """A call of `function` (`module:name` within the reference), its clause, and whence the answer
    is known (`source`). Raises `spec.UnknownClause` if the specification has no such clause.
    """

    clause: str
    source: str
    function: str
    arguments: tuple[Json, ...]
    answer: Json = None
    refused: str = ""

    def __post_init__(self) -> None:
        spec.clause(self.clause)

    @property
    def name(self) -> str:
        """The call, for a reader."""
        return f"{self.function.rpartition(':')[2]}({', '.join(map(str, self.arguments))})"

    def called(self) -> Callable[..., Any]:
        """The function."""
        module, _, name = self.function.partition(":")
        found: Callable[..., Any] = getattr(import_module(f"evenkeel.reference.{module}"), name)
        return found

    def problem(self) -> str:
        """How the reference answers otherwise; empty where it answers as written down."""
        function = self.called()
        kinds = [kind for name, kind in hints(function).items() if name != "return"]
        arguments = [decoded(kind, it) for kind, it in zip(kinds, self.arguments, strict=True)]
        try:
            answer = encoded(function(*arguments))
        except Exception as error:
            if type(error).__name__ == self.refused:
                return ""
            raise
        if self.refused:
            return f"{self.name} is {answer}, and not refused with {self.refused}"
        right = answer == self.answer and type(answer) is type(self.answer)
        return "" if right else f"{self.name} is {answer}, not {self.answer}"


@cache
def hints(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The types of what a function takes and returns."""
    return typing.get_type_hints(function)


def decoded(kind: Any, data: Json) -> Any:
    """An argument from its JSON form."""
    if kind is Edition:
        return EDITIONS[data]
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in _MANY:
        return tuple(decoded(inner[0], item) for item in data)
    if origin is Mapping:
        return {key: decoded(inner[1], item) for key, item in data.items()}
    # A union of plain values is what it is; the codec has no form for it.
    return from_json(kind, data) if isinstance(data, dict | list) or type(data) is int else data


def encoded(answer: Any) -> Json:
    """An answer in its JSON form; what comes one by one as a list."""
    return bare(to_json(tuple(answer) if isinstance(answer, Iterator | list) else answer))


def bare(data: Json) -> Json:
    """Without fields that are null: TOML has no such value."""
    if isinstance(data, dict):
        return {key: bare(value) for key, value in data.items() if value is not None}
    return [bare(item) for item in data] if isinstance(data, list) else data


@cache
def shipped() -> tuple[Example, ...]:
    """The examples that come with evenkeel."""
    found: list[Example] = []
    for file in sorted(files(examples).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            data = tomllib.loads(file.read_text(encoding="utf-8"))
            module, source = data["module"], data["source"]
            for entry in data["example"]:
                said = {"source": source, **entry}
                said["function"] = f"{module}:{entry['function']}"
                said["arguments"] = tuple(entry["arguments"])
                found.append(Example(**said))
    return tuple(found)
