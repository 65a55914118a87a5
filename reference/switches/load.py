"""Switches of the chapter load."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class LoadSwitches:
    """Where the documents and the shipped code disagree about load."""
