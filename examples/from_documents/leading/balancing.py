"""Settings and strategies of the load managers (Concepts, "Bundle unloading strategies")."""

from __future__ import annotations

from examples.from_documents.leading.common import Context, Json, RefusedError

DEFAULTS = {
    # Blog, "Section 1" and "Section 5"; Concepts.
    "loadBalancerBrokerOverloadedThresholdPercentage": "85",
    "loadBalancerBrokerThresholdShedderPercentage": "10",
    "loadBalancerHistoryResourcePercentage": "0.9",
    "loadBalancerCPUResourceWeight": "1.0",
    "loadBalancerBandwidthInResourceWeight": "1.0",
    "loadBalancerBandwidthOutResourceWeight": "1.0",
    # ThresholdShedder, 1.1, 1.3 and 1.4.
    "loadBalancerDirectMemoryResourceWeight": "0",
    "loadBalancerBundleUnloadMinThroughputThreshold": "10",
    "lowerBoundarySheddingEnabled": "false",
    # Blog, "Section 2".
    "loadBalancerAutoBundleSplitEnabled": "true",
    "loadBalancerAutoUnloadSplitBundlesEnabled": "true",
    "loadBalancerNamespaceBundleMaxTopics": "1000",
    "loadBalancerNamespaceBundleMaxSessions": "1000",
    "loadBalancerNamespaceBundleMaxMsgRate": "30000",
    "loadBalancerNamespaceBundleMaxBandwidthMbytes": "100",
    "loadBalancerNamespaceMaximumBundles": "128",
    # Concepts, "TransferShedder" and "AvgShedder".
    "loadBalancerBrokerLoadTargetStd": "0.25",
    "loadBalancerAvgShedderLowThreshold": "15",
    "loadBalancerAvgShedderHighThreshold": "40",
    "loadBalancerAvgShedderHitCountLowThreshold": "8",
    "loadBalancerAvgShedderHitCountHighThreshold": "2",
    # Blog, "Shedding" ("the default ThresholdShedder strategy") and "Section 1".
    "loadBalancerLoadSheddingStrategy": "ThresholdShedder",
    "loadBalancerLoadPlacementStrategy": "LeastLongTermMessageRate",
    "defaultNamespaceBundleSplitAlgorithm": "range_equally_divide",
    # Message dispatch throttling, "Throttling configurations".
    "dispatchThrottlingRateInMsg": "-1",
    "dispatchThrottlingRateInByte": "-1",
    "preciseDispatcherFlowControl": "false",
    "dispatchThrottlingOnBatchMessageEnabled": "false",
    "dispatchThrottlingOnNonBacklogConsumerEnabled": "true",
    "dispatcherMaxReadBatchSize": "100",
    # The defaults in the tables of the wire pages.
    "loadBalancerSheddingGracePeriodMinutes": "30",
    "loadBalancerMsgRateDifferenceShedderThreshold": "50.0",
    "loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold": "4.0",
    "maxUnloadPercentage": "0.2",
    "minUnloadMessage": "1000",
    "minUnloadMessageThroughput": "1048576",
    "maxUnloadBundleNumPerShedding": "-1",
    "loadBalancerAverageResourceUsageDifferenceThresholdPercentage": "10",
    "loadBalancerDistributeBundlesEvenlyEnabled": "true",
    "loadBalancerSheddingConditionHitCountThreshold": "3",
    "loadBalancerTransferEnabled": "true",
    "loadBalancerMaxNumberOfBrokerSheddingPerCycle": "3",
    "loadBalanceSheddingDelayInSeconds": "180",
    "loadBalancerBrokerLoadDataTTLInSeconds": "1800",
    "loadBalancerMaxNumberOfBundlesInBundleLoadReport": "10",
    "loadBalancerSheddingBundlesWithPoliciesEnabled": "false",
    "loadBalancerDebugModeEnabled": "false",
}

SHEDDING = {
    "modular": {"OverloadShedder", "ThresholdShedder", "UniformLoadShedder", "AvgShedder"},
    "extensible": {"TransferShedder"},
}
USUAL_SHEDDING = {"modular": "ThresholdShedder", "extensible": "TransferShedder"}
PLACING = {
    "modular": {
        "LeastLongTermMessageRate",
        "LeastResourceUsageWithWeight",
        "RoundRobinBrokerSelector",
        "AvgShedder",
    },
    "extensible": {"LeastResourceUsageWithWeight"},
}
USUAL_PLACING = {
    "modular": "LeastLongTermMessageRate",
    "extensible": "LeastResourceUsageWithWeight",
}


def defaults(_context: Context, trial: Json) -> Json:
    """balancing.defaults."""
    return {"values": [DEFAULTS.get(key) for key in trial["keys"]]}


def strategy(context: Context, trial: Json) -> Json:
    """balancing.strategy: Concepts' table says which manager has which strategy."""
    manager = trial["manager"]
    sheds = trial["strategy"] or USUAL_SHEDDING[manager]
    places = trial.get("placement") or USUAL_PLACING[manager]
    if sheds not in SHEDDING[manager]:
        if context.interpretations.unavailable_refused:
            raise RefusedError(f"{sheds} is not available in the {manager} manager")
        sheds = USUAL_SHEDDING[manager]
    if places not in PLACING[manager]:
        places = USUAL_PLACING[manager]
    return {"sheds": sheds, "places": places}


HANDLERS = {"balancing.defaults": defaults, "balancing.strategy": strategy}
