"""A broker's smoothed score: the latest usage and what was before (LOA-24 to LOA-31).

ThresholdShedder and LeastResourceUsageWithWeight each keep a history of their own, in the
leader's memory only, and bring it forward whenever they look at a broker.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from evenkeel.reference.load.usage import Resource, Resources, Weights, max_weighted_usage
from evenkeel.reference.summation import ordered_sum
from evenkeel_engine.frame.clauses import states

Histories = Mapping[str, float]
"""The smoothed score of each broker, a fraction."""


class Keeper(StrEnum):
    """The strategy that keeps the history."""

    THRESHOLD_SHEDDER = "threshold_shedder"
    LEAST_RESOURCE_USAGE = "least_resource_usage"


@dataclass(frozen=True, slots=True)
class Seen:
    """What is seen of a broker: CPU in percent, served bundles, messages per second."""

    broker: str
    cpu: float
    bundles: int
    msg_rate: float


def usage(seen: Seen) -> float:
    """The broker's unsmoothed score."""
    return max_weighted_usage(Resources(cpu=Resource(seen.cpu, 100.0)), Weights())


@states("LOA-24", "LOA-25", "LOA-29", "LOA-30")
def smooth(history: float | None, latest: float, weight: float) -> float:
    """The smoothed score: `weight` times what was before, the rest from the latest usage.

    A broker without history has its latest usage (since #13136).
    Source: document 003, 1.2; ThresholdShedder.updateAvgResourceUsage 4.0.8.
    """
    if history is None:
        return latest
    return history * weight + (1 - weight) * latest


@states("LOA-27", "LOA-30")
def starts_afresh(keeper: Keeper, seen: Seen) -> bool:
    """Whether the broker's history no longer counts: it has just started, or is idle.

    Only LeastResourceUsageWithWeight looks at this (#16766).
    """
    if keeper is Keeper.THRESHOLD_SHEDDER:
        return False
    return seen.bundles == 0 or seen.msg_rate == 0


@states("LOA-25", "LOA-27")
def look_at(
    keeper: Keeper, histories: Histories, brokers: Collection[Seen], weight: float
) -> dict[str, float]:
    """The histories after a look at these brokers; those of others stay as they are."""
    after = dict(histories)
    for seen in brokers:
        before = None if starts_afresh(keeper, seen) else histories.get(seen.broker)
        after[seen.broker] = smooth(before, usage(seen), weight)
    return after


@states("LOA-28")
def mean(histories: Histories, brokers: Collection[Seen]) -> float:
    """The mean of the smoothed scores of the brokers looked at; 0 of none."""
    if not brokers:
        return 0.0
    return ordered_sum(histories[seen.broker] for seen in brokers) / len(brokers)


@states("LOA-26")
def without_departed(histories: Histories, active: Collection[str]) -> dict[str, float]:
    """The histories of the brokers that are there (#19560, #19726)."""
    return {broker: score for broker, score in histories.items() if broker in active}
