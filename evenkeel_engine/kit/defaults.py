"""JSON of plain data without the fields that have their default, and with them again.

Files of cases leave defaults out, since most fields of most trials have them. The wire protocol
does not: there every field is present.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable
from dataclasses import MISSING, is_dataclass
from typing import Any

from evenkeel_engine.kit.codec import Json, to_json
from evenkeel_engine.kit.fields import Member, members_of

Change = Callable[[tuple[Member, ...], dict[str, Json]], dict[str, Json]]


def complete_data(kind: Any, data: Json) -> Json:
    """The JSON with every default that it lacks; the codec sees to whatever else is wrong."""
    return _change_members(kind, data, _with_defaults)


def trim_data(kind: Any, data: Json) -> Json:
    """The JSON of a value without default fields; `complete_data` gives the same text back."""
    return _change_members(kind, data, _without_defaults)


def _with_defaults(members: tuple[Member, ...], data: dict[str, Json]) -> dict[str, Json]:
    form = {name: value for name, value in data.items() if name == "do"}
    for one in members:
        if one.name in data:
            form[one.name] = complete_data(one.hint, data[one.name])
        elif one.default is not MISSING:
            form[one.name] = to_json(one.default)
    return {**form, **{name: value for name, value in data.items() if name not in form}}


def _without_defaults(members: tuple[Member, ...], data: dict[str, Json]) -> dict[str, Json]:
    known = {one.name: one for one in members}
    form = {}
    for name, value in data.items():
        one = known.get(name)
        default = MISSING if one is None else one.default
        if default is MISSING or json.dumps(to_json(default)) != json.dumps(value):
            form[name] = trim_data(one and one.hint, value)
    return form


def _change_members(kind: Any, data: Json, change: Change) -> Json:
    kind = getattr(kind, "__supertype__", kind)
    arguments = typing.get_args(kind)
    if isinstance(data, list) and typing.get_origin(kind) is tuple:
        return [_change_members(arguments[0], item, change) for item in data]
    if not isinstance(data, dict):
        return data
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        # The member that the data are of: by `do`, else the only one without.
        tagged = [one for one in arguments if getattr(one, "DO", None) == data.get("do", 0)]
        others = (one for one in arguments if one is not type(None) and not hasattr(one, "DO"))
        return _change_members([*tagged, *others, None][0], data, change)
    if not (is_dataclass(kind) and isinstance(kind, type)):
        return data
    return change(members_of(kind), data)
