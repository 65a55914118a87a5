"""Mutants and equivalent mutants of the chapter *shedding*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.shedding import (
    mutants_avg,
    mutants_common,
)

MUTANTS: Final[tuple[Mutant, ...]] = (
    *mutants_common.COMMON,
    *mutants_avg.AVG,
)
