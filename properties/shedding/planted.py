"""Planted defects and correct variants of the chapter *shedding*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.planted import Planted
from evenkeel.properties.shedding import (
    planted_avg,
    planted_common,
    planted_cycles,
    planted_overload,
    planted_threshold,
    planted_transfer,
    planted_transfer_pair,
    planted_transfer_readings,
    planted_uniform,
)

PLANTED: Final[tuple[Planted, ...]] = (
    *planted_common.COMMON,
    *planted_overload.OVERLOAD,
    *planted_uniform.UNIFORM,
    *planted_avg.AVG,
    *planted_threshold.THRESHOLD,
    *planted_transfer.ROUNDS,
    *planted_transfer_pair.PAIRS,
    *planted_transfer_readings.READINGS,
    *planted_cycles.CYCLES,
)
