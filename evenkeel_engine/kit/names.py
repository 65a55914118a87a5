"""Kinds of names in trials: which texts name things that are alike.

A specification lists its kinds, so that reports give long names short ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from evenkeel_engine.kit.codec import Json


@dataclass(frozen=True, slots=True)
class NameKind:
    """`is_name` tells the names of this kind. `letter`: what short names begin with in reports,
    where there are `least` of them. `remark`: what a legend adds to a name.
    """

    is_name: Callable[[str], object]
    letter: str
    least: int = 1
    remark: Callable[[str], str] | None = None


def texts_in(data: Json) -> Iterator[str]:
    """Every text in a JSON value but for kinds of commands."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, list):
        for item in data:
            yield from texts_in(item)
    elif isinstance(data, dict):
        for name, item in data.items():
            yield from texts_in(item) if name != "do" else ()


def rename_texts(data: Json, names: Mapping[str, str]) -> Json:
    """The value with these texts replaced."""
    if isinstance(data, dict):
        return {k: v if k == "do" else rename_texts(v, names) for k, v in data.items()}
    if isinstance(data, list):
        return [rename_texts(item, names) for item in data]
    return names.get(data, data) if isinstance(data, str) else data
