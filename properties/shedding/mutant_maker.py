"""Mutants of this chapter."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.load.comparing import usage_in_doubles
from evenkeel.properties.mutant_maker import (
    Function,
    Make,
    MutantMaker,
    always,
    first,
    switched,
    then,
)

MAKER: Final = MutantMaker("shedding")
defect = MAKER.defect
correct = MAKER.correct

__all__ = [
    "Function",
    "Make",
    "always",
    "correct",
    "defect",
    "first",
    "in_doubles",
    "switched",
    "then",
]


def in_doubles(original: Function) -> Function:
    """Usage worked out in double precision from beginning to end."""
    return usage_in_doubles
