"""Kinds of names in trials: which texts name things that are alike.

A specification lists its kinds. Names of one kind are exchanged to expose answers that depend on
them, and reports give long ones short names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from evenkeel_engine.kit.codec import Json


@dataclass(frozen=True, slots=True)
class NameKind:
    """`is_name` tells the names of this kind; in `fields` any text is one.

    `exchanged`: whether a trial stays what it is when two of them change places. `letter`: what
    short names begin with in reports, where there are `least` of them; without a letter they stay
    as they are. `remark`: what a legend adds to a name.
    """

    is_name: Callable[[str], object]
    fields: frozenset[str] = frozenset()
    exchanged: bool = False
    letter: str = ""
    least: int = 1
    remark: Callable[[str], str] | None = None


def texts_in(data: Json, field: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a JSON value but for kinds of commands, each with the field that it is in."""
    if isinstance(data, str):
        yield field, data
    elif isinstance(data, list):
        for item in data:
            yield from texts_in(item, field)
    elif isinstance(data, dict):
        for name, item in data.items():
            yield from texts_in(item, name) if name != "do" else ()


def rename_texts(data: Json, names: Mapping[str, str]) -> Json:
    """The value with these texts replaced."""
    if isinstance(data, dict):
        return {k: v if k == "do" else rename_texts(v, names) for k, v in data.items()}
    if isinstance(data, list):
        return [rename_texts(item, names) for item in data]
    return names.get(data, data) if isinstance(data, str) else data
