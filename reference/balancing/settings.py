"""Which strategies balance, and how they are set: data with Pulsar's names on the wire."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from evenkeel.reference.balancing.scenario import BadScenario
from evenkeel.reference.load.top_bundles import TopRules
from evenkeel.reference.load.usage import Weights
from evenkeel.reference.placement.parameters import PlacementRules
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.settings import GraceRules
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel.reference.shedding.transfer import TransferRules
from evenkeel.reference.shedding.uniform import UniformRules
from evenkeel_engine.frame.settings import COUNT, INT, out_of_bounds, same


class Strategy(StrEnum):
    """The strategy that decides what leaves which broker."""

    NONE = "none"
    OVERLOAD = "overload"
    THRESHOLD = "threshold"
    UNIFORM = "uniform"
    TRANSFER = "transfer"
    AVG = "avg"


class Placer(StrEnum):
    """The strategy that chooses a broker for a bundle."""

    MESSAGE_RATE = "least-long-term-message-rate"
    RESOURCE_USAGE = "least-resource-usage"
    ROUND_ROBIN = "round-robin"
    AVG = "avg"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that decide, in Pulsar's units."""

    grace_minutes: int = same(GraceRules, "grace_minutes")
    overloaded_percent: int = same(OverloadRules, "overloaded_percent", COUNT)
    threshold_percent: int = same(ThresholdRules, "threshold_percentage", COUNT)
    history: float = same(ThresholdRules, "history")
    min_throughput: float = same(ThresholdRules, "min_throughput")
    lower_boundary: bool = same(ThresholdRules, "lower_boundary")
    rate_difference: float = same(UniformRules, "rate_difference")
    throughput_ratio: float = same(UniformRules, "throughput_ratio")
    max_unload_share: float = same(UniformRules, "share")
    min_unload_rate: int = same(UniformRules, "min_msg_rate")
    min_unload_throughput: int = same(UniformRules, "min_throughput")
    max_unload_bundles: int = same(UniformRules, "max_bundles")
    low_threshold: int = same(AvgRules, "low_threshold")
    high_threshold: int = same(AvgRules, "high_threshold")
    low_hits: int = same(AvgRules, "low_hits")
    high_hits: int = same(AvgRules, "high_hits")
    usage_difference: int = same(PlacementRules, "usage_difference")
    distribute_evenly: bool = same(PlacementRules, "distribute_evenly")
    target_std: float = same(TransferRules, "target_std")
    hit_threshold: int = same(TransferRules, "hit_threshold")
    transfer: bool = same(TransferRules, "transfer")
    max_pairs: int = same(TransferRules, "max_pairs")
    delay_seconds: int = same(TransferRules, "delay_seconds")
    ttl_seconds: int = same(TransferRules, "ttl_seconds")
    top_bundles: int = same(TopRules, "most", (1, INT[1]))

    def __post_init__(self) -> None:
        """Refuse what has no meaning; none of a list would make 4.0 fail at every report."""
        for name, sentence in out_of_bounds(self):
            raise BadScenario(name, sentence)


WEIGHTS: Final = Weights()
"""The weights of resources, as 4.0.8 has them by default."""


@dataclass(frozen=True, slots=True)
class BalancerSpec:
    """A shedding strategy with a placement strategy.

    TransferShedder places with the extensible manager's LeastResourceUsageWithWeight, which is
    its only one. AvgShedder places bundles only if it sheds them, too. If it sheds and another
    strategy places, that one decides where bundles go, whatever a move names.
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
