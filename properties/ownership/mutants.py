"""Mutants and equivalent mutants of the chapter *ownership*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.ownership import (
    mutants_channel,
    mutants_locks,
    mutants_records,
    mutants_upkeep,
    mutants_versions,
)

MUTANTS: Final[tuple[Mutant, ...]] = (
    *mutants_records.RECORDS,
    *mutants_channel.CHANNEL,
    *mutants_upkeep.UPKEEP,
    *mutants_versions.VERSIONS,
    *mutants_locks.LOCKS,
)
