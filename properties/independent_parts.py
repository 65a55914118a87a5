"""How the independent generator draws fields that several chapters have, alone and together."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.production import Cluster
from evenkeel_engine.kit.independent.fields import Fields
from evenkeel_engine.kit.independent.maker import Maker, Shaper
from evenkeel_engine.kit.independent.numbers import Real, Whole

MEGABYTE: Final = 1_048_576
GROUPS: Final = ("", "rack-a", "grüppe", "g 1", " \u2003", "\u00a0")
SHARE: Final = Real((0.9, 0.2, 0.0, 1.0), 0.6)
WEIGHT: Final = Real((1.0, 1.0, 0.0, 0.5), 0.8, 1000.0, True)


class Production(Maker):
    """Generates the parts of a trial about one cluster."""

    world: Cluster
    world_type = Cluster


MAKER: Final = Production

FIELDS: Final = Fields(
    wholes={
        "at": Cluster.later,
        "lower": Cluster.hash,
        "upper": Cluster.hash,
        "boundaries": Cluster.hash,
        "loadBalancerSheddingGracePeriodMinutes": Whole(30, 0, 60),
        "loadBalancerBrokerOverloadedThresholdPercentage": Whole(85, 0, 100),
        "loadBalancerBrokerThresholdShedderPercentage": Whole(10, 0, 100),
        "loadBalancerAvgShedderLowThreshold": Whole(15, 0, 100),
        "loadBalancerAvgShedderHighThreshold": Whole(40, 0, 100),
        "loadBalancerAvgShedderHitCountLowThreshold": Whole(8, 0, 10),
        "loadBalancerAvgShedderHitCountHighThreshold": Whole(2, 0, 10),
        "minUnloadMessage": Whole(1000, 0, 5000),
        "minUnloadMessageThroughput": Whole(MEGABYTE, 0, 10 * MEGABYTE),
        "maxUnloadBundleNumPerShedding": Whole(-1, -1, 10),
        "loadBalancerSheddingConditionHitCountThreshold": Whole(3, 0, 5),
        "loadBalancerMaxNumberOfBrokerSheddingPerCycle": Whole(3, 0, 10),
        "loadBalanceSheddingDelayInSeconds": Whole(180, 0, 600),
        "loadBalancerBrokerLoadDataTTLInSeconds": Whole(1800, 0, 3600),
        "threshold": Whole(85, 0, 100),
        "topics": Whole(12, 0, 3000),
        "producers": Whole(5, 0, 2000),
        "consumers": Whole(9, 0, 2000),
        "times": Whole(1, 1, 300),
        "rate": Whole(1000, 1, 100_000),
    },
    reals={
        "maxUnloadPercentage": SHARE,
        "history": SHARE,
        "loadBalancerHistoryResourcePercentage": SHARE,
        "loadBalancerBrokerLoadTargetStd": Real((0.25, 0.0, 1.0), 0.6),
        "loadBalancerMsgRateDifferenceShedderThreshold": Real(
            (50.0, 0.0, 100.0), 0.6, 1000.0, True
        ),
        "loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold": Real(
            (4.0, 1.0, 1.5), 0.6, 100.0, True
        ),
        "loadBalancerBundleUnloadMinThroughputThreshold": Real((10.0, 0.0), 0.6, 1000.0, True),
        "cpu": Real((85.0, 0.0, 100.0), 0.3, 120.0),
        **{
            f"Weights.{name}": WEIGHT
            for name in ("cpu", "memory", "direct_memory", "bandwidth_in", "bandwidth_out")
        },
    },
    texts={
        "bundle": Cluster.bundle,
        "namespace": Cluster.namespace,
        "topic": Cluster.topic,
        "group": lambda world: world.draw.pick(GROUPS),
    },
    yes={"owned": 0.9, "force": 0.15, "loadBalancerTransferEnabled": 0.8},
    lengths={"brokers": (1, 6), "bundles": (1, 6)},
    things=frozenset(("broker", "bundle", "topic")),
)


def resource(maker: Production) -> dict[str, Any]:
    """Usage and limit in one unit: idle, usual, over its limit, or not measured."""
    draw = maker.draw
    limit = draw.pick((100.0, 100.0, 1_250_000.0, 2048.0, 0.0, 0.001))
    if draw.chance(0.05):
        return {"usage": -1.0, "limit": limit}
    share = draw.pick((0.0, 0.5, 0.85, 1.0)) if draw.chance(0.3) else draw.real(0.0, 1.1)
    return {"usage": share * (limit or 1.0), "limit": limit}


def quick_settings(maker: Production) -> dict[str, Any]:
    """Settings with which a few minutes show what is moved: little is waited for."""
    if maker.draw.chance(0.4):
        return {}
    return {
        "loadBalancerSheddingGracePeriodMinutes": maker.draw.pick((0, 1, 3)),
        "loadBalancerSheddingConditionHitCountThreshold": maker.draw.pick((0, 1)),
        "loadBalancerAvgShedderHitCountLowThreshold": 1,
        "loadBalancerAvgShedderHitCountHighThreshold": 1,
        "loadBalancerBrokerLoadTargetStd": maker.draw.pick((0.25, 0.1)),
        "minUnloadMessage": 0,
        "minUnloadMessageThroughput": 0,
    }


SHAPERS: Final[dict[str, Shaper]] = {"Resource": resource}
