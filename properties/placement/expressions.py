"""Expressions of isolation policies: of what every dialect of regular expressions reads alike."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from evenkeel.properties.trial import require

LONGEST: Final = 200
_PARTS: Final = re.compile(
    r"([a-zA-Z0-9_/:-]|\.[*+]?|\\[.d]|\[[a-z0-9]+\]|\[[a-z]-[a-z]\]|\[[0-9]-[0-9]\]|[()|])*"
)
_BRACKET: Final = re.compile(r"\\.|[()]|\[.-.\]")
"""What may be wrong with an expression of those parts."""


def require_expressions(place: str, expressions: Iterable[str]) -> None:
    """Expressions of parts that every dialect reads, or refuses, alike, and not long."""
    for expression in expressions:
        require(len(expression) <= LONGEST, place, f"must have at most {LONGEST} characters")
        alike = bool(_PARTS.fullmatch(expression))
        require(alike, place, f"{expression!r} must be of the parts that dialects read alike")


def readable(expressions: Iterable[str]) -> bool:
    """Whether each, being of those parts, is a regular expression: no bracket is left open or
    closed unopened, and no range runs backwards.
    """
    return all(map(is_readable, expressions))


@lru_cache(4096)
def is_readable(expression: str) -> bool:
    """Whether one expression is."""
    depth = 0
    for symbol in _BRACKET.findall(expression):
        depth += {"(": 1, ")": -1}.get(symbol, 0)
        if depth < 0 or (symbol[0] == "[" and symbol[1] > symbol[3]):
            return False
    return depth == 0


@lru_cache(4096)
def matches(expressions: tuple[str, ...], text: str) -> bool:
    """Whether one of the expressions matches the whole text; digits are ASCII, as in Java."""
    together = "|".join(f"(?:{expression})" for expression in expressions)
    return bool(expressions) and re.fullmatch(together, text, re.ASCII) is not None
