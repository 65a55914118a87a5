"""Filters in any order.

The documents name the filters, not the order in which they are applied. Where every order leaves
the same candidates, these are promised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from evenkeel.properties.placement.trials_candidates import CandidatesTrial, FiltersTrial
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement import candidates, filters
from evenkeel.reference.placement.candidates import Step

Brokers = tuple[str, ...]
Keep = Callable[[Brokers], Brokers | None]
"""What a filter keeps; None if it cannot tell."""


def ends(start: Brokers, keeps: Mapping[Step, Keep]) -> set[Brokers]:
    """What is left after all filters, for every order; `()` also where one cannot tell."""
    filters_ = [cache(keep) for keep in keeps.values()]
    numbers = frozenset(range(len(filters_)))
    reached: dict[frozenset[int], set[Brokers]] = {frozenset(): {start}}
    for _ in filters_:
        later: dict[frozenset[int], set[Brokers]] = {}
        for applied, lefts in reached.items():
            for number in numbers - applied:
                results = later.setdefault(applied | {number}, set())
                results.update(filters_[number](left) or () if left else () for left in lefts)
        reached = later
    [results] = reached.values()
    return results


def modular_filters(trial: CandidatesTrial, edition: Edition) -> dict[Step, Keep]:
    """The filters of the modular manager behind the isolation policy."""
    cluster, config, namespace = trial.cluster, trial.config, trial.namespace
    return {
        Step.TOPICS: lambda left: candidates.below_topic_limit(left, cluster, config),
        Step.APART: lambda left: candidates.apart(left, cluster, namespace),
        Step.EVEN: lambda left: candidates.even(left, cluster, namespace, config),
        Step.MANAGER: lambda left: candidates.same_manager(left, cluster, config),
        Step.VERSION: lambda left: candidates.latest(left, cluster, config, edition),
    }


def extensible_filters(trial: FiltersTrial, edition: Edition) -> dict[Step, Keep]:
    """The filters of the extensible manager, the isolation policy among them."""
    registry, config, namespace = trial.registry, trial.config, trial.namespace
    return {
        Step.MANAGER: lambda left: filters.same_manager(left, registry, config),
        Step.TOPICS: lambda left: filters.below_topic_limit(left, registry, config),
        Step.VERSION: lambda left: filters.latest(left, registry, config, edition),
        Step.APART: lambda left: filters.apart(left, registry, namespace, edition),
        Step.ISOLATION: lambda left: filters.usable(left, registry, namespace, trial.persistent),
    }
