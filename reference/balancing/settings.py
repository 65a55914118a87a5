"""Which strategies balance, and how they are set: plain data with Pulsar's names on the wire."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final

from evenkeel.reference.balancing.scenario import BadScenario
from evenkeel.reference.load.usage import Weights
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.settings import GraceRules, same, setting
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel.reference.shedding.uniform import UniformRules


class Strategy(StrEnum):
    """Who decides what leaves which broker."""

    NONE = "none"
    OVERLOAD = "overload"
    THRESHOLD = "threshold"
    UNIFORM = "uniform"
    TRANSFER = "transfer"
    AVG = "avg"


class Placer(StrEnum):
    """Who chooses a broker for a bundle."""

    MESSAGE_RATE = "least-long-term-message-rate"
    RESOURCE_USAGE = "least-resource-usage"
    ROUND_ROBIN = "round-robin"
    AVG = "avg"


def key(name: str, default: Any) -> Any:
    """A setting by Pulsar's name, with its default in 4.0.8 (`ServiceConfiguration`)."""
    return setting(name, default, "")


AT_LEAST_ZERO: Final = (
    "grace_minutes",
    "overloaded_percent",
    "threshold_percent",
    "delay_seconds",
    "ttl_seconds",
)
"""Settings of which less than nothing means nothing."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that decide. Units are Pulsar's: percent, points, fractions, minutes, seconds,
    msg/s, bytes/s; `loadBalancerBundleUnloadMinThroughputThreshold` in MiB/s.
    """

    grace_minutes: int = same(GraceRules, "grace_minutes")
    overloaded_percent: int = same(OverloadRules, "overloaded_percent")
    threshold_percent: int = same(ThresholdRules, "threshold_percentage")
    history: float = same(ThresholdRules, "history")
    min_throughput: float = same(ThresholdRules, "min_throughput")
    lower_boundary: bool = same(ThresholdRules, "lower_boundary")
    rate_difference: float = same(UniformRules, "rate_difference")
    throughput_ratio: float = same(UniformRules, "throughput_ratio")
    max_unload_share: float = same(UniformRules, "share")
    min_unload_rate: int = same(UniformRules, "min_msg_rate")
    min_unload_throughput: int = same(UniformRules, "min_throughput")
    max_unload_bundles: int = same(UniformRules, "max_bundles")
    low_threshold: int = key("loadBalancerAvgShedderLowThreshold", 15)
    high_threshold: int = key("loadBalancerAvgShedderHighThreshold", 40)
    low_hits: int = key("loadBalancerAvgShedderHitCountLowThreshold", 8)
    high_hits: int = key("loadBalancerAvgShedderHitCountHighThreshold", 2)
    usage_difference: int = key("loadBalancerAverageResourceUsageDifferenceThresholdPercentage", 10)
    distribute_evenly: bool = key("loadBalancerDistributeBundlesEvenlyEnabled", True)
    target_std: float = key("loadBalancerBrokerLoadTargetStd", 0.25)
    hit_threshold: int = key("loadBalancerSheddingConditionHitCountThreshold", 3)
    transfer: bool = key("loadBalancerTransferEnabled", True)
    max_pairs: int = key("loadBalancerMaxNumberOfBrokerSheddingPerCycle", 3)
    delay_seconds: int = key("loadBalanceSheddingDelayInSeconds", 180)
    ttl_seconds: int = key("loadBalancerBrokerLoadDataTTLInSeconds", 1800)
    top_bundles: int = key("loadBalancerMaxNumberOfBundlesInBundleLoadReport", 10)

    def __post_init__(self) -> None:
        """Refuse what means nothing; none of a list would make 4.0 fail at every report."""
        wires = {setting.name: setting.metadata["wire"] for setting in fields(self)}
        for name in AT_LEAST_ZERO:
            if getattr(self, name) < 0:
                raise BadScenario(wires[name], "must be 0 or more")
        if not 0 <= self.history <= 1:
            raise BadScenario(wires["history"], "must be from 0 to 1")
        if self.top_bundles < 1:
            raise BadScenario(wires["top_bundles"], "must be 1 or more")


WEIGHTS: Final = Weights()
"""The weights of resources, as 4.0.8 has them by default."""


@dataclass(frozen=True, slots=True)
class BalancerSpec:
    """A shedding strategy with a placement strategy.

    TransferShedder places with the extensible manager's LeastResourceUsageWithWeight, which is
    its only one. AvgShedder places bundles only if it sheds them, too.
    """

    strategy: Strategy
    placement: Placer
    settings: Settings = Settings()

    def __post_init__(self) -> None:
        transfers = self.strategy is Strategy.TRANSFER
        if transfers and self.placement is not Placer.RESOURCE_USAGE:
            raise BadScenario("placement", f"transfer places by {Placer.RESOURCE_USAGE} alone")
        if self.placement is Placer.AVG and self.strategy is not Strategy.AVG:
            raise BadScenario("placement", f"avg places only what avg sheds, not {self.strategy}")


USUAL_PLACER: Final = {
    Strategy.NONE: Placer.MESSAGE_RATE,
    Strategy.OVERLOAD: Placer.MESSAGE_RATE,
    Strategy.THRESHOLD: Placer.MESSAGE_RATE,
    Strategy.UNIFORM: Placer.MESSAGE_RATE,
    Strategy.TRANSFER: Placer.RESOURCE_USAGE,
    Strategy.AVG: Placer.AVG,
}
"""The placement that each strategy usually goes with in 4.0."""
