"""Switches of the chapter ownership."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class OwnershipSwitches:
    """Where the documents and the shipped code disagree about ownership."""
