"""The candidates of the modular manager: what is left of all brokers, step by step.

Source: ModularLoadManagerImpl.selectBroker 4.0.8.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import SYSTEM
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel.reference.placement import isolation, spreading, versions
from evenkeel.reference.placement.isolation import IsolationPolicy
from evenkeel.reference.placement.message_rate import NoReport, is_overloaded
from evenkeel_engine.frame.clauses import states

Keep: TypeAlias = Callable[[Sequence[str]], tuple[str, ...] | None]


class Step(Enum):
    """Why a broker is not, or is again, among the candidates."""

    ISOLATION = "its namespace may not use it"
    TOPICS = "it has too many topics"
    APART = "it has more of the anti-affinity group"
    EVEN = "it has more bundles of the namespace"
    MANAGER = "it runs another load manager"
    VERSION = "it runs an older version"


@dataclass(frozen=True, slots=True)
class BrokerReport:
    """A broker's report, as far as candidates depend on it. `cpu` in percent.

    `preallocated`: the topics of each bundle that was given to it and is not reported yet.
    """

    cpu: float = 0.0
    topics: int = 0
    preallocated: tuple[int, ...] = ()
    persistent: bool = True
    non_persistent: bool = True
    version: str | None = None
    manager: str | None = None

    @property
    def all_topics(self) -> int:
        """Topics, those of preallocated bundles included."""
        return self.topics + sum(self.preallocated)

    @property
    def resources(self) -> Resources:
        """Its resources; of these only the processor is reported."""
        return Resources(cpu=Resource(self.cpu, 100.0))


@dataclass(frozen=True, slots=True)
class Cluster:
    """All that is known of a cluster: brokers in order, those of them that have reported.

    `bundles`: what each broker serves or is about to, by full name. `domains`: failure domains,
    empty where they are off. `groups`: the anti-affinity group of a namespace.
    """

    brokers: tuple[str, ...]
    reports: Mapping[str, BrokerReport]
    bundles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    domains: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    policies: tuple[IsolationPolicy, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacementConfig:
    """What candidates are filtered by. `distribute_evenly` is the modular manager's, and so is
    `overloaded_threshold` (percent): it drops none, but decides on a second choice.
    """

    manager: str
    max_topics: int = 50000
    distribute_evenly: bool = True
    prefer_later_versions: bool = False
    overloaded_threshold: int = 85


@dataclass(frozen=True, slots=True)
class Filtered:
    """The candidates, and by which step each other broker was dropped."""

    candidates: tuple[str, ...]
    dropped: Mapping[str, Step]
    restored: bool = False


@states("PLC-26")
def usable(cluster: Cluster, namespace: str, persistent: bool, edition: Edition) -> tuple[str, ...]:
    """The brokers that a namespace may use; without a policy only those that reported."""

    def accepts(broker: str) -> bool:
        report = cluster.reports.get(broker)
        return report is not None and (report.persistent if persistent else report.non_persistent)

    return isolation.usable(cluster.policies, namespace, cluster.brokers, accepts, edition)


@states("PLC-27")
def below_topic_limit(
    candidates: Sequence[str], cluster: Cluster, config: PlacementConfig
) -> tuple[str, ...]:
    """The candidates within the limit of topics; all candidates if there are none.

    One without a report has none, which is too many where the limit is negative.
    """
    topics = {broker: report.all_topics for broker, report in cluster.reports.items()}
    left = tuple(broker for broker in candidates if topics.get(broker, 0) <= config.max_topics)
    return left or tuple(candidates)


@states("PLC-28")
def apart(candidates: Sequence[str], cluster: Cluster, namespace: str) -> tuple[str, ...]:
    """The candidates with the fewest namespaces of the namespace's anti-affinity group."""
    group = cluster.groups.get(namespace)
    if group is None:
        return tuple(candidates)
    counts = {
        broker: spreading.members(cluster.bundles.get(broker, ()), cluster.groups, group, False)
        for broker in candidates
    }
    return spreading.apart(candidates, counts, cluster.domains)


@states("PLC-29")
def filter_evenly(
    candidates: Sequence[str], cluster: Cluster, namespace: str, config: PlacementConfig
) -> tuple[str, ...]:
    """The candidates with the fewest bundles of the namespace."""
    if not config.distribute_evenly and namespace != SYSTEM:
        return tuple(candidates)
    counts = {
        broker: spreading.bundles_of(namespace, cluster.bundles.get(broker, ()))
        for broker in candidates
    }
    return spreading.fewest_of(candidates, counts)


@states("PLC-30")
def same_manager(
    candidates: Sequence[str], cluster: Cluster, config: PlacementConfig
) -> tuple[str, ...]:
    """The candidates whose report does not name another load manager."""
    return tuple(
        broker
        for broker in candidates
        if broker not in cluster.reports or cluster.reports[broker].manager == config.manager
    )


@states("PLC-31")
def latest(
    candidates: Sequence[str], cluster: Cluster, config: PlacementConfig, edition: Edition
) -> tuple[str, ...] | None:
    """The candidates with the newest version; None if that cannot be found out."""
    if not config.prefer_later_versions:
        return tuple(candidates)
    return versions.newest(
        {b: cluster.reports[b].version if b in cluster.reports else None for b in candidates},
        edition,
    )


@states("PLC-32", "PLC-35", "PLC-39")
def filter_all(
    cluster: Cluster, namespace: str, persistent: bool, config: PlacementConfig, edition: Edition
) -> Filtered:
    """The candidates after all steps, in the order of 4.0; with none left, all usable ones."""
    all_usable = usable(cluster, namespace, persistent, edition)
    dropped = {broker: Step.ISOLATION for broker in cluster.brokers if broker not in all_usable}
    steps: tuple[tuple[Step, Keep], ...] = (
        (Step.TOPICS, lambda given: below_topic_limit(given, cluster, config)),
        (Step.APART, lambda given: apart(given, cluster, namespace)),
        (Step.EVEN, lambda given: filter_evenly(given, cluster, namespace, config)),
        (Step.MANAGER, lambda given: same_manager(given, cluster, config)),
        (Step.VERSION, lambda given: latest(given, cluster, config, edition)),
    )
    left = all_usable
    for step, keep in steps:
        after = keep(left)
        if not after:
            return Filtered(all_usable, dropped, restored=True)
        dropped.update({broker: step for broker in left if broker not in after})
        left = after
    return Filtered(left, dropped)


@states("PLC-5", "PLC-33")
def asks_again(chosen: str, cluster: Cluster, config: PlacementConfig, edition: Edition) -> bool:
    """Whether the chosen broker is overloaded: then all usable ones are candidates.

    Breaks with `NoReport` in 4.0 where the chosen broker has not reported.
    """
    report = cluster.reports.get(chosen)
    if report is None:
        if edition.unreported_candidates_break:
            raise NoReport(chosen)
        return False
    return is_overloaded(report.resources, config.overloaded_threshold, Weights(), edition)


@states("PLC-34")
def last_choice(first: str, second: str | None) -> str:
    """The broker that gets the bundle after a second choice: the last broker that was chosen."""
    return first if second is None else second
