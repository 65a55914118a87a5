from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    always,
    defect,
    equivalent,
    first,
    switched,
)
from evenkeel.properties.placement.candidates.mutants_rules import RULES
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load.namespaces import SYSTEM
from evenkeel.reference.placement import candidates, filters, versions
from evenkeel.reference.placement.candidates import Cluster, Filtered, PlacementConfig
from evenkeel.reference.placement.message_rate import NoReport

keep_all: Final = lambda given, *rest: tuple(given)  # noqa: E731


def without_preallocated(cluster: Cluster) -> Cluster:
    reports = {b: replace(r, preallocated=()) for b, r in cluster.reports.items()}
    return replace(cluster, reports=reports)


def one_topic_less(config: PlacementConfig) -> PlacementConfig:
    return replace(config, max_topics=config.max_topics - 1)


def limit_is_hard(original: Function) -> Function:
    def below(given: Sequence[str], cluster: Cluster, config: PlacementConfig) -> Any:
        return tuple(
            broker
            for broker in given
            if broker not in cluster.reports
            or cluster.reports[broker].all_topics <= config.max_topics
        )

    return below


def system_too(original: Function) -> Function:
    def even(given: Any, cluster: Any, namespace: str, config: PlacementConfig) -> Any:
        return original(given, cluster, "" if namespace == SYSTEM else namespace, config)

    return even


def nothing_restored(original: Function) -> Function:
    def filtered(*arguments: Any) -> Any:
        found = original(*arguments)
        return Filtered((), found.dropped) if found.restored else found

    return filtered


def any_order(original: Function) -> Function:
    def filtered(cluster: Cluster, namespace: str, persistent: bool, config: Any, e: Any) -> Any:
        everybody = candidates.usable(cluster, namespace, persistent)
        left = candidates.latest(everybody, cluster, config, e)
        if left:
            left = candidates.same_manager(left, cluster, config)
            left = candidates.even(left, cluster, namespace, config)
            left = candidates.apart(left, cluster, namespace)
            left = candidates.below_topic_limit(left, cluster, config)
        return Filtered(left or everybody, {}, not left)

    return filtered


def forgets_excluded(original: Function) -> Function:
    return lambda registry, excluded, *rest: original(registry, (), *rest)


def everybody_after_all(original: Function) -> Function:
    def filtered(registry: Any, excluded: Any, *rest: Any) -> Any:
        left, dropped = original(registry, excluded, *rest)
        return left or tuple(b for b in registry.brokers if b not in excluded), dropped

    return filtered


def isolation_first(original: Function) -> Function:
    def filtered(registry: Any, excluded: Any, namespace: str, persistent: bool, *rest: Any) -> Any:
        inside = [b for b in registry.brokers if b not in excluded]
        usable = filters.usable(inside, registry, namespace, persistent)
        outside = tuple(b for b in registry.brokers if b not in usable)
        return original(registry, outside, namespace, persistent, *rest)

    return filtered


def breaks_without_report(original: Function) -> Function:
    def asks(chosen: str, cluster: Cluster, config: Any, edition: Any) -> Any:
        return original(chosen, cluster, config, replace(edition, unreported_candidates_break=True))

    return asks


def first_stays(original: Function) -> Function:
    return lambda first, second: first


def strange_breaks(original: Function) -> Function:
    def latest(given: Sequence[str], registry: Any, config: PlacementConfig, edition: Any) -> Any:
        known = {b: registry.brokers[b].version for b in given}
        if config.prefer_later_versions and given and versions.newest(known, edition) is None:
            raise NoReport("a version that cannot be read")
        return original(given, registry, config, edition)

    return latest


MUTANTS: Final = (
    *RULES,
    defect(
        "second-choice-ignored",
        candidates,
        "last_choice",
        first_stays,
        "The strategy is asked again, and the overloaded broker gets the bundle all the same.",
    ),
    defect(
        "strange-versions-break",
        filters,
        "latest",
        strange_breaks,
        "A broker without a version makes every placement fail.",
    ),
    defect(
        "topic-limit-ignored",
        candidates,
        "below_topic_limit",
        lambda _: keep_all,
        "A broker with too many topics gets more.",
    ),
    defect(
        "preallocated-topics-ignored",
        candidates,
        "below_topic_limit",
        first(1, without_preallocated),
        "A burst of lookups overfills a broker.",
    ),
    defect(
        "topic-limit-off-by-one",
        candidates,
        "below_topic_limit",
        first(2, one_topic_less),
        "A broker at its limit is dropped.",
    ),
    defect(
        "topic-limit-is-hard",
        candidates,
        "below_topic_limit",
        limit_is_hard,
        "When all brokers are full, other filters are forgotten too.",
        edition=PULSAR_4_0,
    ),
    defect(
        "groups-not-kept-apart",
        candidates,
        "apart",
        lambda _: keep_all,
        "Two namespaces of a group fail together.",
    ),
    defect(
        "system-bundles-not-spread",
        candidates,
        "even",
        system_too,
        "System bundles gather on one broker where even distribution is off.",
    ),
    defect(
        "other-managers-accepted",
        candidates,
        "same_manager",
        lambda _: keep_all,
        "A bundle is given to a broker that does not follow this load manager.",
    ),
    defect(
        "nobody-left-nobody-chosen",
        candidates,
        "filtered",
        nothing_restored,
        "Filters that drop everybody leave bundles unserved.",
    ),
    defect(
        "overloaded-choice-stays",
        candidates,
        "asks_again",
        always(False),
        "A bundle stays on an overloaded broker while others are idle.",
    ),
    defect(
        "every-choice-made-again",
        candidates,
        "asks_again",
        always(True),
        "Filters are overruled by a second choice from all brokers.",
    ),
    defect(
        "reports-needed",
        candidates,
        "asks_again",
        breaks_without_report,
        "Placement fails where a broker has not reported.",
    ),
    defect(
        "reports-not-needed-in-4-0",
        candidates,
        "asks_again",
        switched(unreported_candidates_break=False),
        "Placement does not fail where 4.0 fails.",
        edition=PULSAR_4_0,
    ),
    defect(
        "modular-filters-in-another-order-in-4-0",
        candidates,
        "filtered",
        any_order,
        "Versions are compared before the rest.",
        edition=PULSAR_4_0,
    ),
    defect(
        "extensible-topic-limit-ignored",
        filters,
        "below_topic_limit",
        lambda _: keep_all,
        "A broker with too many topics gets more.",
    ),
    defect(
        "extensible-groups-not-kept-apart",
        filters,
        "apart",
        lambda _: keep_all,
        "Two namespaces of a group fail together.",
    ),
    defect(
        "extensible-other-managers-accepted",
        filters,
        "same_manager",
        lambda _: keep_all,
        "A bundle is given to a broker that does not follow this load manager.",
    ),
    defect(
        "extensible-versions-ignored",
        filters,
        "latest",
        lambda _: keep_all,
        "Old brokers get bundles although later versions are preferred.",
    ),
    defect(
        "excluded-brokers-offered",
        filters,
        "filtered",
        forgets_excluded,
        "A bundle returns to the broker that is to lose it.",
    ),
    defect(
        "everybody-if-nobody-is-left",
        filters,
        "filtered",
        everybody_after_all,
        "Filters that drop everybody have no effect, isolation included.",
    ),
    defect(
        "namespaces-counted-in-4-0",
        filters,
        "apart",
        switched(spread_counts_bundles=False),
        "Groups are kept apart by namespaces, unlike in 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "isolation-first-in-4-0",
        filters,
        "filtered",
        isolation_first,
        "Primary brokers count although other filters drop them.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "modular-filters-in-another-order",
        candidates,
        "filtered",
        any_order,
        "Versions are compared before the rest.",
    ),
    equivalent(
        "extensible-isolation-first",
        filters,
        "filtered",
        isolation_first,
        "Isolation policies are applied before the other filters.",
    ),
)
