"""Trials of `shedding.avg`: AvgShedder, round after round, and where its bundles are to go."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from math import copysign

from evenkeel.properties.shedding.memory import Memory, shed_of
from evenkeel.properties.shedding.rounds import (
    RoundsTrial,
    bundles_in,
)
from evenkeel.properties.trial import require
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import avg
from evenkeel.reference.shedding.avg import AvgRules, Plan
from evenkeel.reference.shedding.cluster import BundleLoad, BundleName, Cluster, Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class AvgTrial(RoundsTrial):
    """`shedding.avg`: which bundles does AvgShedder shed, and where are they to go?

    Rounds are in the order of time. `recently_unloaded` names each bundle once. No average is -0.0:
    4.0 keeps plans by a bundle's averages, and there -0.0 and 0.0 are two things.
    """

    config: AvgRules

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
    memory, state = Memory(trial), avg.State()
    rounds: list[tuple[PlannedShed, ...]] = []
    for round_ in trial.rounds:
        cluster = memory.cluster(round_)
        state, decision = avg.decide(state, cluster, trial.config, edition)
        rounds.append(planned_of(decision, state.plan, cluster))
        memory.unload(round_, bundles_in(shed_of(decision)))
    return AvgAnswer(tuple(rounds))
