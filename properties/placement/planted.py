"""Planted defects and correct variants of the chapter *placement*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.placement import (
    planted_candidates,
    planted_policy,
    planted_preallocation,
    planted_rates,
    planted_rules,
    planted_turns,
    planted_usages,
)
from evenkeel.properties.planted import Planted

PLANTED: Final[tuple[Planted, ...]] = (
    *planted_rates.RATES,
    *planted_usages.USAGES,
    *planted_turns.TURNS,
    *planted_rules.RULES,
    *planted_candidates.CANDIDATES,
    *planted_preallocation.PREALLOCATION,
    *planted_policy.POLICY,
)
