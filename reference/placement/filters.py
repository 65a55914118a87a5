"""The candidates of the extensible manager: one filter after another, and no way back.

Source: ExtensibleLoadManagerImpl.selectAsync and its broker filters 4.0.8. Two filters read from
the metadata store; the order below is the one in which they are asked, and in which they end
where reads end at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from evenkeel.reference.edition import Edition
from evenkeel.reference.placement import isolation, spreading, versions
from evenkeel.reference.placement.candidates import PlacementConfig, Step
from evenkeel.reference.placement.isolation import IsolationPolicy
from evenkeel_engine.frame.clauses import states


@dataclass(frozen=True, slots=True)
class Registration:
    """How a broker is registered. `topics`: those of its load data; None counts as 0."""

    topics: int | None = None
    persistent: bool = True
    non_persistent: bool = True
    version: str | None = None
    manager: str | None = None


@dataclass(frozen=True, slots=True)
class Registry:
    """All that is known of a cluster: brokers in order, and what each owns, by full name."""

    brokers: Mapping[str, Registration]
    bundles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    domains: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    policies: tuple[IsolationPolicy, ...] = ()


@states("PLC-23", "PLC-26")
def usable(
    candidates: Sequence[str],
    registry: Registry,
    namespace: str,
    persistent: bool,
    edition: Edition,
) -> tuple[str, ...]:
    """The candidates that a namespace may use."""

    def accepts(broker: str) -> bool:
        known = registry.brokers[broker]
        return known.persistent if persistent else known.non_persistent

    return isolation.usable(registry.policies, namespace, candidates, accepts, edition)


@states("PLC-30")
def same_manager(
    candidates: Sequence[str], registry: Registry, config: PlacementConfig
) -> tuple[str, ...]:
    """The candidates that run this load manager."""
    return tuple(b for b in candidates if registry.brokers[b].manager == config.manager)


@states("PLC-27", "PLC-36")
def below_topic_limit(
    candidates: Sequence[str], registry: Registry, config: PlacementConfig
) -> tuple[str, ...]:
    """The candidates with fewer topics than the limit."""
    return tuple(b for b in candidates if (registry.brokers[b].topics or 0) < config.max_topics)


@states("PLC-31", "PLC-38")
def latest(
    candidates: Sequence[str], registry: Registry, config: PlacementConfig, edition: Edition
) -> tuple[str, ...]:
    """The candidates with the newest version; all of them if that cannot be found out."""
    if not config.prefer_later_versions:
        return tuple(candidates)
    newest = versions.newest({b: registry.brokers[b].version for b in candidates}, edition)
    return tuple(candidates) if newest is None else newest


@states("PLC-28", "PLC-37")
def apart(
    candidates: Sequence[str], registry: Registry, namespace: str, edition: Edition
) -> tuple[str, ...]:
    """The candidates with the fewest of the namespace's anti-affinity group."""
    group = registry.groups.get(namespace)
    if group is None:
        return tuple(candidates)
    counts = {
        broker: spreading.members(
            registry.bundles.get(broker, ()), registry.groups, group, edition.spread_counts_bundles
        )
        for broker in candidates
    }
    return spreading.apart(candidates, counts, registry.domains)


@states("PLC-32", "PLC-38", "PLC-39", "PLC-40")
def filter_all(
    registry: Registry,
    excluded: Sequence[str],
    namespace: str,
    persistent: bool,
    config: PlacementConfig,
    edition: Edition,
) -> tuple[tuple[str, ...], Mapping[str, Step]]:
    """The candidates after all filters, and by which each other broker was dropped.

    A broker that is excluded from the start is in neither.
    """
    left = tuple(broker for broker in registry.brokers if broker not in excluded)
    dropped: dict[str, Step] = {}
    steps: tuple[tuple[Step, Callable[[Sequence[str]], tuple[str, ...]]], ...] = (
        (Step.MANAGER, lambda given: same_manager(given, registry, config)),
        (Step.TOPICS, lambda given: below_topic_limit(given, registry, config)),
        (Step.VERSION, lambda given: latest(given, registry, config, edition)),
        (Step.APART, lambda given: apart(given, registry, namespace, edition)),
        (Step.ISOLATION, lambda given: usable(given, registry, namespace, persistent, edition)),
    )
    for step, keep in steps:
        after = keep(left)
        dropped.update({broker: step for broker in left if broker not in after})
        left = after
    return left, dropped
