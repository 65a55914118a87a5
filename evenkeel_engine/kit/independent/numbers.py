"""How numbers of a field are generated: the default, a value near it, and the extremes."""

from __future__ import annotations

from typing import Final

from evenkeel_engine.kit.independent.world import LAST, World

YES: Final = {
    "persistent": 0.8,
    "non_persistent": 0.6,
    "store_fails": 0.1,
    "failed": 0.1,
    "fails": 0.2,
    "replay": 0.2,
    "filter_fails": 0.1,
    "owned": 0.9,
    "enabled": 0.9,
    "shedding_enabled": 0.9,
    "reported": 0.8,
    "present": 0.9,
    "connected": 0.9,
    "relative": 0.15,
    "force": 0.15,
    "failure_domains": 0.3,
    "loadBalancerTransferEnabled": 0.8,
    "loadBalancerDebugModeEnabled": 0.3,
}

LENGTHS: Final = {
    "commands": 30,
    "cycles": 8,
    "rounds": 5,
    "samples": 8,
    "entries": 12,
    "sends": 10,
}

THINGS: Final = frozenset(("broker", "bundle", "subscription", "topic", "consumer"))
"""Fields that name what a command is about."""

LONGEST: Final = 60
"""Commands of a story at most."""

MANY: Final = (12, 40, 120)
"""Items of a list that holds the same numbers over and over."""

NOT_EMPTY: Final = (
    "positions",
    "cycles",
    "rounds",
    "commands",
    "brokers",
    "bundles",
    "subscriptions",
    "topics",
    "candidates",
    "asks",
    "samples",
    "sends",
    "namespaces",
    "primary",
)

BUNDLE_LISTS: Final = ("bundles", "failing", "recent_bundles", "splitting")
NAMESPACE_LISTS: Final = ("isolated", "grouped", "anti_affine", "namespaces")

MANAGERS: Final = (
    "org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerImpl",
    "org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl",
)

MEGABYTE: Final = 1_048_576

USUAL: Final[dict[str, tuple[int, int, int]]] = {
    "loadBalancerNamespaceBundleMaxTopics": (1000, 0, 5000),
    "loadBalancerNamespaceBundleMaxSessions": (1000, 0, 5000),
    "loadBalancerNamespaceBundleMaxMsgRate": (30_000, 0, 100_000),
    "loadBalancerNamespaceBundleMaxBandwidthMbytes": (100, 0, 4096),
    "loadBalancerNamespaceMaximumBundles": (128, 0, 300),
    "loadBalancerNamespaceBundleSplitConditionHitCountThreshold": (3, -1, 5),
    "loadBalancerMaxNumberOfBundlesToSplitPerCycle": (10, 0, 12),
    "loadBalancerSheddingGracePeriodMinutes": (30, 0, 60),
    "loadBalancerBrokerOverloadedThresholdPercentage": (85, 0, 100),
    "loadBalancerBrokerThresholdShedderPercentage": (10, 0, 100),
    "loadBalancerAvgShedderLowThreshold": (15, 0, 100),
    "loadBalancerAvgShedderHighThreshold": (40, 0, 100),
    "loadBalancerAvgShedderHitCountLowThreshold": (8, 0, 10),
    "loadBalancerAvgShedderHitCountHighThreshold": (2, 0, 10),
    "minUnloadMessage": (1000, 0, 5000),
    "minUnloadMessageThroughput": (MEGABYTE, 0, 10 * MEGABYTE),
    "maxUnloadBundleNumPerShedding": (-1, -1, 10),
    "loadBalancerSheddingConditionHitCountThreshold": (3, 0, 5),
    "loadBalancerMaxNumberOfBrokerSheddingPerCycle": (3, 0, 10),
    "loadBalanceSheddingDelayInSeconds": (180, 0, 600),
    "loadBalancerBrokerLoadDataTTLInSeconds": (1800, 0, 3600),
    "loadBalancerMaxNumberOfBundlesInBundleLoadReport": (10, 0, 20),
    "loadBalancerAverageResourceUsageDifferenceThresholdPercentage": (10, 0, 100),
    "flowOrQpsDifferenceThresholdPercentage": (10, 0, 100),
    "dispatcherMaxReadBatchSize": (100, 1, 1000),
    "dispatcherMaxReadSizeBytes": (5 * MEGABYTE, 1, 10 * MEGABYTE),
    "dispatcherMaxRoundRobinBatchSize": (20, 1, 100),
    "threshold": (85, 0, 100),
    "difference": (10, 0, 100),
    "overloaded_threshold": (85, 0, 100),
    "max_topics": (50_000, 1, 100_000),
    "max_interval": (15, 0, 60),
    "most": (10, 0, 20),
    "default_count": (4, 1, 128),
    "count": (4, 0, 1000),
    "partition": (0, 0, 100),
    "topics": (12, 0, 3000),
    "producers": (5, 0, 2000),
    "consumers": (9, 0, 2000),
    "cache": (0, 0, MEGABYTE),
    "known_brokers": (3, 0, 12),
    "times": (1, 1, 300),
    "broker": (0, 0, 2),
    "brokers": (3, 2, 3),
    "to": (1, 0, 2),
    "leader": (0, 0, 3),
    "preferred": (0, 0, 3),
    "after": (60, 0, 7200),
    "statistics": (1, 1, 5),
    "least": (1, 0, 4),
    "counter": (0, 0, 2**31 - 1),
    "subscription": (0, 0, 3),
    "entry": (0, 0, 12),
    "permits": (1000, 0, 3000),
    "messages": (100, -1, 3000),
    "bytes": (10_000, -1, 10 * MEGABYTE),
    "period": (1, 1, 60),
    "rate": (1000, 1, 100_000),
    "millis": (1000, 0, 120_000),
    "tokens": (1, 0, 5000),
    "nanos": (10**9, 0, 10**11),
    "resolution": (16_000_000, 1, 10**9),
    "capacity": (1000, 0, 100_000),
    "initial": (1000, 0, 100_000),
    "average_messages": (1, 0, 500),
    "max_entries": (100, 1, 1000),
    "max_bytes": (5 * MEGABYTE, -1, 10 * MEGABYTE),
    "publish_size": (1024, 0, 100_000),
    "dispatch_size": (1024, 0, 100_000),
    "ledger": (0, -1, 6),
    "attempts": (5, -1, 20),
    "consumer": (0, 0, 3),
    "entries": (10, 1, 500),
    "version": (1, 0, 5),
    "NamespaceCount.bundles": (127, 1, 300),
    "Elapse.millis": (3_600_001, 0, 10_000_000),
    "Entry.messages": (1, 1, 12),
    "Entry.bytes": (100, 1, 2000),
    "DispatchRate.messages": (10, -1, 3000),
    "DispatchRate.bytes": (1000, -1, 10 * MEGABYTE),
    "seed": (1, 0, 2**31 - 1),
    "round": (0, 0, 5),
    "throughput": (1000, 0, 10 * MEGABYTE),
    "available": (3, 0, 100),
}
"""Fields with their default, and the least and the largest usual value."""

EXTREMES: Final = (-1, 0, 1, 2**31 - 1, -(2**31), 2**63 - 1)


def whole(world: World, name: str, owner: str) -> int:
    """A whole number for a field."""
    draw = world.draw
    if name in ("now", "at", "updated_at"):
        return world.later()
    if name in ("lower", "upper", "hash", "position", "positions", "boundaries"):
        return hash_of(world)
    default, least, most = USUAL.get(f"{owner}.{name}") or USUAL.get(name, (1, 0, 1000))
    if draw.chance(0.02):
        return draw.pick(EXTREMES)
    if draw.chance(0.3):
        return default
    if draw.chance(0.2):
        return min(max(default + draw.pick((-1, 1, 2)), least), most)
    if draw.chance(0.3):
        return draw.pick((least, most))
    return draw.integer(least, min(most, least + 10) if draw.chance(0.4) else most)


def hash_of(world: World) -> int:
    """A hash: a boundary, one next to it, or any."""
    draw = world.draw
    if draw.chance(0.6):
        return min(max(draw.pick(world.boundaries) + draw.pick((0, 0, 1, -1)), 0), LAST)
    return draw.integer(0, LAST)


SHARES: Final = (
    "maxUnloadPercentage",
    "history",
    "loadBalancerHistoryResourcePercentage",
    "weight",
)

WEIGHTS: Final = ("cpu", "memory", "direct_memory", "bandwidth_in", "bandwidth_out")


def real(world: World, name: str, owner: str) -> float:
    """A number for a field: a share, a weight, a percentage, or something with a heavy tail."""
    draw = world.draw
    if name in SHARES:
        return draw.pick((0.9, 0.2, 0.0, 1.0)) if draw.chance(0.6) else draw.real(0.0, 1.0)
    if owner == "Weights" or name.endswith("ResourceWeight") or name.startswith("misspelt"):
        return draw.pick((1.0, 1.0, 0.0, 0.5)) if draw.chance(0.8) else world.real(0.0, 1000.0)
    if name == "loadBalancerBrokerLoadTargetStd":
        return draw.pick((0.25, 0.0, 1.0)) if draw.chance(0.6) else draw.real(0.0, 1.0)
    if name in ("loadBalancerMsgRateDifferenceShedderThreshold",):
        return draw.pick((50.0, 0.0, 100.0)) if draw.chance(0.6) else world.real(0.0, 1000.0)
    if name == "loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold":
        return draw.pick((4.0, 1.0, 1.5)) if draw.chance(0.6) else world.real(0.0, 100.0)
    if name == "loadBalancerBundleUnloadMinThroughputThreshold":
        return draw.pick((10.0, 0.0)) if draw.chance(0.6) else world.real(0.0, 1000.0)
    if name in ("load", "usage") and owner in ("TransferReport", "UsedBroker"):
        return draw.pick((0.5, 0.85, 0.0, 1.0)) if draw.chance(0.3) else draw.real(0.0, 1.2)
    if name == "cpu":
        return draw.pick((85.0, 0.0, 100.0)) if draw.chance(0.3) else draw.real(0.0, 120.0)
    return world.real()
