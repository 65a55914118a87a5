"""Dataclasses to JSON and back."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Final, TypeVar

from evenkeel_engine.kit.trial import BadTrial

T = TypeVar("T")

Json = Any
"""None, bool, int, float, str, list or dict of these."""


class BadData(ValueError):
    """Data that does not have the form of its type; `place` is a path such as `servers[2].name`."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place or 'value'}: {reason}")
        self.place = place
        self.reason = reason

    def add_place(self, place: str) -> BadData:
        """The same error seen from one level further out: `place` is a field, or `[index]`."""
        dot = "." if self.place and not self.place.startswith("[") else ""
        return BadData(f"{place}{dot}{self.place}", self.reason)


def to_json(value: object) -> Json:
    """The JSON form of a value built from dataclasses, tuples, enums and plain scalars."""
    return _ENCODERS[type(value)](value)


def from_json(kind: type[T], data: Json) -> T:
    """The value of this type that `data` is the JSON form of. Raises `BadData`."""
    decoded: T = _make_decoder(typing.cast(Any, kind))(data)
    return decoded


@cache
def _list_names(kind: type) -> tuple[tuple[str, str], ...]:
    return tuple((f.name, wire_name(f)) for f in fields(kind))


def is_omittable(field_: Field[Any]) -> bool:
    """Whether JSON may leave the field out, so that it has its default."""
    return bool(field_.metadata.get("omittable"))


def wire_name(field_: Field[Any]) -> str:
    """The name of a dataclass field in JSON."""
    name: str = field_.metadata.get("wire", field_.name)
    return name


Encoder = Callable[[Any], Json]
Decoder = Callable[[Json], Any]
_PLAIN: Final = frozenset({type(None), bool, int, float, str})


def _make_encoder(kind: type) -> Encoder:
    """The encoder of values of one type."""
    if issubclass(kind, Enum):
        return lambda value: value.value
    if kind in _PLAIN or issubclass(kind, int | float | str):
        return lambda value: value
    if issubclass(kind, tuple):
        return lambda value: [_ENCODERS[type(item)](item) for item in value]
    return _object_encoder(kind)


def _object_encoder(kind: type) -> Encoder:
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} has no JSON form")
    names = _list_names(kind)
    tag = {"do": kind.DO} if hasattr(kind, "DO") else {}

    def encode(value: Any) -> Json:
        form = {**tag}
        for attribute, name in names:
            item = getattr(value, attribute)
            form[name] = item if type(item) in _PLAIN else _ENCODERS[type(item)](item)
        return form

    return encode


class _Encoders(dict[type, Encoder]):
    """The encoders of all types so far, each built once."""

    def __missing__(self, kind: type) -> Encoder:
        encoder = self[kind] = _make_encoder(kind)
        return encoder


_ENCODERS: Final = _Encoders()


@cache
def _make_decoder(kind: Any) -> Decoder:
    """The decoder of one type, built once; type aliases are resolved."""
    kind = getattr(kind, "__supertype__", kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return _array_decoder(_make_decoder(arguments[0]))
    if origin in (typing.Union, types.UnionType):
        return _union_decoder(arguments)
    if kind in _SCALARS:
        return _scalar_decoder(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum_decoder(kind)
    if is_dataclass(kind) and isinstance(kind, type):
        return _object_decoder(kind)
    raise TypeError(f"{kind!r} has no JSON form")


_SCALARS: dict[Any, str] = {
    int: "an integer",
    float: "a number",
    str: "a text",
    bool: "true or false",
    type(None): "null",
}


def _scalar_decoder(kind: Any) -> Decoder:
    def decode(data: Json) -> Any:
        if type(data) is kind:
            if kind is int and data.bit_length() > 1023:  # a judge may divide by it
                _as_float(data)
            return data
        if kind is float and type(data) is int:
            return _as_float(data)
        raise BadData("", f"must be {_SCALARS[kind]}, not {abbreviate(data)}")

    return decode


def _as_float(whole: int) -> float:
    try:
        return float(whole)
    except OverflowError:
        reason = f"must be a number that a double holds, not {abbreviate(whole)}"
        raise BadData("", reason) from None


def _enum_decoder(kind: type[Enum]) -> Decoder:
    members = {member.value: member for member in kind}

    def decode(data: Json) -> Any:
        try:
            return members[data]
        except (KeyError, TypeError):  # the latter for data that cannot be a key
            allowed = ", ".join(str(value) for value in members)
            raise BadData("", f"must be one of {allowed}, not {abbreviate(data)}") from None

    return decode


def _array_decoder(decode_item: Decoder) -> Decoder:
    def decode(data: Json) -> Any:
        if not isinstance(data, list):
            raise BadData("", f"must be an array, not {abbreviate(data)}")
        items: list[Any] = []
        try:
            for item in data:
                items.append(decode_item(item))
        except BadData as bad:
            raise bad.add_place(f"[{len(items)}]") from bad.__cause__
        return tuple(items)

    return decode


def _union_decoder(kinds: tuple[Any, ...]) -> Decoder:
    tagged = {kind.DO: _make_decoder(kind) for kind in kinds if hasattr(kind, "DO")}
    others = [kind for kind in kinds if kind is not type(None) and not hasattr(kind, "DO")]
    other = _make_decoder(others[0]) if others else None
    nullable = type(None) in kinds

    def decode(data: Json) -> Any:
        if data is None and nullable:
            return None
        if other:
            return other(data)
        do = data.get("do") if isinstance(data, dict) else None
        if not isinstance(do, str) or do not in tagged:
            raise BadData("", f"must be an object with do one of {', '.join(tagged)}")
        return tagged[do]({k: v for k, v in data.items() if k != "do"})

    return decode


def _object_decoder(kind: type) -> Decoder:
    hints = typing.get_type_hints(kind)
    members = tuple((a, name, _make_decoder(hints[a])) for a, name in _list_names(kind))
    known = {name for _, name, _ in members}
    unneeded = frozenset(field_.name for field_ in fields(kind) if is_omittable(field_))

    def decode(data: Json) -> Any:
        if not isinstance(data, dict):
            raise BadData("", f"must be an object, not {abbreviate(data)}")
        values = {}
        try:
            for attribute, name, decoder in members:
                if name not in data:
                    if attribute in unneeded:
                        continue
                    raise BadData("", "is missing")
                values[attribute] = decoder(data[name])
        except BadData as bad:
            raise bad.add_place(name) from bad.__cause__
        if len(data) > len(values):
            raise BadData(sorted(set(data) - known)[0], "is not a field here")
        return _construct(kind, values)

    return decode


def _construct(kind: type, values: dict[str, Any]) -> Any:
    try:
        return kind(**values)
    except BadTrial as bad:
        raise BadData(bad.place, bad.reason) from bad
    except BadData:
        raise
    except Exception as error:  # a reference type refused the values: report where, and its reason
        raise BadData("", str(error)) from error


def abbreviate(data: object) -> str:
    """Data as JSON on one line, shortened if it is long."""
    try:
        text = json.dumps(data, default=repr)
    except RecursionError:  # what was read from a line may nest deeper than can be written
        return "what is nested so deeply"
    except ValueError:  # an integer of more digits than the interpreter converts
        return "a number of too many digits"
    return text if len(text) <= 40 else f"{text[:37]}..."
