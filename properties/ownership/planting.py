"""Planting in this chapter."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.planting import Function, Make, Planting, always, first, switched, then

PLANTING: Final = Planting("ownership")
defect = PLANTING.defect
correct = PLANTING.correct

__all__ = ["Function", "Make", "always", "correct", "defect", "first", "switched", "then"]
