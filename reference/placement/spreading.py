"""Spreading: anti-affinity groups over domains and brokers, a namespace's bundles over brokers.

Source: LoadManagerShared.filterAntiAffinityGroupOwnedBrokers,
removeMostServicingBrokersForNamespace 4.0.8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from evenkeel.reference import java_text
from evenkeel.reference.load.namespaces import namespace_of
from evenkeel_engine.frame.clauses import states

DEFAULT_DOMAIN = "default"
"""The domain of brokers without one."""


@states("PLC-28", "PLC-37")
def members(
    bundles: Sequence[str], groups: Mapping[str, str], group: str, every_bundle: bool
) -> int:
    """How many namespaces (or bundles) of a group are among these bundles.

    Groups are the same whatever the case of their letters.
    """
    served = [namespace_of(bundle) for bundle in bundles]
    counted = served if every_bundle else list(dict.fromkeys(served))
    return sum(
        java_text.same_ignoring_case(groups.get(namespace, ""), group) for namespace in counted
    )


@states("PLC-28")
def apart(
    candidates: Sequence[str], counts: Mapping[str, int], domains: Mapping[str, str]
) -> tuple[str, ...]:
    """The candidates with the fewest of a group, in the domains with the fewest.

    `domains` is empty where failure domains are off. A domain counts what its candidates have.
    """
    left = candidates
    if domains:
        sizes: Counter[str] = Counter()
        for broker in candidates:
            sizes[domains.get(broker, DEFAULT_DOMAIN)] += counts[broker]
        fewest = min(sizes.values(), default=0)
        left = [b for b in left if sizes[domains.get(b, DEFAULT_DOMAIN)] == fewest]
    return fewest_of(left, counts)


@states("PLC-28", "PLC-29")
def fewest_of(candidates: Sequence[str], counts: Mapping[str, int]) -> tuple[str, ...]:
    """The candidates with the lowest count."""
    lowest = min((counts[broker] for broker in candidates), default=0)
    return tuple(broker for broker in candidates if counts[broker] == lowest)


@states("PLC-29", "PLC-42")
def bundles_of(namespace: str, bundles: Sequence[str]) -> int:
    """How many of these bundles belong to a namespace."""
    return list(map(namespace_of, bundles)).count(namespace)
