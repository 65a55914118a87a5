"""Trials and answers of the chapter *splitting* (spec/splitting.md).

JSON names are the field names, except for configuration keys, which keep Pulsar's spelling
(`field(metadata={"wire": ...})`). Rates are messages per second, throughput bytes per second,
each split in what comes in and what goes out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from evenkeel.properties.bundles.trials import require_boundaries
from evenkeel.properties.observations import Span
from evenkeel.properties.trial import require
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.splitting.algorithms import SplitAlgorithm
from evenkeel.reference.splitting.due import Reason


class Manager(StrEnum):
    """The two load managers, whose rules for splits differ."""

    MODULAR = "modular"
    EXTENSIBLE = "extensible"


def require_rates(*rates: float) -> None:
    """Rates in a trial are finite and not negative."""
    require(all(math.isfinite(r) and r >= 0 for r in rates), "rates", "must be finite, 0 or more")


# --------------------------------------------------------------------- splitting.positions


@dataclass(frozen=True, slots=True)
class TopicLoad:
    """One topic of a bundle; `reported` is false where the broker has no statistics of it."""

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
    """The limits that `flow_or_qps_equally_divide` reads."""

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


# ------------------------------------------------------------------------- splitting.apply


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


# ------------------------------------------- splitting.due_modular, splitting.due_extensible


@dataclass(frozen=True, slots=True)
class DueConfig:
    """The configuration that decides which bundles are due for a split."""

    max_topics: int = field(metadata={"wire": "loadBalancerNamespaceBundleMaxTopics"})
    max_sessions: int = field(metadata={"wire": "loadBalancerNamespaceBundleMaxSessions"})
    max_msg_rate: int = field(metadata={"wire": "loadBalancerNamespaceBundleMaxMsgRate"})
    max_bandwidth_mbytes: int = field(
        metadata={"wire": "loadBalancerNamespaceBundleMaxBandwidthMbytes"}
    )
    max_bundles: int = field(metadata={"wire": "loadBalancerNamespaceMaximumBundles"})
    split_enabled: bool = field(metadata={"wire": "loadBalancerAutoBundleSplitEnabled"})
    hit_count_threshold: int = field(
        metadata={"wire": "loadBalancerNamespaceBundleSplitConditionHitCountThreshold"}
    )
    max_splits_per_cycle: int = field(
        metadata={"wire": "loadBalancerMaxNumberOfBundlesToSplitPerCycle"}
    )

    def __post_init__(self) -> None:
        for name in self.__slots__:
            require(-(2**31) <= getattr(self, name) < 2**31, name, "must be a 32-bit integer")


@dataclass(frozen=True, slots=True)
class BundleLoad:
    """What a broker reports about one bundle. `bundle` is the full name, `t/ns/0x…_0x…`."""

    bundle: str
    broker: str
    topics: int
    producers: int
    consumers: int
    msg_rate_in: float
    msg_rate_out: float
    throughput_in: float
    throughput_out: float

    def __post_init__(self) -> None:
        require_rates(self.msg_rate_in, self.msg_rate_out, self.throughput_in, self.throughput_out)
        for count in (self.topics, self.producers, self.consumers):
            require(0 <= count < 2**30, "counts", "must be 0 to 2**30")


@dataclass(frozen=True, slots=True)
class NamespaceCount:
    """How many bundles a namespace has."""

    namespace: str
    bundles: int


@dataclass(frozen=True, slots=True)
class ModularRound:
    """One round of the leader: every broker's latest report, and the namespaces' bundle counts."""

    loads: tuple[BundleLoad, ...]
    counts: tuple[NamespaceCount, ...]

    def __post_init__(self) -> None:
        _require_counted(tuple(load.bundle for load in self.loads), self.counts)


def _require_counted(bundles: tuple[str, ...], counts: tuple[NamespaceCount, ...]) -> None:
    require(len(set(bundles)) == len(bundles), "loads", "must not report a bundle twice")
    known = [count.namespace for count in counts]
    require(len(set(known)) == len(known), "counts", "must not count a namespace twice")
    for bundle in bundles:
        namespace = bundle.rpartition("/")[0]
        require(namespace in known, "counts", f"must count the bundles of {namespace}")


@dataclass(frozen=True, slots=True)
class ModularDueTrial:
    """`splitting.due_modular`: which bundles does the leader have split, round after round?

    Long-term averages start empty. `known_brokers` is how many brokers the leader knows.
    """

    config: DueConfig
    leader: bool
    known_brokers: int
    rounds: tuple[ModularRound, ...]


@dataclass(frozen=True, slots=True)
class DueBundle:
    """A bundle to be split and the broker that is asked to do it."""

    bundle: str
    broker: str


@dataclass(frozen=True, slots=True)
class ModularDueAnswer:
    """The bundles due in each round, in any order within the round."""

    rounds: tuple[tuple[DueBundle, ...], ...]


@dataclass(frozen=True, slots=True)
class OwnLoad:
    """What a broker knows of one bundle: its load, whether it owns it, and where it would cut.

    `positions` is what the default split algorithm yields for the bundle (empty: nothing).
    """

    load: BundleLoad
    owned: bool
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ExtensibleCycle:
    """One split cycle of one broker; `splitting` names the bundles now in state Splitting."""

    loads: tuple[OwnLoad, ...]
    counts: tuple[NamespaceCount, ...]
    splitting: tuple[str, ...]

    def __post_init__(self) -> None:
        _require_counted(tuple(own.load.bundle for own in self.loads), self.counts)


@dataclass(frozen=True, slots=True)
class ExtensibleDueTrial:
    """`splitting.due_extensible`: which of its bundles does a broker split, cycle after cycle?"""

    config: DueConfig
    cycles: tuple[ExtensibleCycle, ...]


@dataclass(frozen=True, slots=True)
class SplitDecision:
    """One decision: the bundle, why, and the ranges of its children in ascending order."""

    bundle: str
    reason: Reason
    children: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CycleDecisions:
    """What one cycle decided, in any order; `broke` says why the cycle was aborted, or null."""

    decisions: tuple[SplitDecision, ...]
    broke: str | None


@dataclass(frozen=True, slots=True)
class ExtensibleDueAnswer:
    """One entry for each cycle of the trial."""

    cycles: tuple[CycleDecisions, ...]


# ------------------------------------------------------------------------ splitting.manual


@dataclass(frozen=True, slots=True)
class BundleHeat:
    """The long-term throughput (in plus out) and topic count that the leader has of a bundle."""

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


# -------------------------------------------------------------------------- splitting.life


@dataclass(frozen=True, slots=True)
class RivalTouch:
    """Another writer rewrites the stored record between our read and our write."""

    DO: ClassVar[str] = "touch"


@dataclass(frozen=True, slots=True)
class RivalSplit:
    """Another broker splits `bundle` at `position` between our read and our write.

    Nothing happens if the stored boundaries have no such bundle.
    """

    DO: ClassVar[str] = "split"
    bundle: HashRange
    position: int


Rival = RivalTouch | RivalSplit


@dataclass(frozen=True, slots=True)
class LookUp:
    """Which bundle serves this topic (a full name of the namespace)?"""

    DO: ClassVar[str] = "look_up"
    topic: str


@dataclass(frozen=True, slots=True)
class Split:
    """Cut `bundle` at `positions`. Attempt i races with rival i, which writes first."""

    DO: ClassVar[str] = "split"
    bundle: HashRange
    positions: tuple[int, ...]
    rivals: tuple[Rival, ...] = ()


@dataclass(frozen=True, slots=True)
class SetGroup:
    """Set the anti-affinity group, another field of the same stored record."""

    DO: ClassVar[str] = "set_group"
    group: str


@dataclass(frozen=True, slots=True)
class Reload:
    """The broker forgets its view and loads it afresh."""

    DO: ClassVar[str] = "reload"


@dataclass(frozen=True, slots=True)
class Read:
    """What is stored?"""

    DO: ClassVar[str] = "read"


Command = LookUp | Split | SetGroup | Reload | Read


@dataclass(frozen=True, slots=True)
class LifeTrial:
    """`splitting.life`: a namespace is created with these boundaries and lives through commands.

    Topics that the split algorithm sees never matter: every split is by specified positions.
    """

    namespace: str
    boundaries: tuple[int, ...]
    commands: tuple[Command, ...]

    def __post_init__(self) -> None:
        require_boundaries(self.boundaries)


@dataclass(frozen=True, slots=True)
class Found:
    """Answer to `LookUp`."""

    DO: ClassVar[str] = "found"
    bundle: Span


@dataclass(frozen=True, slots=True)
class SplitDone:
    """Answer to `Split`: the children, in ascending order; empty where nothing was to be cut."""

    DO: ClassVar[str] = "split_done"
    children: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Stored:
    """Answer to `Read`: the stored record and the second copy of its boundaries.

    `version` counts writes of the record since the namespace was created.
    """

    DO: ClassVar[str] = "stored"
    boundaries: tuple[int, ...]
    copy: tuple[int, ...]
    group: str
    version: int


@dataclass(frozen=True, slots=True)
class Done:
    """Answer to `SetGroup` and `Reload`."""

    DO: ClassVar[str] = "done"


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """The command was rejected and changed nothing of its own."""

    DO: ClassVar[str] = "refused"
    reason: str


@dataclass(frozen=True, slots=True)
class CommandBroke:
    """The command failed where it should have been answered or refused."""

    DO: ClassVar[str] = "broke"
    reason: str


CommandResult = Found | SplitDone | Stored | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class LifeAnswer:
    """One result for each command."""

    results: tuple[CommandResult, ...]
