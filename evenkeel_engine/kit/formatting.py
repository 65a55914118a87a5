"""Values of trials and answers as text, for sentences of verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any, Final

SHORT: Final = 10**18
"""Up to here the parts of a fraction are written out."""


def display(value: Any) -> Any:
    """Numbers and texts as they are; the rest in words: `move, server 0, to none`."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return in_words(value)
    if isinstance(value, Mapping):
        pairs = (f"{display(key)}: {display(one)}" for key, one in value.items())
        return ", ".join(pairs) or "nothing"
    if isinstance(value, tuple | list | set | frozenset):
        return ", ".join(bracket_item(item) for item in value) or "nothing"
    if isinstance(value, Fraction) and max(abs(value.numerator), value.denominator) > SHORT:
        return f"{Decimal(value.numerator) / Decimal(value.denominator):.6g}"
    return value


def bracket_item(item: Any) -> str:
    """An item of a list; in brackets if it has parts itself."""
    parts = is_dataclass(item) or isinstance(item, tuple | list)
    return f"({display(item)})" if parts else str(display(item))


def in_words(record: Any) -> str:
    """A record's name on the wire, if it has one, and its fields."""
    name = getattr(record, "DO", "").replace("_", " ")
    words = [name] if name else []
    for field in fields(record):
        value = getattr(record, field.name)
        inner = f"({display(value)})" if is_dataclass(value) else display(value)
        words.append(f"{field.name.replace('_', ' ')} {inner}")
    return ", ".join(words) or "nothing"
