"""Numbers in this chapter's trials: what is allowed, and how an answer says "none"."""

from __future__ import annotations

import math
from typing import Any, Final

from evenkeel.properties.names import require_bundle
from evenkeel.properties.trial import BadTrial, require, require_different
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resources
from evenkeel.reference.settings import out_of_bounds

LARGEST: Final = 1e12
SMALLEST_LIMIT: Final = 1e-6
LARGEST_COUNT: Final = 2**24

TRAFFIC: Final = ("msg_rate_in", "msg_rate_out", "throughput_in", "throughput_out")
RESOURCES: Final = ("cpu", "memory", "direct_memory", "bandwidth_in", "bandwidth_out")


def finite(value: float) -> float | None:
    """The number; None where there is no finite one."""
    return value if math.isfinite(value) else None


def require_number(place: str, value: float, least: float = -LARGEST) -> None:
    """A finite number from `least` to 10^12."""
    require(least <= value <= LARGEST, place, f"must be a number from {least:g} to {LARGEST:g}")


def require_limit(place: str, limit: float) -> None:
    """A resource's limit: 0 or less where it is unknown, or a number that is not tiny."""
    require_number(place, limit)
    require(limit <= 0 or limit >= SMALLEST_LIMIT, place, "must be 0 or less, or 10^-6 or more")


def require_resources(place: str, resources: Resources) -> None:
    """Five usages and limits that are numbers."""
    for name in RESOURCES:
        resource = getattr(resources, name)
        require_number(f"{place}.{name}.usage", resource.usage)
        require_limit(f"{place}.{name}.limit", resource.limit)


def require_settings(place: str, settings: Any) -> None:
    """Each setting is within its bounds."""
    for name, sentence in out_of_bounds(settings):
        raise BadTrial(f"{place}.{name}", sentence)


def require_traffic(place: str, traffic: Traffic) -> None:
    """Four numbers, none negative."""
    for name in TRAFFIC:
        if not 0.0 <= getattr(traffic, name) <= LARGEST:  # the place is written where it is needed
            require_number(f"{place}.{name}", getattr(traffic, name), 0.0)


def require_count(place: str, count: int) -> None:
    """A number of things."""
    require(0 <= count <= LARGEST_COUNT, place, "must be from 0 to 2^24")


def require_bundles(place: str, bundles: tuple[BundleStatistics, ...]) -> None:
    """Measurements of different bundles."""
    require_different(place, (bundle.bundle for bundle in bundles))
    for index, bundle in enumerate(bundles):
        try:
            require_bundle("bundle", bundle.bundle)
            require_traffic("traffic", bundle.traffic)
            require_count("topics", bundle.topics)
            require_count("producers", bundle.producers)
            require_count("consumers", bundle.consumers)
            require(0 <= bundle.cache < 2**53, "cache", "must be 0 or more")
        except BadTrial as bad:
            raise BadTrial(f"{place}[{index}].{bad.place}", bad.reason) from bad
