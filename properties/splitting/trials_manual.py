"""Trials and answers about splits that an operator asks for: `splitting.manual`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from evenkeel.properties.bundles.division import require_boundaries
from evenkeel.properties.observations import Span
from evenkeel.properties.splitting.trials_positions import FlowLimits, TopicLoad
from evenkeel.reference.bundles.ranges import HashRange


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


@dataclass(frozen=True, slots=True)
class ManualTrial:
    """`splitting.manual`: an operator asks for a split of a bundle of one namespace.

    `selector` is a range name, `LARGEST` or `HOT`. `algorithm` is the requested name (empty: the
    default). `topics` are the namespace's persistent topics in listing order; `heat` is what
    `HOT` reads. `owned` says whether some broker owns the bundle when the request comes.
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
        require_boundaries(self.boundaries)


@dataclass(frozen=True, slots=True)
class ManualAnswer:
    """All boundaries afterwards; the bundle that was split (null: nothing changed), and the
    children that the request itself unloads.
    """

    boundaries: tuple[int, ...]
    split: Span | None
    unloaded: tuple[Span, ...]
