"""Worked examples: a call of a function of the reference, and the answer that is written down.

Arguments and answers are plain data after the types that the function takes and returns. Where it
is refused, `refused` names the refusal.
"""

from __future__ import annotations

import copy
import json
import tomllib
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any, Final

from evenkeel import spec
from evenkeel.properties import examples
from evenkeel.properties.codec import Json
from evenkeel.reference.edition import EDITIONS, Edition

_MANY: Final[dict[Any, Callable[[Iterable[Any]], Any]]] = {
    tuple: tuple,
    Sequence: tuple,
    Collection: tuple,
    Iterable: tuple,
    Iterator: iter,
    set: set,
    frozenset: frozenset,
}


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
        given = copy.deepcopy(self.arguments)
        arguments = [decoded(kind, it) for kind, it in zip(kinds, given, strict=False)]
        try:
            answer = text(encoded(function(*arguments)))
        except Exception as error:  # an example names the error it expects; others go on
            if type(error).__name__ == self.refused:
                return ""
            raise
        if self.refused:
            return f"{self.name} is {answer}, and not refused with {self.refused}"
        right = text(self.answer)
        return "" if answer == right else f"{self.name} is {answer}, not {right}"


@cache
def hints(function: Any) -> Mapping[str, Any]:
    """The types of what a function takes and returns, or of a class's fields."""
    return typing.get_type_hints(function)


def decoded(kind: Any, data: Json) -> Any:
    """A value of this type. Other than in trials there may be mappings; fields have their names."""
    kind = getattr(kind, "__supertype__", kind)
    if kind is Edition:
        return EDITIONS[data]
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in _MANY:
        return _MANY[origin](decoded(inner[0], item) for item in data)
    if origin is Mapping:
        return {key: decoded(inner[1], item) for key, item in data.items()}
    if origin in (typing.Union, types.UnionType):
        return decoded(_member(inner, data), data) if isinstance(data, dict | list) else data
    if is_dataclass(kind) and isinstance(kind, type):
        known = hints(kind)
        return kind(**{name: decoded(known[name], it) for name, it in data.items()})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    return float(data) if kind is float else data


def _member(kinds: Sequence[Any], data: Json) -> Any:
    """The member of a union that a value is of: by `do`, or the only one that is no plain type."""
    if isinstance(data, dict) and "do" in data:
        found = next(kind for kind in kinds if getattr(kind, "DO", None) == data["do"])
        del data["do"]
        return found
    (found,) = (kind for kind in kinds if is_dataclass(kind) or typing.get_origin(kind))
    return found


def encoded(answer: Any) -> Json:
    """An answer in its JSON form: what comes one by one as a list, a set in order, a refusal by
    its name. Fields that are null are left out: TOML has no such value.
    """
    if is_dataclass(answer):
        members = ((f.name, getattr(answer, f.name)) for f in fields(answer))
        return {name: encoded(value) for name, value in members if value is not None}
    if isinstance(answer, Mapping):
        return {key: encoded(value) for key, value in answer.items()}
    if isinstance(answer, set | frozenset):
        return [encoded(item) for item in sorted(answer)]
    if isinstance(answer, tuple | list | Iterator):
        return [encoded(item) for item in answer if item is not None]
    if isinstance(answer, Exception):
        return type(answer).__name__
    if isinstance(answer, Fraction):
        return str(answer)
    return answer.value if isinstance(answer, Enum) else answer


def text(data: Json) -> str:
    """JSON in which 1, 1.0 and true are three things."""
    return json.dumps(data, sort_keys=True)


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
