"""`dataclasses.replace` for records that check nothing when they are made, in half the time.

Type checkers see the original, so that names and types of the fields are checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import replace
else:
    from collections.abc import Callable
    from dataclasses import fields
    from functools import cache
    from operator import attrgetter

    @cache
    def _fields(kind: type) -> tuple[Callable[[Any], tuple[Any, ...]], dict[str, int]]:
        """What gives all values of a record, and the place of each field among them."""
        names = [field.name for field in fields(kind)]
        # of one name `attrgetter` gives no tuple
        values = attrgetter(*names) if len(names) > 1 else lambda one: (getattr(one, names[0]),)
        return values, {name: place for place, name in enumerate(names)}

    def replace(record: Any, /, **changes: Any) -> Any:
        """The record with some fields changed."""
        kind = type(record)
        values_of, places = _fields(kind)
        values = [*values_of(record)]
        try:
            for name, value in changes.items():
                values[places[name]] = value
        except KeyError:
            raise TypeError(f"{kind.__name__} has no field {name}") from None
        return kind(*values)


__all__ = ["replace"]
