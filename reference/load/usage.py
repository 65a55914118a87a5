"""How full a broker is: percentages of resources in single precision, and the largest of them.

Percentages are single-precision numbers in Pulsar, so 30 of 100 is not exactly 30 %. That decides
comparisons at thresholds, and is followed here to the last bit.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.settings import WEIGHT, setting

_SINGLE = struct.Struct("<f")
_pack, _unpack = _SINGLE.pack, _SINGLE.unpack


@states("LOA-2")
def single(value: float) -> float:
    """`value` rounded to single precision (IEEE 754 binary32), as a cast to float does in Java."""
    try:
        rounded: float = _unpack(_pack(value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource of a broker: usage and limit in one unit. Of a limit of 0 or less, 0 % is used."""

    usage: float = 0.0
    limit: float = 0.0


@dataclass(frozen=True, slots=True)
class Resources:
    """The five resources in a broker's report."""

    cpu: Resource = Resource()
    memory: Resource = Resource()
    direct_memory: Resource = Resource()
    bandwidth_in: Resource = Resource()
    bandwidth_out: Resource = Resource()


def _weight(key: str, default: float, wire: str) -> Any:
    return setting(key, default, "", WEIGHT, wire)


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each resource in the score; 0 leaves it out. By practice, heap memory
    (`memory`) counts in no usage, whatever its weight (LOA-3).
    """

    cpu: float = _weight("loadBalancerCPUResourceWeight", 1.0, "cpu")
    memory: float = _weight("loadBalancerMemoryResourceWeight", 0.0, "memory")
    direct_memory: float = _weight("loadBalancerDirectMemoryResourceWeight", 0.0, "direct_memory")
    bandwidth_in: float = _weight("loadBalancerBandwidthInResourceWeight", 1.0, "bandwidth_in")
    bandwidth_out: float = _weight("loadBalancerBandwidthOutResourceWeight", 1.0, "bandwidth_out")


@states("LOA-7")
def bandwidth_weight(configured: float, misspelt: float, edition: Edition) -> float:
    """The weight of a bandwidth under its present name and its old one (`…Bandwith…`, #22824).

    Whichever is not 1.0 counts, the present name first, if there is one. So 1.0 under the present
    name does not prevail over the old one. Source: ServiceConfiguration 4.0.8.
    """
    if edition.bandwidth_weights_misspelt:
        return misspelt
    return configured if configured != 1.0 else misspelt


@states("LOA-1", "LOA-2")
def percent_usage(resource: Resource) -> float:
    """The resource's usage in percent, a single-precision number; 0 if it has no limit.

    Every step is rounded to single precision: both operands, the quotient, the product. Nothing
    caps it: more than 100 % and less than 0 % are possible. Source: ResourceUsage.percentUsage
    4.0.8.
    """
    if not resource.limit > 0:
        return 0.0
    return single(_divide(single(resource.usage), single(resource.limit)) * 100.0)


def _divide(usage: float, limit: float) -> float:
    """`usage / limit` in single precision; a limit that single precision rounds to 0."""
    if limit == 0.0:
        return math.nan if usage == 0.0 or math.isnan(usage) else math.copysign(math.inf, usage)
    return single(usage / limit)


@states("LOA-3")
def largest(values: Iterable[float]) -> float:
    """The largest of `values`; values that are not numbers are skipped.

    Minus infinity if there is nothing else. Source: LocalBrokerData.max 4.0.8.
    """
    most = -math.inf
    for value in values:
        most = max(most, value)
    return most


@states("LOA-3", "LOA-6")
def max_weighted_usage(resources: Resources, weights: Weights) -> float:
    """The broker's score as a fraction: the largest weighted usage, heap memory left out.

    Source: document 001, "max resource usage"; LocalBrokerData.getMaxResourceUsageWithWeight
    4.0.8.
    """
    return (
        largest(
            (
                percent_usage(resources.cpu) * weights.cpu,
                percent_usage(resources.direct_memory) * weights.direct_memory,
                percent_usage(resources.bandwidth_in) * weights.bandwidth_in,
                percent_usage(resources.bandwidth_out) * weights.bandwidth_out,
            )
        )
        / 100
    )


@states("LOA-4", "LOA-6")
def max_weighted_usage_with_heap(resources: Resources, weights: Weights) -> float:
    """The score of the extensible manager: the largest weighted usage, heap memory included.

    Source: BrokerLoadData.getMaxResourceUsageWithWeight 4.0.8.
    """
    return (
        largest(
            (
                percent_usage(resources.cpu) * weights.cpu,
                percent_usage(resources.memory) * weights.memory,
                percent_usage(resources.direct_memory) * weights.direct_memory,
                percent_usage(resources.bandwidth_in) * weights.bandwidth_in,
                percent_usage(resources.bandwidth_out) * weights.bandwidth_out,
            )
        )
        / 100
    )


@states("LOA-5", "LOA-6")
def max_usage(resources: Resources) -> float:
    """The largest usage without weights, as a fraction in single precision; without heap memory.

    Source: LocalBrokerData.getMaxResourceUsage 4.0.8 (a single-precision quotient).
    """
    return single(_largest_percentage(resources) / 100.0)


@states("LOA-5", "LOA-6")
def max_usage_in_double(resources: Resources) -> float:
    """The same in the extensible manager: the quotient is a double-precision one.

    Source: BrokerLoadData.updateMaxResourceUsage 4.0.8.
    """
    return _largest_percentage(resources) / 100.0


def _largest_percentage(resources: Resources) -> float:
    """The largest percentage but for heap memory, which follows the garbage collector."""
    return largest(
        (
            percent_usage(resources.cpu),
            percent_usage(resources.direct_memory),
            percent_usage(resources.bandwidth_in),
            percent_usage(resources.bandwidth_out),
        )
    )
