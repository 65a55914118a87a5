"""Planted defects and correct variants of the chapter *ownership*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.ownership import (
    planted_channel,
    planted_locks,
    planted_records,
    planted_upkeep,
    planted_versions,
)
from evenkeel.properties.planted import Planted

PLANTED: Final[tuple[Planted, ...]] = (
    *planted_records.RECORDS,
    *planted_channel.CHANNEL,
    *planted_upkeep.UPKEEP,
    *planted_versions.VERSIONS,
    *planted_locks.LOCKS,
)
