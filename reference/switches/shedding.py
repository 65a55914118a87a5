"""Switches of the chapter shedding."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class SheddingSwitches:
    """Where the documents and the shipped code disagree about shedding."""
