"""Trials of `shedding.avg`: AvgShedder, round after round, and where its bundles are to go."""

from __future__ import annotations

from dataclasses import astuple, dataclass, field
from math import copysign

from evenkeel.properties.shedding.memory import Memory, shed_of
from evenkeel.properties.shedding.rounds import (
    RoundsTrial,
    WeightedConfig,
    bundles_in,
    require_integers,
)
from evenkeel.properties.trial import require
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import avg
from evenkeel.reference.shedding.avg import AvgRules, Plan
from evenkeel.reference.shedding.cluster import BundleLoad, BundleName, Cluster, Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class AvgConfig(WeightedConfig):
    """The configuration of AvgShedder: thresholds in points, rates in msg/s, throughput in bytes/s.

    Weights are 0 to 1000, `maxUnloadPercentage` is a fraction.
    """

    low_threshold: int = field(default=15, metadata={"wire": "loadBalancerAvgShedderLowThreshold"})
    high_threshold: int = field(
        default=40, metadata={"wire": "loadBalancerAvgShedderHighThreshold"}
    )
    low_hits: int = field(
        default=8, metadata={"wire": "loadBalancerAvgShedderHitCountLowThreshold"}
    )
    high_hits: int = field(
        default=2, metadata={"wire": "loadBalancerAvgShedderHitCountHighThreshold"}
    )
    share: float = field(default=0.2, metadata={"wire": "maxUnloadPercentage"})
    min_msg_rate: int = field(default=1000, metadata={"wire": "minUnloadMessage"})
    min_throughput: int = field(default=1048576, metadata={"wire": "minUnloadMessageThroughput"})

    def __post_init__(self) -> None:
        WeightedConfig.__post_init__(self)
        require_integers(
            "integers",
            self.low_threshold,
            self.high_threshold,
            self.low_hits,
            self.high_hits,
            self.min_msg_rate,
            self.min_throughput,
        )
        require(0 <= self.share <= 1, "share", "must be 0 to 1")

    @property
    def rules(self) -> AvgRules:
        """The configuration as the reference has it."""
        return AvgRules(
            self.weights,
            self.low_threshold,
            self.high_threshold,
            self.low_hits,
            self.high_hits,
            self.share,
            self.min_msg_rate,
            self.min_throughput,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AvgTrial(RoundsTrial):
    """`shedding.avg`: which bundles does AvgShedder shed, and where are they to go?

    Rounds are in the order of time. `recently_unloaded` names each bundle once. A plan is kept by a
    bundle's averages: in Java -0.0 and 0.0 are two things there.
    """

    config: AvgConfig

    def __post_init__(self) -> None:
        RoundsTrial.__post_init__(self)
        for place, round_ in enumerate(self.rounds):
            for averages in round_.bundles:
                for traffic in (averages.short_term, averages.long_term):
                    right = not any(map(is_minus_zero, astuple(traffic)))
                    require(right, f"rounds[{place}].bundles", "must not have -0.0")


def is_minus_zero(value: float) -> bool:
    """Whether this is the zero that is below nothing."""
    return value == 0 and copysign(1.0, value) < 0


@dataclass(frozen=True, slots=True)
class Planned:
    """A bundle and the broker that is planned for it after the round."""

    bundle: str
    destination: str | None


@dataclass(frozen=True, slots=True)
class PlannedShed:
    """The bundles that one broker is to shed, in the order in which they were chosen."""

    broker: str
    bundles: tuple[Planned, ...]


@dataclass(frozen=True, slots=True)
class AvgAnswer:
    """For each round the brokers that shed, each named once, in any order."""

    rounds: tuple[tuple[PlannedShed, ...], ...]


def planned_of(decision: Decision, plan: Plan, cluster: Cluster) -> tuple[PlannedShed, ...]:
    """A decision as an answer has it."""

    def planned(bundle: BundleName) -> Planned:
        load = cluster.bundles.get(bundle, BundleLoad())
        return Planned(bundle, plan.destination(bundle, load))

    return tuple(
        PlannedShed(broker, tuple(map(planned, bundles))) for broker, bundles in decision.items()
    )


def answer_avg(trial: AvgTrial, edition: Edition) -> AvgAnswer:
    """What AvgShedder sheds, and where it is to go."""
    rules, memory, state = trial.config.rules, Memory(trial, trial.config), avg.State()
    rounds: list[tuple[PlannedShed, ...]] = []
    for round_ in trial.rounds:
        cluster = memory.cluster(round_)
        state, decision = avg.decide(state, cluster, rules, edition)
        rounds.append(planned_of(decision, state.plan, cluster))
        memory.unload(round_, bundles_in(shed_of(decision)))
    return AvgAnswer(tuple(rounds))
