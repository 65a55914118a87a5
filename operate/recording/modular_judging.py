"""A round of the modular manager's strategy as a trial of the desk, and what its judge finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from evenkeel.properties.shedding.overload import OverloadTrial, answer_overload
from evenkeel.properties.shedding.overload import judge_overload_shedder as overload_shedder
from evenkeel.properties.shedding.threshold import ThresholdTrial, answer_threshold, judge_after
from evenkeel.properties.shedding.trial_parts import (
    AveragedBundle,
    ModularRound,
    ReportedBroker,
    Shed,
    SheddingAnswer,
    Unloaded,
)
from evenkeel.properties.shedding.uniform import UniformTrial, answer_uniform
from evenkeel.properties.shedding.uniform import judge_uniform_load_shedder as uniform_load_shedder
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.cluster import Cluster
from evenkeel_engine.kit.clause import Case, Findings, Violation
from evenkeel_engine.kit.trial import BadTrial

TRIALS: Final[Mapping[str, tuple[Any, Callable[..., SheddingAnswer]]]] = {
    "ThresholdShedder": (ThresholdTrial, answer_threshold),
    "UniformLoadShedder": (UniformTrial, answer_uniform),
    "OverloadShedder": (OverloadTrial, answer_overload),
}


def judge_decision(
    strategy: str,
    rules: Any,
    cluster: Cluster,
    at: int,
    histories: Mapping[str, float],
    made: Mapping[str, tuple[str, ...]],
    edition: Edition,
) -> dict[str, str]:
    """The clauses that a decision breaks, each with why. Raises `BadTrial`."""
    kind, answer = TRIALS[strategy]
    unloaded = tuple(Unloaded(str(name), at) for name in cluster.recently_unloaded)
    trial = kind(recently_unloaded=unloaded, rounds=(round_of(cluster, at),), config=rules)
    observed = SheddingAnswer((tuple(Shed(broker, made[broker]) for broker in sorted(made)),))
    return list_broken(judge_case(strategy, Case(trial, observed, edition, answer), histories))


def list_broken(found: Findings) -> dict[str, str]:
    """The clauses that are violated, each with why."""
    every = found.by_clause.items()
    return {clause: one.sentence for clause, one in every if isinstance(one, Violation)}


def judge_case(strategy: str, case: Case[Any, Any], histories: Mapping[str, float]) -> Findings:
    """What the judge of the strategy's question says."""
    if strategy == "ThresholdShedder":
        return judge_after(case, histories)
    judge = uniform_load_shedder if strategy == "UniformLoadShedder" else overload_shedder
    return judge.judge(case)


def round_of(cluster: Cluster, at: int) -> ModularRound:
    """What the leader knew, as a round of a trial."""
    return ModularRound(
        at,
        tuple(
            ReportedBroker(str(name), report.resources, report.traffic, tuple(report.bundles))
            for name, report in cluster.brokers.items()
        ),
        tuple(
            AveragedBundle(str(name), load.short_term, load.long_term)
            for name, load in cluster.bundles.items()
        ),
        (),
    )


__all__ = ["BadTrial", "judge_decision", "list_broken"]
