"""Planted changes of TransferShedder."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.planted import Planted

PLANTED: Final[tuple[Planted, ...]] = ()
