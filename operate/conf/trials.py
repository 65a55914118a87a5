"""The trials that show what a setting does: small clusters in which it decides.

Each is a function of the configuration, so that the operator's own values are in the trial.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from evenkeel.operate.conf.conf import CLASSES, Conf
from evenkeel.reference.shedding.cluster import MINUTE

Json = dict[str, Any]

MEBIBYTE: Final = 1024 * 1024
PARTS: Final = 64
"""Bundles of the fuller broker: with fewer one would be more than what is to be shed."""
STEP: Final = 2**32 // PARTS
BUNDLES: Final = tuple(
    f"t/ns/0x{at * STEP:08x}_0x{min((at + 1) * STEP, 2**32 - 1):08x}" for at in range(PARTS)
)
NOW: Final = 10_000_000
"""Milliseconds: late enough for a report that is older than any TTL in use."""
STRATEGY_QUESTIONS: Final[Mapping[str, str]] = CLASSES["questions"]["strategies"]
"""The question about each shedding strategy."""


def pick_settings(conf: Conf, *keys: str) -> Json:
    """These settings, as a trial has them."""
    return {key: conf.read_typed(key) for key in keys if key in conf.defaults}


def two_brokers(
    config: Json,
    usages: Sequence[tuple[float, float]],
    rate: float = 40_000.0,
    throughput: float = 400e6,
    every: int = MINUTE,
) -> Json:
    """A broker with all the traffic, and one with next to none; their usages round by round."""

    def traffic(share: float) -> Json:
        return {"msg_rate_in": rate * share, "throughput_in": throughput * share}

    def broker(name: str, usage: float, share: float, bundles: Sequence[str]) -> Json:
        resources = {"cpu": {"usage": usage, "limit": 100.0}}
        held = list(bundles)
        return {"broker": name, "resources": resources, "traffic": traffic(share), "bundles": held}

    parts = [
        {"bundle": one, "short_term": traffic(1 / PARTS), "long_term": traffic(1 / PARTS)}
        for one in BUNDLES
    ]
    rounds = [
        {
            "at": number * every,
            "brokers": [broker("a", high, 1.0, BUNDLES), broker("b", low, 0.0, ())],
            "bundles": parts,
            "failing": [],
        }
        for number, (high, low) in enumerate(usages)
    ]
    return {"config": config, "rounds": rounds}


def build_transfer_trial(
    config: Json,
    age: int = 0,
    loads: tuple[float, float] = (0.9, 0.1),
    traffic: tuple[float, float] = (9e6, 1e6),
) -> Json:
    """Two brokers under the extensible manager, whose reports are `age` ms old, and a strategy that
    acts in the first round with a cause.
    """

    def report(broker: str, load: float, throughput: float, bundles: Sequence[str]) -> Json:
        top = [
            {
                "bundle": one,
                "throughput_in": throughput / len(bundles),
                "throughput_out": 0.0,
                "owned": True,
                "admits": None,
                "filter_fails": False,
            }
            for one in bundles
        ]
        return {
            "broker": broker,
            "load": load,
            "throughput_in": throughput,
            "throughput_out": 0.0,
            "throughput_average": throughput,
            "updated_at": NOW - age,
            "top": top,
        }

    parts = (BUNDLES[:4], BUNDLES[4:5])
    reports = [report(*one) for one in zip("ab", loads, traffic, parts, strict=True)]
    return {
        "config": {**config, "loadBalancerSheddingConditionHitCountThreshold": 0},
        "rounds": [{"now": NOW, "registered": ["a", "b"], "reports": reports}],
    }


def build_due_trial(config: Json, bundles: int) -> Json:
    """A hot bundle of a namespace with `bundles` of them, as the modular leader sees it."""
    load = {
        "bundle": BUNDLES[0],
        "broker": "a",
        "topics": 2,
        "producers": 0,
        "consumers": 0,
        "msg_rate_in": 1e6,
        "msg_rate_out": 0.0,
        "throughput_in": 0.0,
        "throughput_out": 0.0,
    }
    rounds = [{"loads": [load], "counts": [{"namespace": "t/ns", "bundles": bundles}]}]
    return {"config": config, "leader": True, "known_brokers": 2, "rounds": rounds}


def build_children_trial(manager: str, config: Json) -> Json:
    """An automatic split under a manager, with another broker to which the children could go."""
    split = {"bundle": "t/ns/0x00000000_0x80000000", "owner": "a:1"}
    return {"manager": manager, "config": config, "brokers": ["a:1", "b:1"], "splits": [split]}


def build_read_trial(conf: Conf, limits: Mapping[str, int], backlog: bool = True) -> Json:
    """A read of a shared subscription; `limits`: messages that are left, by level."""
    levels = {
        level: {"messages": limits[level]} if level in limits else None
        for level in ("broker", "topic", "subscription")
    }
    keys = (
        *("dispatcherMaxReadBatchSize", "dispatcherMaxReadSizeBytes"),
        *("preciseDispatcherFlowControl", "dispatchThrottlingOnBatchMessageEnabled"),
        "dispatchThrottlingOnNonBacklogConsumerEnabled",
    )
    return {
        "reader": "shared",
        "permits": 1_000_000,
        "average_messages": 1,
        "writable": True,
        "cursor_active": not backlog,
        "replay_outstanding": False,
        **pick_settings(conf, *keys),
        **levels,
    }


def idle_usage(weights: Json, **misspelt: float) -> Json:
    """A broker that uses nothing: only the weights matter."""
    names = ("cpu", "memory", "direct_memory", "bandwidth_in", "bandwidth_out")
    resources = {name: {"usage": 0.0, "limit": 100.0} for name in names}
    return {**resources, "weights": weights, "misspelt_in": 1.0, "misspelt_out": 1.0, **misspelt}
