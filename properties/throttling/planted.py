"""Planted defects and correct variants of the chapter *throttling*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.planted import Planted
from evenkeel.properties.throttling import (
    planted_buckets,
    planted_counters,
    planted_estimates,
    planted_limiters,
    planted_loop,
    planted_reading,
)

PLANTED: Final[tuple[Planted, ...]] = (
    *planted_counters.COUNTERS,
    *planted_buckets.BUCKETS,
    *planted_limiters.LIMITERS,
    *planted_buckets.SUBSCRIBING,
    *planted_reading.READING,
    *planted_reading.POLICIES,
    *planted_estimates.ESTIMATES,
    *planted_loop.LOOP,
)
