"""Switches of the chapter placement."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class PlacementSwitches:
    """Where the documents and the shipped code disagree about placement."""
