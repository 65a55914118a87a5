"""Expressions of isolation policies: of what every dialect of regular expressions reads alike."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from evenkeel.properties.trial import require

LONGEST: Final = 200
_PARTS: Final = re.compile(
    r"([a-zA-Z0-9_/:-]|\.[*+]?|\\[.d]|\[[a-z0-9]+\]|\[[a-z]-[a-z]\]|\[[0-9]-[0-9]\]|[()|])*"
)


def require_expressions(place: str, expressions: Iterable[str]) -> None:
    """Expressions of parts that every dialect reads, or refuses, alike, and not long."""
    for expression in expressions:
        require(len(expression) <= LONGEST, place, f"must have at most {LONGEST} characters")
        alike = bool(_PARTS.fullmatch(expression))
        require(alike, place, f"{expression!r} must be of the parts that dialects read alike")
