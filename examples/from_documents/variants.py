"""Variants of a balancer by name, with some interpretations of the documents changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, Final, TypeVar

Interpretations = TypeVar("Interpretations", bound=Any)

PARSERS: Final[dict[str, Callable[[str], object]]] = {"bool": "True".__eq__, "int": int, "str": str}


def named(variants: Mapping[str, Interpretations], text: str) -> Interpretations:
    """Return a variant, or one with some fields changed: `b1+heir=fewest+caches_owners=True`.

    Raises KeyError for an unknown variant or field.
    """
    name, *changes = text.split("+")
    variant = variants[name]
    kinds = {field.name: str(field.type) for field in fields(variant)}
    values = {}
    for change in changes:
        field, _, value = change.partition("=")
        values[field] = PARSERS[kinds[field]](value)
    return replace(variant, **values) if values else variant
