"""Trials and answers about splits that an operator asks for: `splitting.manual`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from evenkeel.properties.bundles.division import require_boundaries
from evenkeel.properties.names import require_ordinary_namespace, require_topic_of
from evenkeel.properties.observations import Span
from evenkeel.properties.splitting.positions.trial import TopicLoad, require_rates
from evenkeel.properties.splitting.spans import span, spans
from evenkeel.properties.trial import (
    require_bounds,
    require_different,
    require_longs,
    require_number_of,
)
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import manual
from evenkeel.reference.splitting.settings import FlowLimits


class Manager(StrEnum):
    """The two load managers, whose rules for splits differ."""

    MODULAR = "modular"
    EXTENSIBLE = "extensible"


@dataclass(frozen=True, slots=True)
class BundleHeat:
    """What the leader has of a bundle: long-term throughput (in plus out, bytes/s), topic count."""

    bundle: HashRange
    topics: int
    throughput: float

    def __post_init__(self) -> None:
        require_number_of("topics", self.topics)
        require_rates(self.throughput)


@dataclass(frozen=True, slots=True)
class ManualTrial:
    """`splitting.manual`: an operator asks for a split of a bundle of one namespace, `tenant/name`,
    which is no broker's heartbeat or SLA monitor.

    `selector` is a range name, `LARGEST` or `HOT`. `algorithm` is the requested name (empty: the
    default). `topics` are the namespace's persistent topics in listing order; the hash of one is
    the CRC-32 of its complete name in UTF-8 (BUN-3): a subject that hashes otherwise skips this
    question. `heat` is what `HOT` reads, each bundle once. `owned` says whether some broker owns
    the bundle when the request comes.
    """

    manager: Manager
    namespace: str
    boundaries: tuple[int, ...]
    selector: str
    algorithm: str
    default_algorithm: str = field(metadata={"wire": "defaultNamespaceBundleSplitAlgorithm"})
    supported: tuple[str, ...] = field(metadata={"wire": "supportedNamespaceBundleSplitAlgorithms"})
    positions: tuple[int, ...]
    unload: bool
    owned: bool
    topics: tuple[TopicLoad, ...]
    heat: tuple[BundleHeat, ...]
    limits: FlowLimits

    def __post_init__(self) -> None:
        require_ordinary_namespace("namespace", self.namespace)
        require_boundaries(self.boundaries)
        require_bounds(self.limits)
        require_longs("positions", self.positions)
        for place, topic in enumerate(self.topics):
            require_topic_of(f"topics[{place}].topic", topic.topic, self.namespace)
        require_different("heat", (entry.bundle for entry in self.heat))


@dataclass(frozen=True, slots=True)
class ManualAnswer:
    """All boundaries afterwards; the bundle that was split (null: nothing changed), and the
    children that the request itself unloads.
    """

    boundaries: tuple[int, ...]
    split: Span | None
    unloaded: tuple[Span, ...]


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
            manual.Topic(load.topic, topic_hash(load.topic), load.flow if load.reported else None)
            for load in trial.topics
        ),
        heat=tuple(manual.Heat(heat.bundle, heat.topics, heat.throughput) for heat in trial.heat),
        limits=trial.limits,
    )


def answer_manual(trial: ManualTrial, edition: Edition) -> ManualAnswer:
    """What became of the request."""
    outcome = manual.manual_split(request_of(trial), edition)
    return ManualAnswer(
        outcome.boundaries,
        None if outcome.split is None else span(outcome.split),
        spans(outcome.unloaded),
    )


def manual_labels(trial: ManualTrial) -> Iterator[str]:
    """Manager, selector and algorithm."""
    yield trial.manager.value
    yield trial.selector if trial.selector in ("LARGEST", "HOT") else "by range"
    yield trial.algorithm or "default algorithm"
    if not trial.owned:
        yield "not owned"
