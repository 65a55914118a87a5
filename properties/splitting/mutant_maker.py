"""Mutants of this chapter."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import (
    Function,
    Make,
    MutantMaker,
    always,
    first,
    switched,
    then,
)

MAKER: Final = MutantMaker("splitting")
defect = MAKER.defect
correct = MAKER.correct

__all__ = ["Function", "Make", "always", "correct", "defect", "first", "switched", "then"]
