"""Planted changes of the lock protocol."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.planted import Planted

LOCKS: Final[tuple[Planted, ...]] = ()
