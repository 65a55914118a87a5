"""From trials to the values of the reference, and from those to answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from evenkeel.properties.observations import Span
from evenkeel.properties.splitting.trials_due import BundleLoad, DueConfig, NamespaceCount, OwnLoad
from evenkeel.properties.splitting.trials_life import Rival, RivalSplit
from evenkeel.properties.splitting.trials_manual import Manager, ManualTrial
from evenkeel.properties.splitting.trials_positions import FlowLimits, TopicLoad
from evenkeel.reference.bundles import ranges
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting import applying, due, life, manual
from evenkeel.reference.splitting.algorithms import Flow, Limits
from evenkeel.reference.splitting.due import BundleName, Load, Reason, Sample


def span(range_: HashRange) -> Span:
    """A range of the reference as an observation states it."""
    return Span(range_.lower, range_.upper, range_.upper_included)


def spans(ranges_: Iterable[HashRange]) -> tuple[Span, ...]:
    """Ranges of the reference as an observation states them."""
    return tuple(span(range_) for range_ in ranges_)


def spans_between(points: Sequence[int]) -> tuple[Span, ...]:
    """The bundles between any list of boundaries."""
    return tuple(Span(lower, upper, upper == TOP_HASH) for lower, upper in pairwise(points))


# ------------------------------------------------------------------------------ positions


def flow_of(load: TopicLoad) -> Flow:
    """A topic's traffic, in plus out."""
    return Flow(
        topic_hash(load.topic),
        load.msg_rate_in + load.msg_rate_out,
        load.throughput_in + load.throughput_out,
    )


def reported_flows(topics: Iterable[TopicLoad]) -> list[Flow]:
    """The traffic of the topics with statistics, in listing order."""
    return [flow_of(load) for load in topics if load.reported]


def limits_of(limits: FlowLimits) -> Limits:
    """The limits of the flow algorithm."""
    return Limits(limits.max_msg_rate, limits.max_bandwidth_mbytes, limits.difference_percent)


# ------------------------------------------------------------------------------------ due


@lru_cache(maxsize=4096)
def bundle_name(text: str) -> BundleName:
    """A bundle's full name, `tenant/namespace/0x…_0x…`, taken apart."""
    namespace, _, name = text.rpartition("/")
    lower, upper = ranges.parse_range(name, DOCUMENTED)
    return BundleName(namespace, HashRange(lower, upper))


def thresholds_of(config: DueConfig) -> due.Thresholds:
    """The thresholds in a configuration."""
    return due.Thresholds(
        config.max_topics,
        config.max_sessions,
        config.max_msg_rate,
        config.max_bandwidth_mbytes,
        config.max_bundles,
    )


def rules_of(config: DueConfig) -> due.CycleRules:
    """The rules of the extensible manager's cycles in a configuration."""
    return due.CycleRules(
        thresholds_of(config), config.hit_count_threshold, config.max_splits_per_cycle
    )


def load_of(load: BundleLoad) -> Load:
    """A report about one bundle."""
    return Load(
        bundle_name(load.bundle),
        load.topics,
        load.producers + load.consumers,
        Sample(load.msg_rate_in, load.msg_rate_out, load.throughput_in, load.throughput_out),
    )


def candidate_of(own: OwnLoad) -> due.Candidate:
    """A bundle as its broker sees it."""
    return due.Candidate(load_of(own.load), own.owned, own.positions)


def counts_of(counts: Iterable[NamespaceCount]) -> dict[str, int]:
    """Bundles by namespace."""
    return {count.namespace: count.bundles for count in counts}


# --------------------------------------------------------------------------- life, manual


def rival_of(rival: Rival) -> applying.Rival:
    """Another writer, as a function of the stored record."""
    if isinstance(rival, RivalSplit):
        bundle, position = rival.bundle, rival.position
        return lambda record: life.rival_split(record, bundle, position)
    return life.touch


def request_of(trial: ManualTrial) -> manual.Request:
    """An operator's request."""
    return manual.Request(
        extensible=trial.manager is Manager.EXTENSIBLE,
        boundaries=trial.boundaries,
        selector=trial.selector,
        algorithm=trial.algorithm,
        default_algorithm=trial.default_algorithm,
        supported=trial.supported,
        positions=trial.positions,
        unload=trial.unload,
        owned=trial.owned,
        topics=tuple(
            manual.Topic(
                load.topic, topic_hash(load.topic), flow_of(load) if load.reported else None
            )
            for load in trial.topics
        ),
        heat=tuple(manual.Heat(heat.bundle, heat.topics, heat.throughput) for heat in trial.heat),
        limits=limits_of(trial.limits),
    )


def exceeded_by(load: BundleLoad, config: DueConfig) -> set[Reason]:
    """The thresholds that a load exceeds by itself."""
    reasons = set()
    if load.topics > config.max_topics:
        reasons.add(Reason.TOPICS)
    if 0 < config.max_sessions < load.producers + load.consumers:
        reasons.add(Reason.SESSIONS)
    if load.msg_rate_in + load.msg_rate_out > config.max_msg_rate:
        reasons.add(Reason.MSG_RATE)
    limit = due.bandwidth_limit(config.max_bandwidth_mbytes, DOCUMENTED)
    if load.throughput_in + load.throughput_out > limit:
        reasons.add(Reason.BANDWIDTH)
    return reasons
