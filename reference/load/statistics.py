"""What a broker measures of one of its bundles."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel.reference.load.traffic import Traffic


@dataclass(frozen=True, slots=True)
class BundleStatistics:
    """Traffic now, not averaged; loaded topics and their clients; bytes of cache."""

    bundle: str
    traffic: Traffic = Traffic()
    topics: int = 0
    producers: int = 0
    consumers: int = 0
    cache: int = 0
