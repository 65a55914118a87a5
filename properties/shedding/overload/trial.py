"""The trial of `shedding.overload`, and how the reference answers it."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.properties.shedding.memory import answered
from evenkeel.properties.shedding.rounds import (
    RoundsTrial,
    SheddingAnswer,
    WeightedConfig,
    require_integers,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import overload
from evenkeel.reference.shedding.overload import OverloadRules


@dataclass(frozen=True, slots=True, kw_only=True)
class OverloadConfig(WeightedConfig):
    """The configuration of OverloadShedder: the threshold in percent, weights 0 to 1000."""

    overloaded_percent: int = field(
        default=85, metadata={"wire": "loadBalancerBrokerOverloadedThresholdPercentage"}
    )

    def __post_init__(self) -> None:
        WeightedConfig.__post_init__(self)
        require_integers("overloaded_percent", self.overloaded_percent)

    @property
    def rules(self) -> OverloadRules:
        """The configuration as the reference has it."""
        return OverloadRules(self.weights, self.overloaded_percent)


@dataclass(frozen=True, slots=True, kw_only=True)
class OverloadTrial(RoundsTrial):
    """`shedding.overload`: which bundles does OverloadShedder shed, round after round?

    Rounds are in the order of time. `recently_unloaded` names each bundle once.
    """

    config: OverloadConfig


def answer_overload(trial: OverloadTrial, edition: Edition) -> SheddingAnswer:
    """What OverloadShedder sheds."""
    rules = trial.config.rules
    return answered(
        trial, trial.config, lambda _, cluster: overload.decide(cluster, rules, edition)
    )
