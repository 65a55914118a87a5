"""Trials of `splitting.positions` from a model of the solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evenkeel.properties.bundles.trial_parts import topic_with_hash
from evenkeel.properties.splitting.positions import PositionsTrial, TopicLoad
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.splitting.algorithms import SplitAlgorithm
from evenkeel.reference.splitting.settings import FlowLimits

LIMITS: Final = FlowLimits(1000, 100, 10)


def range_trial(bundle: HashRange) -> PositionsTrial:
    """`range_equally_divide`."""
    return PositionsTrial(SplitAlgorithm.RANGE, bundle, (), (), False, LIMITS)


def specified_trial(bundle: HashRange, positions: tuple[int, ...]) -> PositionsTrial:
    """`specified_positions_divide`, whatever the topics are."""
    return PositionsTrial(SplitAlgorithm.SPECIFIED, bundle, (), positions, True, LIMITS)


def topic_count_trial(bundle: HashRange, hashes: Sequence[int]) -> PositionsTrial:
    """`topic_count_equally_divide`, with a topic for each hash."""
    loads = tuple(TopicLoad(name) for name in names(hashes))
    return PositionsTrial(SplitAlgorithm.TOPIC_COUNT, bundle, loads, (), False, LIMITS)


def flow_trial(
    bundle: HashRange, rates: Sequence[tuple[int, float]], limits: FlowLimits
) -> PositionsTrial:
    """`flow_or_qps_equally_divide`, with a topic for each pair of hash and message rate."""
    loads = tuple(
        TopicLoad(name, msg_rate_in=rate)
        for name, (_, rate) in zip(names([hash_ for hash_, _ in rates]), rates, strict=True)
    )
    return PositionsTrial(SplitAlgorithm.FLOW, bundle, loads, (), False, limits)


def names(hashes: Sequence[int]) -> list[str]:
    """Different topic names with these hashes, up to 16 with one hash."""
    return [
        topic_with_hash(hash_, variant=list(hashes[:place]).count(hash_))
        for place, hash_ in enumerate(hashes)
    ]
