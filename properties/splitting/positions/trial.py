"""Trials and answers of `splitting.positions`.

JSON names are the field names, except for configuration keys, which keep Pulsar's spelling
(`field(metadata={"wire": ...})`). Rates are messages per second, throughput bytes per second,
each split in what comes in and what goes out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from evenkeel.properties.names import require_topic
from evenkeel.properties.splitting.spans import has_room
from evenkeel.properties.trial import require, require_bounds, require_different, require_longs
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import algorithms
from evenkeel.reference.splitting.algorithms import Flow, SplitAlgorithm
from evenkeel.reference.splitting.settings import FlowLimits

MOST_RATE: Final = 2.0**53


def require_rates(*rates: float) -> None:
    """Rates in a trial are not negative, and their sums are finite."""
    require(all(0 <= rate < MOST_RATE for rate in rates), "rates", "must be 0 or more, below 2^53")


@dataclass(frozen=True, slots=True)
class TopicLoad:
    """One topic of a bundle by its complete name, msg/s and bytes/s; `reported`: the broker has
    statistics of it.
    """

    topic: str
    msg_rate_in: float = 0.0
    msg_rate_out: float = 0.0
    throughput_in: float = 0.0
    throughput_out: float = 0.0
    reported: bool = True

    def __post_init__(self) -> None:
        require_topic("topic", self.topic)
        require_rates(self.msg_rate_in, self.msg_rate_out, self.throughput_in, self.throughput_out)

    @property
    def flow(self) -> Flow:
        """In plus out."""
        return Flow(
            topic_hash(self.topic),
            self.msg_rate_in + self.msg_rate_out,
            self.throughput_in + self.throughput_out,
        )


@dataclass(frozen=True, slots=True)
class PositionsTrial:
    """`splitting.positions`: at which hashes does this algorithm cut this bundle?

    `topics` lie in the bundle, in listing order, each once; the hash of one is the CRC-32 of its
    complete name in UTF-8 (BUN-3): a subject that hashes otherwise skips this question. `positions`
    is what `specified_positions_divide` was given; `forced` is its variant that ignores the topics.
    """

    algorithm: SplitAlgorithm
    bundle: HashRange
    topics: tuple[TopicLoad, ...]
    positions: tuple[int, ...]
    forced: bool
    limits: FlowLimits

    def __post_init__(self) -> None:
        require_bounds(self.limits)
        require_longs("positions", self.positions)
        names = [load.topic for load in self.topics]
        require_different("topics", names)
        for name in names:
            require(topic_hash(name) in self.bundle, "topics", f"{name} is not in the bundle")


@dataclass(frozen=True, slots=True)
class PositionsAnswer:
    """The positions in the order of your code; empty where the bundle is not cut."""

    positions: tuple[int, ...]


def reported_flows(topics: Iterable[TopicLoad]) -> list[Flow]:
    """The traffic of the topics with statistics, in listing order."""
    return [load.flow for load in topics if load.reported]


def answer_positions(trial: PositionsTrial, edition: Edition) -> PositionsAnswer:
    """Where the algorithm cuts."""
    algorithm = trial.algorithm
    if algorithm is SplitAlgorithm.RANGE:
        positions = algorithms.range_positions(trial.bundle, edition)
    elif algorithm is SplitAlgorithm.TOPIC_COUNT:
        hashes = [topic_hash(load.topic) for load in trial.topics]
        positions = algorithms.topic_count_positions(hashes, edition)
    elif algorithm is SplitAlgorithm.SPECIFIED:
        positions = algorithms.specified_positions(
            trial.bundle, len(trial.topics), trial.positions, trial.forced, edition
        )
    else:
        flows = reported_flows(trial.topics)
        positions = algorithms.flow_positions(flows, len(trial.topics), trial.limits, edition)
    return PositionsAnswer(positions)


def positions_labels(trial: PositionsTrial) -> Iterator[str]:
    """Algorithm, number of topics, and what is special about their hashes."""
    yield trial.algorithm.value
    if not has_room(trial.bundle):
        yield "too small to be cut"
    if trial.bundle.upper_included:
        yield "last bundle"
    if trial.algorithm in (SplitAlgorithm.TOPIC_COUNT, SplitAlgorithm.FLOW):
        hashes = sorted(topic_hash(load.topic) for load in trial.topics)
        yield f"{min(len(hashes), 2)}{' or more' if len(hashes) >= 2 else ''} topics"
        gaps = {right - left for left, right in pairwise(hashes)}
        if 0 in gaps:
            yield "colliding topics"
        if 1 in gaps:
            yield "neighbouring topics"
        if TOP_HASH in hashes:
            yield "topic with the last hash"
