"""Defaults of the settings (BAL-20, BAL-21)."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from evenkeel.reference.balancing.settings import Settings
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Weights
from evenkeel.reference.placement.parameters import PlacementRules
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel.reference.shedding.transfer import TransferRules
from evenkeel.reference.shedding.uniform import UniformRules
from evenkeel.reference.splitting.settings import FlowLimits, SplitRules, UnloadRules
from evenkeel_engine.frame.clauses import states

_CLASSES: Final = "org.apache.pulsar.broker.loadbalance.impl"
_OTHERS: Final[dict[str, object]] = {
    "defaultNamespaceBundleSplitAlgorithm": "range_equally_divide",
    "defaultNumberOfNamespaceBundles": 4,
    "loadBalancerEnabled": True,
    "loadBalancerLoadPlacementStrategy": f"{_CLASSES}.LeastLongTermMessageRate",
    "loadBalancerLoadSheddingStrategy": f"{_CLASSES}.ThresholdShedder",
    "loadBalancerSheddingEnabled": True,
    "loadBalancerSheddingIntervalMinutes": 1,
    "loadManagerClassName": f"{_CLASSES}.ModularLoadManagerImpl",
    "preciseDispatcherFlowControl": False,
    "dispatchThrottlingOnBatchMessageEnabled": False,
    "dispatchThrottlingOnNonBacklogConsumerEnabled": True,
    "dispatcherMaxReadBatchSize": 100,
    **{
        f"dispatchThrottlingRate{level}In{unit}": 0  # 0 limits as little as -1 does
        for level in ("", "PerTopic", "PerSubscription")
        for unit in ("Msg", "Byte")
    },
}
"""Settings that no part of the reference uses, with the defaults of 4.0.8."""

SETTINGS: Final = (
    Weights,
    Settings,
    PlacementRules,
    AvgRules,
    TransferRules,
    UniformRules,
    FlowLimits,
    SplitRules,
    UnloadRules,
)
CODE: Final[dict[str, object]] = {
    one.metadata["key"]: one.default
    for kind in SETTINGS
    for one in fields(kind)
    if "key" in one.metadata
} | _OTHERS
"""Every setting whose default is known, by Pulsar's name."""


@states("BAL-20", "BAL-21")
def default_of(key: str, edition: Edition) -> str | None:
    """A setting's default, as broker.conf has it; None for what is no setting."""
    otherwise = dict(edition.defaults_otherwise)
    if key in otherwise:
        return otherwise[key]
    if key not in CODE:
        return None
    default = CODE[key]
    return str(default).lower() if isinstance(default, bool) else str(default)
