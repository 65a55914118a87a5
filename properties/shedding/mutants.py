"""Mutants and equivalent mutants of the chapter *shedding*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.shedding import (
    mutants_avg,
    mutants_common,
    mutants_transfer,
    mutants_transfer_pair,
    mutants_transfer_readings,
)

MUTANTS: Final[tuple[Mutant, ...]] = (
    *mutants_common.COMMON,
    *mutants_avg.AVG,
    *mutants_transfer.ROUNDS,
    *mutants_transfer_pair.PAIRS,
    *mutants_transfer_readings.READINGS,
)
