"""The settings of the shedders: Pulsar's key, default, unit and bounds, each said once.

Defaults are those of 4.0.8 (`ServiceConfiguration`). The reference decides by them, trials carry
them, `simulate` and the wire name them. Bounds are what a trial may hold, both ends included.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, Final, TypeVar

from evenkeel.reference.load.usage import Weights

INT: Final = (-(2**31), 2**31 - 1)
COUNT: Final = (0, 2**31 - 1)
FRACTION: Final = (0.0, 1.0)
WEIGHT: Final = (0.0, 1000.0)
RATIO: Final = (-(2.0**53) + 1, 2.0**53 - 1)

R = TypeVar("R")


def setting(key: str, default: Any, unit: str, bounds: tuple[float, float] | None = None) -> Any:
    """A setting by Pulsar's name."""
    return field(default=default, metadata={"wire": key, "unit": unit, "bounds": bounds})


def same(kind: type[Any], name: str) -> Any:
    """The setting of another class once more."""
    (found,) = (one for one in fields(kind) if one.name == name)
    return field(default=found.default, metadata=found.metadata)


def rules_from(kind: type[R], settings: Any) -> R:
    """The settings of one strategy out of those of a balancer, by Pulsar's names; what that does
    not have keeps its default.
    """
    values = {one.metadata["wire"]: getattr(settings, one.name) for one in fields(settings)}
    wires = {one.name: one.metadata["wire"] for one in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: values[wire] for name, wire in wires.items() if wire in values})


@dataclass(frozen=True, slots=True, kw_only=True)
class GraceRules:
    """The setting of everything that sheds."""

    grace_minutes: int = setting("loadBalancerSheddingGracePeriodMinutes", 30, "minutes", COUNT)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedRules(GraceRules):
    """Of those that look at resource usage: the weights too; memory never counts."""

    cpu_weight: float = setting("loadBalancerCPUResourceWeight", 1.0, "", WEIGHT)
    direct_memory_weight: float = setting("loadBalancerDirectMemoryResourceWeight", 0.0, "", WEIGHT)
    bandwidth_in_weight: float = setting("loadBalancerBandwidthInResourceWeight", 1.0, "", WEIGHT)
    bandwidth_out_weight: float = setting("loadBalancerBandwidthOutResourceWeight", 1.0, "", WEIGHT)

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
