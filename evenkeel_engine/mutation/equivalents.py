"""Known survivors: equivalents.toml lists equivalent mutants, each with the reason; survivors.toml
those that survive in the reference itself, with what is missing to detect them.

An equivalent mutant (one that never differs) is never sampled; a survivor is. An entry names its
change, so that it cannot apply to another one when the function is rewritten.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from evenkeel_engine import mutation


@dataclass(frozen=True, slots=True)
class Equivalent:
    """A mutant by name, what it changes (`before -> after`), and why it survives."""

    name: str
    change: str
    reason: str


@cache
def equivalents() -> Mapping[str, Equivalent]:
    """The known equivalent mutants by name."""
    return listed("equivalent")


@cache
def survivors() -> Mapping[str, Equivalent]:
    """The mutants of the reference that are known to survive, by name."""
    return listed("survivor")


def listed(word: str) -> Mapping[str, Equivalent]:
    """The entries of one of the two files."""
    text = files(mutation).joinpath(f"{word}s.toml").read_text(encoding="utf-8")
    found = [Equivalent(**entry) for entry in tomllib.loads(text).get(word, [])]
    return {entry.name: entry for entry in found}
