"""The defaults of settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evenkeel.reference.balancing import defaults
from evenkeel.reference.balancing.defaults import CODE
from evenkeel.reference.edition import Edition
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.judge import answers, decision, is_must
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require, require_name

MOST_KEYS: Final = 1000


@dataclass(frozen=True, slots=True)
class DefaultsTrial:
    """`balancing.defaults`: what are the defaults of these settings, by Pulsar's names?

    At most 1000 names, not all of settings. A balancer without one of Pulsar's skips the trial.
    """

    keys: tuple[str, ...]

    def __post_init__(self) -> None:
        require(len(self.keys) <= MOST_KEYS, "keys", f"at most {MOST_KEYS}")
        for key in self.keys:
            require_name("keys", key)


@dataclass(frozen=True, slots=True)
class DefaultsAnswer:
    """Each setting's default as text, as in broker.conf; null for a name that is no setting.

    Numbers may be written as programs read them (1e1 for 10), classes with or without packages.
    """

    values: tuple[str | None, ...]


KEYS: Final = (*sorted(CODE), "loadBalancerNoSuchSetting")


def defaults_trial(draw: Draw) -> DefaultsTrial:
    """A few settings, rarely one that does not exist."""
    return DefaultsTrial(tuple(draw.pick(KEYS) for _ in draw.items(8, 0.7, least=1)))


def answer_defaults(trial: DefaultsTrial, edition: Edition) -> DefaultsAnswer:
    return DefaultsAnswer(tuple(defaults.default_of(key, edition) for key in trial.keys))


def defaults_labels(trial: DefaultsTrial) -> Iterator[str]:
    yield "several settings" if len(trial.keys) > 1 else "one setting or none"


DOCUMENTS: Final = {
    "defaultNamespaceBundleSplitAlgorithm": "range_equally_divide",
    "loadBalancerAutoBundleSplitEnabled": "true",
    "loadBalancerAutoUnloadSplitBundlesEnabled": "true",
    "loadBalancerAvgShedderHighThreshold": "40",
    "loadBalancerAvgShedderHitCountHighThreshold": "2",
    "loadBalancerAvgShedderHitCountLowThreshold": "8",
    "loadBalancerAvgShedderLowThreshold": "15",
    "loadBalancerBandwidthInResourceWeight": "1.0",
    "loadBalancerBandwidthOutResourceWeight": "1.0",
    "loadBalancerBrokerLoadTargetStd": "0.25",
    "loadBalancerBrokerOverloadedThresholdPercentage": "85",
    "loadBalancerBrokerThresholdShedderPercentage": "10",
    "loadBalancerBundleUnloadMinThroughputThreshold": "10",
    "loadBalancerCPUResourceWeight": "1.0",
    "loadBalancerHistoryResourcePercentage": "0.9",
    "loadBalancerLoadPlacementStrategy": "LeastLongTermMessageRate",
    "loadBalancerLoadSheddingStrategy": "ThresholdShedder",
    "loadBalancerNamespaceBundleMaxBandwidthMbytes": "100",
    "loadBalancerNamespaceBundleMaxMsgRate": "30000",
    "loadBalancerNamespaceBundleMaxSessions": "1000",
    "loadBalancerNamespaceBundleMaxTopics": "1000",
    "loadBalancerNamespaceMaximumBundles": "128",
    "lowerBoundarySheddingEnabled": "false",
    "dispatchThrottlingOnNonBacklogConsumerEnabled": "true",
    "preciseDispatcherFlowControl": "false",
}
"""By setting, as documented; the documents disagree about the weight of direct memory."""


def fits(value: str | None, right: str | None) -> bool:
    """Whether two values are the same number or class, however written."""
    if value is None or right is None:
        return value is right
    try:
        return float(value) == float(right)
    except ValueError:
        return value.rpartition(".")[2].lower() == right.rpartition(".")[2].lower()


@decision("balancing.defaults", "BAL-20", "BAL-21")
def judge_defaults(run: Run, case: Case[DefaultsTrial, DefaultsAnswer]) -> None:
    keys, exact = case.trial.keys, is_must("BAL-21", case.edition.name)
    if not answers(run, case, "BAL-20") or not isinstance(case.observation, DefaultsAnswer):
        return
    values, otherwise = case.observation.values, dict(case.edition.defaults_otherwise)
    counted = len(values) == len(keys)
    run.require("BAL-20", counted, lambda: f"{len(values)} values for {len(keys)} settings")
    for key, value in zip(keys, values, strict=False):
        if key in otherwise:
            right = otherwise[key]
            run.require("BAL-21", fits(value, right), f"{key} is {value}, not {right}", key)
            continue
        if right := DOCUMENTS.get(key):
            run.require("BAL-20", fits(value, right), f"{key} is {value}, not {right}", key)
        if exact:
            shipped = str(CODE[key]) if key in CODE else None
            run.require("BAL-21", fits(value, shipped), f"{key} is {value}, not {shipped}", key)


DEFAULTS: Final = Question(
    "balancing.defaults",
    DefaultsTrial,
    DefaultsAnswer,
    defaults_trial,
    answer_defaults,
    defaults_labels,
)

QUESTIONS: Final = (DEFAULTS,)
