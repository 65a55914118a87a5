"""Trial and answer of `placement.policy`: is an isolation policy stored?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.trial import require

_PARTS: Final = re.compile(r"([a-z0-9/-]|\.\*|\[a-z\]|\[z-a\]|[()|])*", re.ASCII)


@dataclass(frozen=True, slots=True)
class StoredPolicyTrial:
    """`placement.policy`: an isolation policy is set; is it stored?

    Expressions consist of what every dialect of regular expressions reads, or refuses, alike:
    small letters, digits, `/`, `-`, `.*`, `[a-z]`, `[z-a]`, `(`, `)` and `|`.
    """

    namespaces: tuple[str, ...]
    primary: tuple[str, ...]
    secondary: tuple[str, ...]

    def __post_init__(self) -> None:
        for name in ("namespaces", "primary", "secondary"):
            for expression in getattr(self, name):
                alike = bool(_PARTS.fullmatch(expression))
                require(alike, name, "must be of the parts that dialects read alike")


@dataclass(frozen=True, slots=True)
class StoredPolicyAnswer:
    """Whether it was stored; if not, it was refused."""

    stored: bool
