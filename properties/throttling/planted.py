"""Planted defects and correct variants of the chapter *throttling*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.planted import Planted
from evenkeel.properties.throttling import planted_loop, planted_quota, planted_reading

PLANTED: Final[tuple[Planted, ...]] = (
    *planted_quota.COUNTERS,
    *planted_quota.BUCKETS,
    *planted_quota.LIMITERS,
    *planted_quota.SUBSCRIBING,
    *planted_reading.READING,
    *planted_reading.POLICIES,
    *planted_loop.ESTIMATES,
    *planted_loop.LOOP,
)
