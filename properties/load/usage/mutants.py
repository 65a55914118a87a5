"""Mutants of usage."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from evenkeel.properties.mutant_maker import Function, defect, equivalent
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load import usage
from evenkeel.reference.load.usage import Resource, Resources, Weights


def _in_double(resource: Resource) -> float:
    return 100 * resource.usage / resource.limit if resource.limit > 0 else 0.0


def _poisoned(values: Iterable[float]) -> float:
    found = list(values)
    return math.nan if any(map(math.isnan, found)) else max(found)


def _with_heap(original: Function) -> Function:
    return lambda resources, weights: usage.max_weighted_usage_with_heap(
        resources, replace(weights, memory=1.0)
    )


def _without_heap(original: Function) -> Function:
    return lambda resources, weights: original(resources, replace(weights, memory=0.0))


def _heap_by_its_weight(original: Function) -> Function:
    del original
    return usage.max_weighted_usage_with_heap


def _heap_too(resources: Resources) -> float:
    return usage.max_weighted_usage_with_heap(resources, Weights(1.0, 1.0, 1.0, 1.0, 1.0))


def _present_name_only(configured: float, misspelt: float) -> float:
    del misspelt
    return configured


MUTANTS: Final = (
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
    defect(
        "heap-counts-by-its-weight-in-4.0",
        usage,
        "max_weighted_usage",
        _heap_by_its_weight,
        "A weight that the modular manager does not read any more still counts.",
        edition=PULSAR_4_0,
    ),
    defect(
        "heap-left-out-in-4.0",
        usage,
        "max_weighted_usage_with_heap",
        _without_heap,
        "The weight of heap memory is configured for the extensible manager, and does nothing.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "heap-counts-by-its-weight",
        usage,
        "max_weighted_usage",
        _heap_by_its_weight,
        "Heap memory counts under the modular manager, as document 001 has it.",
    ),
    equivalent(
        "heap-left-out",
        usage,
        "max_weighted_usage_with_heap",
        _without_heap,
        "Heap memory does not count under the extensible manager, as document 003 has it.",
    ),
    equivalent(
        "usage-in-double-precision",
        usage,
        "percent_usage",
        lambda _: _in_double,
        "Percentages are worked out in double precision.",
    ),
)
