"""The settings of splitting: Pulsar's key, default, unit and bounds, each in one place."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel_engine.frame.settings import COUNT, INT, setting

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class FlowLimits:
    """What a bundle may carry, and the margin in percent by which it must exceed one of these
    before `flow_or_qps_equally_divide` cuts it.
    """

    max_msg_rate: int = setting("loadBalancerNamespaceBundleMaxMsgRate", 30000, "msg/s", COUNT)
    max_bandwidth_mbytes: int = setting(
        "loadBalancerNamespaceBundleMaxBandwidthMbytes", 100, "MB/s", COUNT
    )
    difference_percent: int = setting("flowOrQpsDifferenceThresholdPercentage", 10, "%", COUNT)

    @property
    def max_throughput(self) -> int:
        """The bandwidth limit in bytes per second."""
        return self.max_bandwidth_mbytes * MEBIBYTE


@dataclass(frozen=True, slots=True)
class SplitRules:
    """What decides which bundles are due for a split: rates in msg/s, MB/s.

    A limit of 0 topics, msg/s or MB/s is like any other; below 0, and at 0 sessions, there may be
    none. A maximum of 0 bundles or less lets nothing be split. A bundle may have to be above a
    limit for more cycles in a row than the hit count threshold; the cap is of one cycle's splits.
    """

    max_topics: int = setting("loadBalancerNamespaceBundleMaxTopics", 1000, "", INT)
    max_sessions: int = setting("loadBalancerNamespaceBundleMaxSessions", 1000, "", INT)
    max_msg_rate: int = setting("loadBalancerNamespaceBundleMaxMsgRate", 30000, "msg/s", INT)
    max_bandwidth_mbytes: int = setting(
        "loadBalancerNamespaceBundleMaxBandwidthMbytes", 100, "MB/s", INT
    )
    max_bundles: int = setting("loadBalancerNamespaceMaximumBundles", 128, "", INT)
    split_enabled: bool = setting("loadBalancerAutoBundleSplitEnabled", True, "")
    hit_count_threshold: int = setting(
        "loadBalancerNamespaceBundleSplitConditionHitCountThreshold", 3, "cycles", INT
    )
    max_splits_per_cycle: int = setting(
        "loadBalancerMaxNumberOfBundlesToSplitPerCycle", 10, "", INT
    )


@dataclass(frozen=True, slots=True)
class UnloadRules:
    """Whether the children of automatic splits are unloaded."""

    unload_split: bool = setting("loadBalancerAutoUnloadSplitBundlesEnabled", True, "")
