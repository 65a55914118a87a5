"""Switches of the chapter balancing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class BalancingSwitches:
    """Where the documents and the shipped code disagree about balancing."""
