from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    defect,
    equivalent,
)
from evenkeel.reference.placement import candidates, filters, isolation, spreading
from evenkeel.reference.placement.candidates import Cluster, Filtered
from evenkeel.reference.placement.message_rate import NoReport


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


def takers_only(original: Function) -> Function:
    """Under a policy, too, those that take such topics."""

    def usable(cluster: Cluster, namespace: str, persistent: bool) -> Any:
        def takes(broker: str) -> bool:
            known = cluster.reports.get(broker)
            return known is not None and (known.persistent if persistent else known.non_persistent)

        return tuple(b for b in original(cluster, namespace, persistent) if takes(b))

    return usable


def without_the_last(original: Function) -> Function:
    def usable(cluster: Cluster, namespace: str, persistent: bool) -> Any:
        found = original(cluster, namespace, persistent)
        return found[:-1] or found

    return usable


def registered_without_the_last(original: Function) -> Function:
    def usable(candidates: Sequence[str], *rest: Any) -> Any:
        found = original(candidates, *rest)
        return found[:-1] or found

    return usable


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


def first_stays(original: Function) -> Function:
    return lambda first, second: first


def with_port(broker: str) -> str:
    return broker


def port_or_host(original: Function) -> Function:
    return lambda expressions, text: (
        original(expressions, text) or original(expressions, f"{text}:8080")
    )


def most(original: Function) -> Function:
    def fewest(given: Sequence[str], counts: Any) -> Any:
        return original(given, {broker: -count for broker, count in counts.items()})

    return fewest


def vanishing(original: Function) -> Function:
    def fewest(given: Sequence[str], counts: Any) -> Any:
        if given and not any(counts.values()):
            raise NoReport("the counts were emptied after they had been found")
        return original(given, counts)

    return fewest


MUTANTS: Final = (
    defect(
        "policy-matched-with-port",
        isolation,
        "host",
        lambda _: with_port,
        "A policy that names hosts matches nothing; its namespaces cannot be served.",
        "SH38",
    ),
    defect(
        "policy-matched-with-port-too",
        isolation,
        "matches",
        port_or_host,
        "A policy that names a port is applied, by some brokers only.",
        "SH38",
    ),
    defect(
        "most-instead-of-fewest",
        spreading,
        "fewest_of",
        most,
        "Bundles of a namespace gather on one broker.",
    ),
    defect(
        "counts-vanish-between-two-looks",
        spreading,
        "fewest_of",
        vanishing,
        "While another thread renews the map, a broker without an entry breaks the lookup.",
        "SH50",
    ),
    defect(
        "second-choice-ignored",
        candidates,
        "last_choice",
        first_stays,
        "The strategy is asked again, and the overloaded broker gets the bundle all the same.",
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
    equivalent(
        "modular-filters-in-another-order",
        candidates,
        "filtered",
        any_order,
        "Versions are compared before the rest.",
    ),
    defect(
        "last-broker-left-out",
        candidates,
        "usable",
        without_the_last,
        "The broker that was started last never gets a bundle.",
    ),
    defect(
        "last-registered-broker-left-out",
        filters,
        "usable",
        registered_without_the_last,
        "The broker that was started last never gets a bundle.",
    ),
    equivalent(
        "takers-only-under-a-policy",
        candidates,
        "usable",
        takers_only,
        "Whatever the policy, a broker that does not take such topics may be left out.",
    ),
    equivalent(
        "extensible-isolation-first",
        filters,
        "filtered",
        isolation_first,
        "Isolation policies are applied before the other filters.",
    ),
)
