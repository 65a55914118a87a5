"""Planted defects and correct variants of the chapter *splitting*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.planted import Planted
from evenkeel.properties.splitting import (
    planted_algorithms,
    planted_brokers,
    planted_leader,
    planted_manual,
    planted_storing,
)

# In PULSAR_4_0 a subject that is right where 4.0 is not differs from it, and must be noticed.
PLANTED: Final[tuple[Planted, ...]] = (
    *planted_algorithms.ALGORITHMS,
    *planted_storing.STORING,
    *planted_leader.THRESHOLDS,
    *planted_leader.MODULAR,
    *planted_brokers.EXTENSIBLE,
    *planted_brokers.NOT_4_0,
    *planted_manual.MANUAL,
    *planted_manual.NOT_4_0,
)
