"""BAL-20 and BAL-21: the defaults that the documents name, and those of 4.0.8."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.balancing.defaults.trial import DefaultsAnswer, DefaultsTrial
from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import answers, binds, decision
from evenkeel.properties.judging.run import Run
from evenkeel.reference.balancing.defaults import CODE

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
"""By setting, as the documents say it; of the weight of direct memory they disagree."""


def fits(value: str | None, right: str | None) -> bool:
    """The same number, however it is written; the same class, with or without its package."""
    if value is None or right is None:
        return value is right
    try:
        return float(value) == float(right)
    except ValueError:
        return value.rpartition(".")[2].lower() == right.rpartition(".")[2].lower()


@decision("balancing.defaults", "BAL-20", "BAL-21")
def defaults(run: Run, case: Case[DefaultsTrial, DefaultsAnswer]) -> None:
    keys, exact = case.trial.keys, binds("BAL-21", case.edition.name)
    if not answers(run, case, "BAL-20") or not isinstance(case.observation, DefaultsAnswer):
        return
    values = case.observation.values
    counted = len(values) == len(keys)
    run.require("BAL-20", counted, lambda: f"{len(values)} values for {len(keys)} settings")
    for key, value in zip(keys, values, strict=False):
        if right := DOCUMENTS.get(key):
            run.require("BAL-20", fits(value, right), f"{key} is {value}, not {right}", key)
        if exact:
            shipped = str(CODE[key]) if key in CODE else None
            run.require("BAL-21", fits(value, shipped), f"{key} is {value}, not {shipped}", key)
