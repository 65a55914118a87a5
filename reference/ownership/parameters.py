"""The settings of the two ownership protocols, with the values that the model has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.reference.ownership.channel.world import (
    CLOSING_LIMIT,
    IN_FLIGHT_WAIT,
    STABLE_AFTER,
    TOMBSTONE_AFTER,
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A setting by Pulsar's name, with its default in 4.0.8."""

    name: str
    default: int


PARAMETERS: Final = (
    Parameter("loadBalancerInFlightServiceUnitStateWaitingTimeInMillis", IN_FLIGHT_WAIT),
    Parameter("namespaceBundleUnloadingTimeoutMs", CLOSING_LIMIT),
    Parameter("loadBalancerServiceUnitStateTombstoneDelayTimeInSeconds", TOMBSTONE_AFTER // 1000),
    Parameter("MAX_CLEAN_UP_DELAY_TIME_IN_SECS", STABLE_AFTER // 1000),
)
