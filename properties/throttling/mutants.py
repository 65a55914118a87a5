"""Mutants and equivalent mutants of the chapter *throttling*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.throttling import (
    mutants_buckets,
    mutants_counters,
    mutants_estimates,
    mutants_limiters,
    mutants_loop,
    mutants_reading,
)

MUTANTS: Final[tuple[Mutant, ...]] = (
    *mutants_counters.COUNTERS,
    *mutants_buckets.BUCKETS,
    *mutants_limiters.LIMITERS,
    *mutants_buckets.SUBSCRIBING,
    *mutants_reading.READING,
    *mutants_reading.POLICIES,
    *mutants_estimates.ESTIMATES,
    *mutants_loop.LOOP,
)
