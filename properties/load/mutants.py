"""Mutants and equivalent mutants of the chapter *load*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.load import (
    mutants_averages,
    mutants_reports,
    mutants_top,
    mutants_usage,
)
from evenkeel.properties.mutant import Mutant

MUTANTS: Final[tuple[Mutant, ...]] = (
    *mutants_usage.USAGE,
    *mutants_usage.HISTORY,
    *mutants_averages.AVERAGES,
    *mutants_averages.LEADER,
    *mutants_reports.MODULAR,
    *mutants_reports.EXTENSIBLE,
    *mutants_top.TOP,
    *mutants_top.TOP_REPORT,
)
