"""The trial of `shedding.uniform`, and how the reference answers it."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.properties.shedding.memory import answered
from evenkeel.properties.shedding.rounds import (
    GraceConfig,
    RoundsTrial,
    SheddingAnswer,
    require_integers,
)
from evenkeel.properties.trial import require
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import uniform
from evenkeel.reference.shedding.uniform import UniformRules


@dataclass(frozen=True, slots=True, kw_only=True)
class UniformConfig(GraceConfig):
    """The configuration of UniformLoadShedder: rates in msg/s, throughput in bytes/s.

    `loadBalancerMsgRateDifferenceShedderThreshold` is in percent, `maxUnloadPercentage` a fraction.
    """

    rate_difference: float = field(
        default=50.0, metadata={"wire": "loadBalancerMsgRateDifferenceShedderThreshold"}
    )
    throughput_ratio: float = field(
        default=4.0,
        metadata={"wire": "loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold"},
    )
    share: float = field(default=0.2, metadata={"wire": "maxUnloadPercentage"})
    min_msg_rate: int = field(default=1000, metadata={"wire": "minUnloadMessage"})
    min_throughput: int = field(default=1048576, metadata={"wire": "minUnloadMessageThroughput"})
    max_bundles: int = field(default=-1, metadata={"wire": "maxUnloadBundleNumPerShedding"})

    def __post_init__(self) -> None:
        GraceConfig.__post_init__(self)
        require_integers("integers", self.min_msg_rate, self.min_throughput, self.max_bundles)
        require(0 <= self.share <= 1, "share", "must be 0 to 1")
        for name in ("rate_difference", "throughput_ratio"):
            require(abs(getattr(self, name)) < 2**53, name, "must be below 2^53")

    @property
    def rules(self) -> UniformRules:
        """The configuration as the reference has it."""
        return UniformRules(
            self.rate_difference,
            self.throughput_ratio,
            self.share,
            self.min_msg_rate,
            self.min_throughput,
            self.max_bundles,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UniformTrial(RoundsTrial):
    """`shedding.uniform`: which bundles does UniformLoadShedder shed, round after round?

    Rounds are in the order of time. `recently_unloaded` names each bundle once.
    """

    config: UniformConfig


def answer_uniform(trial: UniformTrial, edition: Edition) -> SheddingAnswer:
    """What UniformLoadShedder sheds."""
    rules = trial.config.rules
    return answered(trial, trial.config, lambda _, cluster: uniform.decide(cluster, rules, edition))
