"""Kinds of names in trials: which texts name things that are alike.

A specification lists its kinds. Names of one kind are exchanged to expose answers that depend on
them, and reports give long ones short names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


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
