"""The settings that decide where a bundle is placed."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel.reference.load.usage import Weights
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel_engine.frame.settings import COUNT, INT, same, setting


@dataclass(frozen=True, slots=True)
class PlacementRules:
    """The settings of filters and strategies, of either manager."""

    overloaded_percent: int = same(OverloadRules, "overloaded_percent")
    usage_difference: int = setting(
        "loadBalancerAverageResourceUsageDifferenceThresholdPercentage", 10, "points", INT
    )
    distribute_evenly: bool = setting("loadBalancerDistributeBundlesEvenlyEnabled", True, "")
    history: float = same(ThresholdRules, "history")
    heap: float = same(Weights, "memory")
    max_topics: int = setting("loadBalancerBrokerMaxTopics", 50000, "topics", COUNT)
    prefer_later: bool = setting("preferLaterVersions", False, "")
