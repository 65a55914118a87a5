"""Changes that change nothing: listed by hand in equivalents.toml, each with its reason.

A listed mutant is never drawn. An entry names its change, so that it cannot come to mean another
when the function is rewritten.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from evenkeel.properties import mutation


@dataclass(frozen=True, slots=True)
class Equivalent:
    """A mutant by name, what it changes (`before -> after`), and why nobody can see it."""

    name: str
    change: str
    reason: str


@cache
def equivalents() -> Mapping[str, Equivalent]:
    """The known equivalent mutants by name."""
    text = files(mutation).joinpath("equivalents.toml").read_text(encoding="utf-8")
    listed = [Equivalent(**entry) for entry in tomllib.loads(text).get("equivalent", [])]
    return {entry.name: entry for entry in listed}
