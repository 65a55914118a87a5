"""Planted defects and correct variants of the chapter *shedding*."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.planted import Planted

PLANTED: Final[tuple[Planted, ...]] = ()
