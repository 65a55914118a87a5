"""Trials and answers about due bundles: `splitting.due_modular`, `splitting.due_extensible`.

JSON names are the field names, except for configuration keys, which keep Pulsar's spelling
(`field(metadata={"wire": ...})`). Rates are messages per second, throughput bytes per second,
each split in what comes in and what goes out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.properties.observations import Span
from evenkeel.properties.splitting.trials_positions import require_rates
from evenkeel.properties.trial import require
from evenkeel.reference.splitting.due import Reason


@dataclass(frozen=True, slots=True)
class DueConfig:
    """The configuration that decides which bundles are due for a split; rates in msg/s, MB/s."""

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
    """What a broker reports about one bundle: clients, msg/s, bytes/s.

    `bundle` is the full name, `t/ns/0x…_0x…`.
    """

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
