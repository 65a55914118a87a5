"""Planted defects and correct variants of the chapter *shedding*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.planted import Planted
from evenkeel.properties.shedding import planted_transfer, planted_transfer_pair

PLANTED: Final[tuple[Planted, ...]] = (*planted_transfer.ROUNDS, *planted_transfer_pair.PAIRS)
