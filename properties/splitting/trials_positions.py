"""Trials and answers about cutting one bundle: `splitting.positions` and `splitting.apply`.

JSON names are the field names, except for configuration keys, which keep Pulsar's spelling
(`field(metadata={"wire": ...})`). Rates are messages per second, throughput bytes per second,
each split in what comes in and what goes out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from evenkeel.properties.bundles.division import require_boundaries
from evenkeel.properties.observations import Span
from evenkeel.properties.trial import require
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.splitting.algorithms import SplitAlgorithm


def require_rates(*rates: float) -> None:
    """Rates in a trial are finite and not negative."""
    require(all(math.isfinite(r) and r >= 0 for r in rates), "rates", "must be finite, 0 or more")


@dataclass(frozen=True, slots=True)
class TopicLoad:
    """One topic of a bundle, msg/s and bytes/s; `reported`: the broker has statistics of it."""

    topic: str
    msg_rate_in: float = 0.0
    msg_rate_out: float = 0.0
    throughput_in: float = 0.0
    throughput_out: float = 0.0
    reported: bool = True

    def __post_init__(self) -> None:
        require_rates(self.msg_rate_in, self.msg_rate_out, self.throughput_in, self.throughput_out)


@dataclass(frozen=True, slots=True)
class FlowLimits:
    """The limits that `flow_or_qps_equally_divide` reads: msg/s, MB/s, percent; 0 or more."""

    max_msg_rate: int = field(metadata={"wire": "loadBalancerNamespaceBundleMaxMsgRate"})
    max_bandwidth_mbytes: int = field(
        metadata={"wire": "loadBalancerNamespaceBundleMaxBandwidthMbytes"}
    )
    difference_percent: int = field(metadata={"wire": "flowOrQpsDifferenceThresholdPercentage"})

    def __post_init__(self) -> None:
        for value in (self.max_msg_rate, self.max_bandwidth_mbytes, self.difference_percent):
            require(0 <= value < 2**31, "limits", "must be non-negative 32-bit integers")


@dataclass(frozen=True, slots=True)
class PositionsTrial:
    """`splitting.positions`: at which hashes does this algorithm cut this bundle?

    `topics` lie in the bundle, in listing order, each once. `positions` is what
    `specified_positions_divide` was given; `forced` is its variant that ignores the topics.
    """

    algorithm: SplitAlgorithm
    bundle: HashRange
    topics: tuple[TopicLoad, ...]
    positions: tuple[int, ...]
    forced: bool
    limits: FlowLimits

    def __post_init__(self) -> None:
        names = [load.topic for load in self.topics]
        require(len(set(names)) == len(names), "topics", "must not list a topic twice")
        for name in names:
            require(topic_hash(name) in self.bundle, "topics", f"{name} is not in the bundle")


@dataclass(frozen=True, slots=True)
class PositionsAnswer:
    """The positions in the order in which they were given; empty where the bundle is not cut."""

    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ApplyTrial:
    """`splitting.apply`: cut the bundle `target` of these boundaries at these positions.

    The target may be missing from the boundaries and the positions may be illegal; both are
    then to be refused. At least one position is given.
    """

    boundaries: tuple[int, ...]
    target: HashRange
    positions: tuple[int, ...]

    def __post_init__(self) -> None:
        require_boundaries(self.boundaries)
        require(len(self.positions) > 0, "positions", "must not be empty")


@dataclass(frozen=True, slots=True)
class ApplyAnswer:
    """All boundaries after the split, and the target's children in ascending order."""

    boundaries: tuple[int, ...]
    children: tuple[Span, ...]
