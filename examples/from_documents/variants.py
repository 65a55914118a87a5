"""Variants of a balancer by name, with some interpretations of the documents changed."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final, TypeVar

Interpretations = TypeVar("Interpretations", bound=Any)

PARSERS: Final[dict[str, Callable[[str], object]]] = {"bool": "True".__eq__, "int": int, "str": str}


def read_variants(module: Path, kind: type[Interpretations]) -> dict[str, Interpretations]:
    """Return the variants of `variants.toml` next to a module."""
    found: dict[str, Interpretations] = {}
    tables = tomllib.loads(module.with_name("variants.toml").read_text("utf-8"))
    for name, changes in tables.items():
        like = changes.pop("like", None)
        found[name] = replace(found[like] if like else kind(), **changes)
    return found


def find_variant(variants: Mapping[str, Interpretations], text: str) -> Interpretations:
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
