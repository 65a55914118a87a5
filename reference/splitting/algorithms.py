"""The four split algorithms: at which hashes a bundle is cut (SPL-1 to SPL-15)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting.settings import FlowLimits
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Refusal

MIN_TOPICS: Final = 2


class NoPositionsGiven(Refusal):
    """`specified_positions_divide` was asked for without positions (SPL-10)."""


class SplitAlgorithm(StrEnum):
    """The algorithms, under the names that Pulsar's configuration and commands use."""

    RANGE = "range_equally_divide"
    TOPIC_COUNT = "topic_count_equally_divide"
    SPECIFIED = "specified_positions_divide"
    FLOW = "flow_or_qps_equally_divide"


@dataclass(frozen=True, slots=True)
class Flow:
    """The traffic of one topic: messages per second and bytes per second, in plus out."""

    hash: int
    msg_rate: float
    throughput: float


@states("SPL-1")
def can_split(bundle: HashRange) -> bool:
    """A bundle can be cut if some hash lies strictly between its ends."""
    return bundle.upper - bundle.lower > 1


@states("SPL-3", "SPL-4")
def range_positions(bundle: HashRange, edition: Edition) -> tuple[int, ...]:
    """`range_equally_divide`: the middle of the range, rounded down.

    Source: Pulsar `RangeEquallyDivideBundleSplitAlgorithm` 4.0.8.
    """
    if not can_split(bundle) and not edition.range_cut_without_room:
        return ()
    return (middle(bundle.lower, bundle.upper),)


def middle(low: int, high: int) -> int:
    """The hash half-way from `low` to `high`, rounded down."""
    return low + (high - low) // 2


@states("SPL-5", "SPL-6", "SPL-7")
def topic_count_positions(hashes: Iterable[int], edition: Edition) -> tuple[int, ...]:
    """`topic_count_equally_divide`: between the two middle topics.

    Of n topics the first n // 2 by hash go left. Nothing to do with fewer than two topics. Two
    middle topics with one hash cannot be parted. Neighbours are parted at the right one; the
    edition may cut at the left one in both cases, which then goes right itself.
    Source: Pulsar `TopicCountEquallyDivideBundleSplitAlgorithm` 4.0.8.
    """
    ordered = sorted(hashes)
    if len(ordered) < MIN_TOPICS:
        return ()
    half = len(ordered) // 2
    left, right = ordered[half - 1], ordered[half]
    if edition.topic_count_cut_at_left_topic:
        return (middle(left, right),)
    return (between(left, right),) if can_part(left, right) else ()


@states("SPL-2")
def can_part(left: int, right: int) -> bool:
    """Whether a cut can put `left` and `right` into different bundles.

    No bundle starts at the last hash, so the last two hashes always stay together.
    """
    return left < min(right, TOP_HASH - 1)


@states("SPL-5", "SPL-14")
def between(left: int, right: int) -> int:
    """A cut half-way between two topics that can be parted; the right one goes right."""
    return max(middle(left, right), left + 1)


@states("SPL-8", "SPL-9", "SPL-10")
def specified_positions(
    bundle: HashRange, topic_count: int, positions: Sequence[int], forced: bool, edition: Edition
) -> tuple[int, ...]:
    """`specified_positions_divide`: the given positions that lie strictly inside.

    A bundle with fewer than two topics is left alone unless `forced`. Raises `NoPositionsGiven`.
    Source: Pulsar `SpecifiedPositionsBundleSplitAlgorithm` 4.0.8.
    """
    if not positions:
        raise NoPositionsGiven("specified_positions_divide needs positions")
    if topic_count < MIN_TOPICS and not forced:
        return ()
    inside = [p for p in sorted(positions) if bundle.lower < p < bundle.upper]
    return tuple(inside if edition.duplicate_positions_kept else dict.fromkeys(inside))


@states("SPL-6", "SPL-11", "SPL-15")
def flow_positions(
    flows: Sequence[Flow], topic_count: int, limits: FlowLimits, edition: Edition
) -> tuple[int, ...]:
    """`flow_or_qps_equally_divide`: cut before a limit is exceeded.

    `flows` are the topics with statistics, in listing order; `topic_count` counts all topics of
    the bundle. Walking up the hashes, topics are gathered until the next one would take the
    gathered rate or throughput above its limit; there the bundle is cut, and gathering starts
    afresh. Source: Pulsar `FlowOrQpsEquallyDivideBundleSplitAlgorithm` 4.0.8.
    """
    busy = [flow for flow in flows if flow.msg_rate > 0 or flow.throughput > 0]
    if topic_count < MIN_TOPICS or len({flow.hash for flow in busy}) < 2:
        return ()
    if not exceeds_with_margin(busy, limits):
        return ()
    units = last_load_counts(busy) if edition.flow_cut_one_further else merge_collisions(busy)
    return cut_by_flow(units, limits, edition)


@states("SPL-11", "SPL-15")
def exceeds_with_margin(flows: Sequence[Flow], limits: FlowLimits) -> bool:
    """Whether the bundle reaches a limit plus the margin: only then is it cut by flow."""
    margin = 1 + limits.difference_percent / 100.0
    msg_rate = 0.0
    throughput = 0.0
    for flow in flows:
        msg_rate += flow.msg_rate
        throughput += flow.throughput
    return msg_rate >= limits.max_msg_rate * margin or throughput >= limits.max_throughput * margin


@states("SPL-12", "SPL-13")
def cut_by_flow(units: Sequence[Flow], limits: FlowLimits, edition: Edition) -> tuple[int, ...]:
    """The greedy walk over units in ascending order of hash."""
    positions: list[int] = []
    previous = units[0]
    msg_rate, throughput = previous.msg_rate, previous.throughput
    for unit in units[1:]:
        if (
            msg_rate + unit.msg_rate > limits.max_msg_rate
            or throughput + unit.throughput > limits.max_throughput
        ):
            positions.append(flow_cut(previous.hash, unit.hash, edition))
            msg_rate, throughput = unit.msg_rate, unit.throughput
        else:
            msg_rate += unit.msg_rate
            throughput += unit.throughput
        previous = unit
    return tuple(positions)


@states("SPL-14", "SPL-15")
def flow_cut(left: int, right: int, edition: Edition) -> int:
    """Where to cut between two topics so that the right one goes right."""
    if edition.flow_cut_one_further:
        return middle(left, right) + 1
    return between(left, right)


@states("SPL-2", "SPL-12")
def merge_collisions(flows: Iterable[Flow]) -> list[Flow]:
    """Topics that no cut can part count as one, with their loads added.

    Those are topics with one hash, and topics with one of the last two hashes.
    """
    merged: dict[int, Flow] = {}
    for flow in flows:
        key = min(flow.hash, TOP_HASH - 1)
        known = merged.get(key, Flow(flow.hash, 0.0, 0.0))
        merged[key] = Flow(
            min(known.hash, flow.hash),
            known.msg_rate + flow.msg_rate,
            known.throughput + flow.throughput,
        )
    return [merged[key] for key in sorted(merged)]


@states("SPL-15")
def last_load_counts(flows: Sequence[Flow]) -> list[Flow]:
    """Each topic alone, but of topics with one hash every one with the last one's load."""
    last = {flow.hash: flow for flow in flows}
    return [last[hash_] for hash_ in sorted(flow.hash for flow in flows)]
