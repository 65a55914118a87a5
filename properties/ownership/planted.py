"""Planted defects and correct variants of the chapter *ownership*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.ownership import planted_locks
from evenkeel.properties.planted import Planted

PLANTED: Final[tuple[Planted, ...]] = (*planted_locks.LOCKS,)
