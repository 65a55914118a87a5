"""JSON of plain data without the fields that have their default, and with them again.

Files of cases leave defaults out, since most fields of most trials have them. The wire protocol
does not: there every field is present.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Any, Final

from evenkeel_engine.kit.codec import Json, to_json, wire_name

NONE: Final = object()
"""In place of the default of a field that has none."""
FieldForm = tuple[str, Any, Any]
"""Of a field: its name in JSON, its type, and its default as JSON or `NONE`."""
Object = Callable[[tuple[FieldForm, ...], dict[str, Json]], dict[str, Json]]


def complete_data(kind: Any, data: Json) -> Json:
    """The JSON with every default that it lacks; the codec sees to whatever else is wrong."""
    return _change_members(kind, data, _with_defaults)


def trim_data(kind: Any, data: Json) -> Json:
    """The JSON of a value without default fields; `complete_data` gives the same text back."""
    return _change_members(kind, data, _without_defaults)


def _with_defaults(members: tuple[FieldForm, ...], data: dict[str, Json]) -> dict[str, Json]:
    form = {name: value for name, value in data.items() if name == "do"}
    for name, kind, default in members:
        if name in data:
            form[name] = complete_data(kind, data[name])
        elif default is not NONE:
            form[name] = default
    return {**form, **{name: value for name, value in data.items() if name not in form}}


def _without_defaults(members: tuple[FieldForm, ...], data: dict[str, Json]) -> dict[str, Json]:
    known = {name: (kind, default) for name, kind, default in members}
    form = {}
    for name, value in data.items():
        kind, default = known.get(name, (None, NONE))
        if default is NONE or json.dumps(default) != json.dumps(value):
            form[name] = trim_data(kind, value)
    return form


def _change_members(kind: Any, data: Json, change: Object) -> Json:
    kind = getattr(kind, "__supertype__", kind)
    arguments = typing.get_args(kind)
    if isinstance(data, list) and typing.get_origin(kind) is tuple:
        return [_change_members(arguments[0], item, change) for item in data]
    if not isinstance(data, dict):
        return data
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return _change_members(_member_for(arguments, data), data, change)
    if not (is_dataclass(kind) and isinstance(kind, type)):
        return data
    return change(_list_members(kind), data)


def _member_for(kinds: tuple[Any, ...], data: dict[str, Json]) -> Any:
    """The member of a union that the data are of: by `do`, else the only one without."""
    tagged = [kind for kind in kinds if getattr(kind, "DO", None) == data.get("do", 0)]
    simple = [kind for kind in kinds if kind is not type(None) and not hasattr(kind, "DO")]
    return [*tagged, *simple, None][0]


@cache
def _list_members(kind: type) -> tuple[FieldForm, ...]:
    hints = typing.get_type_hints(kind)
    return tuple((wire_name(f), hints[f.name], _make_default(f)) for f in fields(kind))


def _make_default(field: Field[Any]) -> Any:
    if field.default is not MISSING:
        return to_json(field.default)
    return NONE if field.default_factory is MISSING else to_json(field.default_factory())
