"""Searches as users type them, and where each must lead."""

from __future__ import annotations

from typing import Final

MINE: Final = "docs/how-to/my-cluster#"

READERS: Final = {
    "grace period": "spec/shedding#clause-shd-3",
    "token bucket": "spec/throttling#the-token-bucket",
    "ThresholdShedder": "spec/shedding#thresholdshedder",
    "isolation policy": f"{MINE}a-namespace-isolation-policy-is-not-kept",
    "anti-affinity": "spec/placement#clause-plc-28",
    "TransferShedder not moving bundles": f"{MINE}transfershedder-does-not-move-bundles",
    "upgrade from 3.0 to 4.0": f"{MINE}after-an-upgrade-from-3-0-or-4-0-it-balances-otherwise",
    "topic not found after unload": f"{MINE}a-topic-is-not-found-after-an-unload",
    "bundles keep moving back and forth": f"{MINE}bundles-keep-moving-back-and-forth",
    "consumer gets more messages than dispatchThrottlingRatePerTopicInMsg": (
        f"{MINE}consumers-get-more-messages-than-the-dispatch-limit"
    ),
    "overloaded broker": f"{MINE}one-broker-is-overloaded",
    "loadBalancerBrokerOverloadedThresholdPercentage": (
        "keys#loadbalancerbrokeroverloadedthresholdpercentage"
    ),
    "AvgShedder": "spec/shedding#avgshedder",
    "default shedding strategy 4.0": (
        f"{MINE}which-shedding-strategy-is-the-default-of-my-release"
    ),
    "unload bundle to destination broker": (
        f"{MINE}a-bundle-does-not-go-to-the-destination-broker-that-was-named"
    ),
    "loadBalancerLoadSheddingStrategy": "keys#loadbalancerloadsheddingstrategy",
    "why are my bundles not balanced": f"{MINE}my-bundles-are-not-balanced",
    "bundle split algorithm": f"{MINE}which-bundle-split-algorithm-should-i-choose",
    "dispatch rate exceeds limit": f"{MINE}consumers-get-more-messages-than-the-dispatch-limit",
    "two brokers own the same topic": f"{MINE}two-brokers-own-the-same-topic",
    "what is a bundle": "glossary#term-bundle",
    "custom load shedding strategy": (
        "docs/how-to/check-your-own-strategy#check-your-own-strategy"
    ),
}
"""Those with which the search was found wanting."""
USERS: Final = {
    "uneven traffic across brokers": f"{MINE}my-bundles-are-not-balanced",
    "load balancer keeps unloading the same bundle": f"{MINE}bundles-keep-moving-back-and-forth",
    "new broker gets no traffic after scale out": f"{MINE}a-new-broker-gets-no-traffic",
    "bundle with one hot topic cannot be split": (
        f"{MINE}one-hot-topic-is-too-much-for-its-bundle"
    ),
    "ownership lost after zookeeper session expired": (
        f"{MINE}ownership-is-lost-after-a-zookeeper-session-expired"
    ),
    "how many bundles per namespace": f"{MINE}how-many-bundles-does-a-namespace-need",
    "dispatch throttling not accurate": (
        f"{MINE}consumers-get-more-messages-than-the-dispatch-limit"
    ),
    "consumer stops receiving messages with dispatch rate limit": (
        f"{MINE}a-consumer-stops-receiving-under-a-dispatch-limit"
    ),
    "switch from ModularLoadManager to ExtensibleLoadManager": (
        "docs/how-to/change-the-load-manager#change-the-load-manager-of-a-running-cluster"
    ),
    "flow_or_qps_equally_divide": "spec/splitting#algorithms",
    "namespace isolation policy primary brokers": (
        f"{MINE}a-namespace-isolation-policy-is-not-kept"
    ),
    "all bundles on one broker after rolling restart": (
        f"{MINE}all-bundles-are-on-one-broker-after-a-rolling-restart"
    ),
    "maxUnloadPercentage": "keys#maxunloadpercentage",
    "too many lookup redirects": f"{MINE}lookups-fail-or-redirect-without-end",
    "loadBalancerNamespaceBundleMaxSessions": "keys#loadbalancernamespacebundlemaxsessions",
    "replicator dispatch rate": "spec/throttling#clause-thr-70",
    "service unit state channel": "spec/ownership#the-ownership-channel",
    "CPU usage 100% but bundles are not unloaded": f"{MINE}one-broker-is-overloaded",
}
"""In the words of Pulsar's mailing lists and issues."""
