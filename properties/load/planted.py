"""Planted defects and correct variants of the chapter *load*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.load import (
    planted_averages,
    planted_reports,
    planted_top,
    planted_usage,
)
from evenkeel.properties.planted import Planted

PLANTED: Final[tuple[Planted, ...]] = (
    *planted_usage.USAGE,
    *planted_usage.HISTORY,
    *planted_averages.AVERAGES,
    *planted_averages.LEADER,
    *planted_reports.MODULAR,
    *planted_reports.EXTENSIBLE,
    *planted_top.TOP,
    *planted_top.TOP_REPORT,
)
