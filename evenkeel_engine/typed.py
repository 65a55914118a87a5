"""Types of JSON that was read, for msgspec's `convert`, which says where something is otherwise."""

from __future__ import annotations

from types import GenericAlias
from typing import Any

from msgspec import defstruct


def shape_object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> Any:
    """The type of an object with these keys, and any others."""
    more = [(key, kind, None) for key, kind in (optional or {}).items()]
    return defstruct("Data", [*required.items(), *more])


def each(kind: Any, keys: Any = str) -> Any:
    """The type of an object whose values are of a type."""
    return GenericAlias(dict, (keys, kind))


def shape_list(kind: Any) -> Any:
    """The type of an array of one type."""
    return GenericAlias(list, kind)
