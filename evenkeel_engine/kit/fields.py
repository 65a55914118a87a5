"""The fields of records in trials and answers, as their types say."""

from __future__ import annotations

import types
import typing
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, cast

from evenkeel_engine.kit.codec import wire_name


@dataclass(frozen=True, slots=True)
class Member:
    """A field of a record, its name on the wire and its type.

    `sort` is the type of its values or items without null, `records` those of the records that
    these may be; `depth`: in how many lists they are; `unit` is a setting's; `default` is MISSING
    where it has none.
    """

    attribute: str
    name: str
    hint: Any
    sort: Any
    records: tuple[Any, ...]
    optional: bool
    depth: int
    unit: str | None
    default: Any

    @property
    def number(self) -> bool:
        """Whether it is one number."""
        return self.sort in (int, float) and not self.depth


def parts_of(hint: Any) -> tuple[Any, tuple[Any, ...], bool, int]:
    """The sort and the records of a type, whether it has null, and in how many lists they are."""
    hint = getattr(hint, "__supertype__", hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        sort, records, _, depth = parts_of(arguments[0])
        return sort, records, False, depth + 1
    if origin in (typing.Union, types.UnionType):
        inner = [parts_of(one) for one in arguments if one is not types.NoneType]
        records = tuple(record for one in inner for record in one[1])
        return inner[0][0], records, len(inner) < len(arguments), inner[0][3]
    return hint, (hint,) if is_dataclass(hint) else (), False, 0


@cache
def members_of(record: Any) -> tuple[Member, ...]:
    """The fields of a type of records."""
    hints = typing.get_type_hints(record)
    return tuple(
        Member(one.name, wire_name(one), of, *parts_of(of), one.metadata.get("unit"), default)
        for one in fields(record)
        for of in [hints[one.name]]
        for made in [one.default_factory]
        for default in [one.default if made is MISSING else made()]
    )


def members_in(record: Any) -> tuple[Member, ...]:
    """The fields of a record."""
    kind: Any = type(record)
    return members_of(kind)


@cache
def nested_in(kind: Any) -> tuple[Member, ...]:
    """The fields of a type that hold records."""
    return tuple(one for one in members_of(kind) if one.records)


@cache
def holders_in(record: Any, of: Any) -> tuple[Member, ...]:
    """The fields of a type of records in which a value of a type can be, however deep inside."""
    return tuple(one for one in members_of(record) if can_hold(one.hint, of))


def can_hold(hint: Any, of: Any) -> bool:
    """Whether a value of a type can be in such a field."""
    hint = getattr(hint, "__supertype__", hint)
    if hint is of or any(can_hold(one, of) for one in typing.get_args(hint)):
        return True
    return is_dataclass(hint) and holders_in(cast(Any, hint), of) != ()


def flatten(value: Any) -> Sequence[Any]:
    """A value, or what is in its lists and the lists in these, without null."""
    if isinstance(value, tuple):
        return [leaf for one in value for leaf in flatten(one)]
    return () if value is None else (value,)


def records_in(value: Any) -> list[Any]:
    """All records of a trial, each place of it, from outside in."""
    found, kind = [value], cast(Any, type(value))
    for member in nested_in(kind):
        for one in flatten(getattr(value, member.attribute)):
            found += records_in(one)
    return found
