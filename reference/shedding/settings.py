"""The settings that several shedders have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from evenkeel.reference.load.usage import Weights
from evenkeel_engine.frame.settings import COUNT, same, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class GraceRules:
    """The setting of everything that sheds."""

    grace_minutes: int = setting("loadBalancerSheddingGracePeriodMinutes", 30, "minutes", COUNT)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedRules(GraceRules):
    """Of those that look at resource usage: the weights too; memory never counts."""

    cpu_weight: float = same(Weights, "cpu")
    direct_memory_weight: float = same(Weights, "direct_memory")
    bandwidth_in_weight: float = same(Weights, "bandwidth_in")
    bandwidth_out_weight: float = same(Weights, "bandwidth_out")

    @property
    def weights(self) -> Weights:
        """The weights of resources."""
        return _weights(
            self.cpu_weight,
            self.direct_memory_weight,
            self.bandwidth_in_weight,
            self.bandwidth_out_weight,
        )


@lru_cache(256)
def _weights(cpu: float, direct_memory: float, into: float, out: float) -> Weights:
    return Weights(cpu=cpu, direct_memory=direct_memory, bandwidth_in=into, bandwidth_out=out)
