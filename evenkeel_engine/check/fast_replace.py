"""A faster `dataclasses.replace`, for `fast_dataclasses.py`.

It imports nothing: what its users cache does not depend on the reference, and is kept when that is
changed (`mutation/code_swap.py`).
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def replace(record: T, /, **changes: Any) -> T:
    """As `dataclasses.replace`."""
    kind: Any = type(record)
    for name in names_of(kind):
        if name not in changes:
            changes[name] = getattr(record, name)
    changed: T = kind(**changes)
    return changed


@cache
def names_of(kind: type[Any]) -> tuple[str, ...]:
    """The fields of the constructor."""
    return tuple(one.name for one in fields(kind) if one.init)
