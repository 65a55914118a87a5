"""`dataclasses.replace` for records that check nothing when they are made, in half the time.

Type checkers see the original, so that names and types of the fields are checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import replace
else:
    from dataclasses import fields
    from functools import cache

    @cache
    def _names(kind: type) -> tuple[str, ...]:
        return tuple(field.name for field in fields(kind))

    def replace(record: Any, /, **changes: Any) -> Any:
        """The record with some fields changed."""
        kind = type(record)
        values = [
            changes.pop(name) if name in changes else getattr(record, name) for name in _names(kind)
        ]
        if changes:
            raise TypeError(f"{kind.__name__} has no field {', '.join(changes)}")
        return kind(*values)


__all__ = ["replace"]
