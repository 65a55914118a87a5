"""Mutants of usage and of smoothed scores."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from evenkeel.properties.load.mutant_maker import Function, always, correct, defect
from evenkeel.properties.mutant import Mutant
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load import history as histories
from evenkeel.reference.load import usage
from evenkeel.reference.load.history import Histories, Keeper, Seen
from evenkeel.reference.load.usage import Resource, Resources, Weights


def _in_double(resource: Resource) -> float:
    return 100 * resource.usage / resource.limit if resource.limit > 0 else 0.0


def _capped(original: Function) -> Function:
    return lambda resource: min(100.0, original(resource))


def _full_without_limit(original: Function) -> Function:
    return lambda resource: original(resource) if resource.limit > 0 else 100.0


def _poisoned(values: Iterable[float]) -> float:
    found = list(values)
    return math.nan if any(map(math.isnan, found)) else max(found)


def _with_heap(original: Function) -> Function:
    return lambda resources, weights: usage.max_weighted_usage_with_heap(
        resources, replace(weights, memory=1.0)
    )


def _without_weights(original: Function) -> Function:
    def score(resources: Resources, weights: Weights) -> float:
        del weights
        result: float = original(resources, Weights(direct_memory=1.0))
        return result

    return score


def _without_heap(original: Function) -> Function:
    del original
    return usage.max_weighted_usage


def _heap_too(resources: Resources) -> float:
    return usage.max_weighted_usage_with_heap(resources, Weights(1.0, 1.0, 1.0, 1.0, 1.0))


def _present_name_only(configured: float, misspelt: float) -> float:
    del misspelt
    return configured


USAGE: Final[tuple[Mutant, ...]] = (
    defect(
        "heap-counts-in-one-of-two",
        usage,
        "max_weighted_usage",
        _with_heap,
        "Bundles are shed whenever the garbage collector has not run for a while.",
        "SH6",
    ),
    defect(
        "not-a-number-spreads",
        usage,
        "largest",
        lambda _: _poisoned,
        "A broker whose CPU cannot be read has no score at all.",
        "SH48",
    ),
    defect(
        "usage-ends-at-100",
        usage,
        "percent_usage",
        _capped,
        "A broker at 140 % is no fuller than one at 100 %.",
    ),
    defect(
        "unknown-limit-is-full",
        usage,
        "percent_usage",
        _full_without_limit,
        "A broker without a known network card counts as full.",
    ),
    defect(
        "weights-do-nothing",
        usage,
        "max_weighted_usage",
        _without_weights,
        "A resource that is switched off by a weight of 0 still triggers shedding.",
    ),
    defect(
        "heap-never-counts",
        usage,
        "max_weighted_usage_with_heap",
        _without_heap,
        "The configured weight of heap memory has no effect under the extensible manager.",
    ),
    defect(
        "heap-in-unweighted-usage",
        usage,
        "max_usage",
        lambda _: _heap_too,
        "Placement takes a broker for full whose heap is.",
        "SH6",
    ),
    defect(
        "old-names-ignored",
        usage,
        "bandwidth_weight",
        lambda _: _present_name_only,
        "After an upgrade the configured weights of the bandwidths are 1 again.",
    ),
    defect(
        "percentages-in-double",
        usage,
        "percent_usage",
        lambda _: _in_double,
        "A cluster of mixed versions disagrees about who is at a threshold.",
        edition=PULSAR_4_0,
    ),
    correct(
        "usage-in-double-precision",
        usage,
        "percent_usage",
        lambda _: _in_double,
        "Percentages are worked out in double precision.",
    ),
)


def _from_zero(original: Function) -> Function:
    return lambda history, latest, weight: original(history or 0.0, latest, weight)


def _swapped(history: float | None, latest: float, weight: float) -> float:
    return latest if history is None else history * (1 - weight) + weight * latest


def _piled_up(history: float | None, latest: float, weight: float) -> float:
    return latest if history is None else history * weight + latest


def _all_kept(history: Histories, active: Iterable[str]) -> Histories:
    del active
    return history


def _idle_in_shedding(original: Function) -> Function:
    return lambda keeper, seen: original(Keeper.LEAST_RESOURCE_USAGE, seen)


def _others_move_too(original: Function) -> Function:
    def looked(
        keeper: Keeper, before: Histories, brokers: tuple[Seen, ...], weight: float
    ) -> dict[str, float]:
        seen = {each.broker for each in brokers}
        after: dict[str, float] = original(keeper, before, brokers, weight)
        return {
            broker: score if broker in seen else score * weight for broker, score in after.items()
        }

    return looked


def _backwards(original: Function) -> Function:
    return lambda history, brokers: original(history, brokers[::-1])


HISTORY: Final[tuple[Mutant, ...]] = (
    defect(
        "history-begins-at-zero",
        histories,
        "smoothed",
        _from_zero,
        "After a change of leader nothing is shed for twenty rounds.",
        "SH7",
    ),
    defect(
        "weights-of-history-swapped",
        histories,
        "smoothed",
        lambda _: _swapped,
        "One short peak is enough to shed.",
    ),
    defect(
        "history-piles-up",
        histories,
        "smoothed",
        lambda _: _piled_up,
        "Every broker's score grows to ten times its usage.",
    ),
    defect(
        "departed-brokers-kept",
        histories,
        "without_departed",
        lambda _: _all_kept,
        "A broker that was restarted gets no bundles for many rounds.",
        "SH25",
    ),
    defect(
        "idle-brokers-keep-history",
        histories,
        "starts_afresh",
        always(False),
        "A broker that was restarted quickly gets no bundles for many rounds.",
        "SH25",
    ),
    defect(
        "idle-brokers-forgotten-in-shedding",
        histories,
        "starts_afresh",
        _idle_in_shedding,
        "A broker is shed from by its usage at one moment.",
        edition=PULSAR_4_0,
    ),
    defect(
        "absent-brokers-fade",
        histories,
        "looked",
        _others_move_too,
        "Brokers that were no candidates look emptier each time.",
    ),
    defect(
        "mean-is-zero",
        histories,
        "mean",
        always(0.0),
        "Nothing is ever shed: an average of 0 means that nothing is known.",
        "SH4",
    ),
    correct(
        "mean-added-up-backwards",
        histories,
        "mean",
        _backwards,
        "The brokers are gone through in another order.",
    ),
)
