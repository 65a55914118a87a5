"""Mutants and equivalent mutants of the chapter *placement*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.placement import (
    mutants_candidates,
    mutants_policy,
    mutants_preallocation,
    mutants_rates,
    mutants_rules,
    mutants_turns,
    mutants_usages,
)

MUTANTS: Final[tuple[Mutant, ...]] = (
    *mutants_rates.RATES,
    *mutants_usages.USAGES,
    *mutants_turns.TURNS,
    *mutants_rules.RULES,
    *mutants_candidates.CANDIDATES,
    *mutants_preallocation.PREALLOCATION,
    *mutants_policy.POLICY,
)
