"""Worked examples: a call of a function of the reference, and its expected answer.

Arguments and answers are plain data after the types that the function takes and returns: a list,
or a table of names, in which an omitted one is None. Of a method (`Class.name`) the first
argument, or `self`, is the object: its fields, or the arguments of its constructor. If the
call is refused, `refused` names the exception and `says` its message. `leaves` is the state of an
argument that is changed, or the part that matters. For an object with state `before` has the
methods that were called first, each with its arguments; omitted ones are as in the call.
"""

from __future__ import annotations

import copy
import inspect
import json
import tomllib
import types
import typing
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Final

from evenkeel_engine import content, spec
from evenkeel_engine.content import EDITIONS, PROMISED
from evenkeel_engine.kit.codec import Json

_MANY: Final[dict[Any, Callable[[Iterable[Any]], Any]]] = {
    tuple: tuple,
    Sequence: tuple,
    Collection: tuple,
    Iterable: tuple,
    Iterator: iter,
    set: set,
    frozenset: frozenset,
    list: list,
    deque: deque,
}
_KEYED: Final = (Mapping, dict)


@dataclass(frozen=True, slots=True)
class Example:
    """A call of `function` (`module:name` within the reference), its clause, and whence the answer
    is known (`source`). Raises `spec.UnknownClause` if the specification has no such clause.
    """

    clause: str
    source: str
    function: str
    arguments: tuple[Json, ...] | Mapping[str, Json]
    answer: Json = None
    refused: str = ""
    says: str = ""
    leaves: Mapping[str, Json] = field(default_factory=dict)
    before: Sequence[Mapping[str, Json]] = ()

    def __post_init__(self) -> None:
        spec.find_clause(self.clause)

    @property
    def name(self) -> str:
        """The call, for a reader."""
        given = self.arguments
        shown = given if isinstance(given, tuple) else [f"{n}={it}" for n, it in given.items()]
        return f"{self.function.rpartition(':')[2]}({', '.join(map(str, shown))})"

    def kinds(self) -> dict[str, Any]:
        """The type of each argument by name; `self` is the class of a method."""
        owner = self.function.rpartition(".")[0]
        _, colon, _ = owner.partition(":")
        types_ = find_types(resolve_place(self.function))
        known = {name: kind for name, kind in types_.items() if name != "return"}
        return {"self": resolve_place(owner), **known} if colon else known

    def called_before(self, held: Any, call: Mapping[str, Json]) -> None:
        """One of the calls that came first, of an object."""
        method = inspect.getattr_static(type(held), call["function"])
        given = copy.deepcopy({**dict(self.arguments), **call})
        kinds = {n: kind for n, kind in find_types(method).items() if n != "return"}
        method(held, *(decode_value(kind, given[n]) for n, kind in kinds.items()))

    def problem(self) -> str:
        """How the reference answers otherwise; empty where it answers as written down."""
        function, kinds = resolve_place(self.function), self.kinds()
        given = copy.deepcopy(self.arguments)
        if isinstance(given, tuple):
            arguments = [decode_value(k, it) for k, it in zip(kinds.values(), given, strict=False)]
        else:
            named = ((kind, given.get(name)) for name, kind in kinds.items())
            arguments = [None if it is None else decode_value(kind, it) for kind, it in named]
        try:
            for call in self.before:
                self.called_before(arguments[0], call)
            answer = dump_exactly(encode_answer(function(*arguments)))
        except Exception as error:  # an example names the error it expects; others propagate
            if type(error).__name__ != self.refused:
                raise
            matches = not self.says or str(error) == self.says
            return "" if matches else f"{self.name} is refused with {error}, not {self.says}"
        if self.refused:
            return f"{self.name} is {answer}, and not refused with {self.refused}"
        for name, part in self.leaves.items():
            left = encode_answer(arguments[list(kinds).index(name)])
            if not is_within(part, left):
                return (
                    f"{self.name} leaves {name} as {dump_exactly(left)}, not {dump_exactly(part)}"
                )
        right = dump_exactly(self.answer)
        return "" if answer == right else f"{self.name} is {answer}, not {right}"


def resolve_place(place: str) -> Any:
    """What `module:name.name` of the reference names."""
    module, _, name = place.partition(":")
    found: Any = import_module(content.name(f"reference.{module}"))
    for part in name.split("."):
        found = inspect.getattr_static(found, part)
        found = found.fget if isinstance(found, property) else found
    return found


@cache
def find_types(function: Any) -> Mapping[str, Any]:
    """The types of what a function takes and returns, or of a class's fields."""
    return typing.get_type_hints(function)


def decode_value(kind: Any, data: Json) -> Any:
    """A value of this type. Other than in trials there may be mappings; fields have their names."""
    kind = getattr(kind, "__supertype__", kind)
    if kind is type(PROMISED):
        return EDITIONS[data]
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple and inner[-1] is not Ellipsis:
        return tuple(decode_value(one, item) for one, item in zip(inner, data, strict=True))
    if origin in _MANY:
        return _MANY[origin](decode_value(inner[0], item) for item in data)
    if origin in _KEYED:
        number = inner[0] is int
        return {int(k) if number else k: decode_value(inner[1], item) for k, item in data.items()}
    if origin in (typing.Union, types.UnionType):
        if isinstance(data, dict | list):
            return decode_value(_choose_member(inner, data), data)
        words = [one for one in inner if isinstance(one, type) and issubclass(one, Enum)]
        return words[0](data) if words and isinstance(data, str) else data
    if is_dataclass(kind) and isinstance(kind, type):
        known = find_types(kind)
        # A field without a default that an example leaves out is None.
        needed = (f.name for f in fields(kind) if f.default is f.default_factory is MISSING)
        blank = dict.fromkeys(name for name in needed if name not in data)
        return kind(**blank, **{name: decode_value(known[name], it) for name, it in data.items()})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    if isinstance(kind, type) and isinstance(data, dict):
        known = find_types(inspect.getattr_static(kind, "__init__"))
        return kind(**{name: decode_value(known[name], it) for name, it in data.items()})
    return float(data) if kind is float else data


def _choose_member(kinds: Sequence[Any], data: Json) -> Any:
    """The member of a union by its `do`, its fields, or as the only one that is no plain type."""
    if isinstance(data, dict) and "do" in data:
        found = next(kind for kind in kinds if getattr(kind, "DO", None) == data["do"])
        del data["do"]
        return found
    several = [kind for kind in kinds if is_dataclass(kind) or typing.get_origin(kind)]
    if len(several) > 1:
        several = [kind for kind in several if set(data) <= {f.name for f in fields(kind)}]
    (found,) = several
    return found


def order_of(item: Any) -> Any:
    """What items of a set are sorted by: records by their fields."""
    if is_dataclass(item):
        return tuple(order_of(getattr(item, one.name)) for one in fields(item))
    return tuple(map(order_of, item)) if isinstance(item, tuple) else item


def encode_answer(answer: Any) -> Json:
    """An answer as JSON, sets in order, refusals by name, without nulls, which TOML has not."""
    if is_dataclass(answer):
        members = ((f.name, getattr(answer, f.name)) for f in fields(answer))
        return {name: encode_answer(value) for name, value in members if value is not None}
    if isinstance(answer, Mapping):
        return {k if isinstance(k, str) else str(k): encode_answer(it) for k, it in answer.items()}
    if isinstance(answer, set | frozenset):
        return [encode_answer(item) for item in sorted(answer, key=order_of)]
    if isinstance(answer, tuple | list | deque | Iterator):
        return [encode_answer(item) for item in answer if item is not None]
    if isinstance(answer, Exception):
        return type(answer).__name__
    if isinstance(answer, Fraction):
        return str(answer)
    return answer.value if isinstance(answer, Enum) else answer


def dump_exactly(data: Json) -> str:
    """JSON in which 1, 1.0 and true are three things."""
    return json.dumps(data, sort_keys=True)


def is_within(part: Json, whole: Json) -> bool:
    """Whether a value is as written down; of an object only the members that are. `{}` is empty."""
    if part and isinstance(part, dict) and isinstance(whole, dict):
        return all(name in whole and is_within(it, whole[name]) for name, it in part.items())
    return dump_exactly(part) == dump_exactly(whole)


@cache
def read_shipped() -> tuple[Example, ...]:
    """The specification's own examples, in `properties/worked_examples/`, if it has any."""
    found: list[Example] = []
    package = content.name("properties.worked_examples")
    folder = files(package).iterdir() if find_spec(package) else ()
    for file in sorted(folder, key=lambda file: file.name):
        if file.name.endswith(".toml"):
            for module in tomllib.loads(file.read_text(encoding="utf-8"))["module"]:
                found += read_module(**module)
    return tuple(found)


def read_module(name: str, source: str, example: list[dict[str, Any]]) -> Iterator[Example]:
    """The examples of a module of the reference; one may have a source of its own."""
    for entry in example:
        given = entry["arguments"]
        arguments = given if isinstance(given, dict) else tuple(given)
        function = f"{name}:{entry['function']}"
        yield Example(**{"source": source, **entry, "function": function, "arguments": arguments})
