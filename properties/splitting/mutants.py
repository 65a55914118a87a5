"""Mutants and equivalent mutants of the chapter *splitting*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.splitting import (
    mutants_algorithms,
    mutants_brokers,
    mutants_leader,
    mutants_manual,
    mutants_storing,
)

# In PULSAR_4_0 a subject that is right where 4.0 is not differs from it, and must be noticed.
MUTANTS: Final[tuple[Mutant, ...]] = (
    *mutants_algorithms.ALGORITHMS,
    *mutants_storing.STORING,
    *mutants_leader.THRESHOLDS,
    *mutants_leader.MODULAR,
    *mutants_brokers.EXTENSIBLE,
    *mutants_brokers.NOT_4_0,
    *mutants_manual.MANUAL,
    *mutants_manual.NOT_4_0,
)
