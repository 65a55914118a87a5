from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    defect,
    equivalent,
    first,
)
from evenkeel.properties.placement.numbers import EVEN, largest
from evenkeel.properties.placement.numbers import in_doubles as double
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.load.usage import Resources, Weights
from evenkeel.reference.placement import (
    arithmetic,
    choice,
    message_rate,
)
from evenkeel.reference.placement.message_rate import RateReport


def in_doubles(original: Function) -> Function:
    def score(report: RateReport, threshold: int, weights: Weights, edition: Edition) -> float:
        if largest(report.resources, weights, double) > threshold / 100.0:
            return math.inf
        return sum(report.preallocated) + report.rate_in + report.rate_out

    return score


def mostly_first(allowed: Sequence[str], turn: int) -> str:
    return allowed[turn % len(allowed)] if turn % 5 == 0 else allowed[0]


def none_is_an_error(original: Function) -> Function:
    def picks(candidates: Sequence[str], *arguments: Any) -> Any:
        if not candidates:
            raise message_rate.NoReport("index 0 of 0")
        return original(candidates, *arguments)

    return picks


def nobody_if_all_overloaded(original: Function) -> Function:
    def allowed(candidates: Sequence[str], reports: Any, *arguments: Any) -> Any:
        scores = [message_rate.score(reports[b], *arguments) for b in candidates if b in reports]
        if scores and min(scores) == float("inf"):
            return ()
        return original(candidates, reports, *arguments)

    return allowed


def memory_too(original: Function) -> Function:
    def usage(resources: Resources, weights: Any, edition: Any) -> Any:
        heap = arithmetic.exact_usage(resources.memory)
        known = original(resources, weights, edition)
        return max(known, float(heap) if isinstance(known, float) else heap)

    return usage


def weights_left_out(original: Function) -> Function:
    return lambda resources, weights, edition: original(resources, EVEN, edition)


def every_resource(original: Function) -> Function:
    """The fullest of all five, heap memory included."""

    def usage(resources: Resources, weights: Any, edition: Any) -> Any:
        names = ("cpu", "memory", "direct_memory", "bandwidth_in", "bandwidth_out")
        return max(arithmetic.exact_usage(getattr(resources, name)) for name in names)

    return usage


MUTANTS: Final = (
    defect(
        "first-of-the-allowed",
        choice,
        "pick",
        lambda _: lambda allowed, turn: allowed[0],
        "Among equals always the same broker gets the bundle.",
    ),
    defect(
        "chance-is-loaded",
        choice,
        "pick",
        lambda _: mostly_first,
        "Among equals one broker gets nearly all bundles.",
        edition=PULSAR_4_0,
    ),
    defect(
        "no-candidates-is-an-error",
        message_rate,
        "least_loaded",
        none_is_an_error,
        "Where no broker is left, the lookup fails with an index error.",
        "SH27",
    ),
    defect(
        "placement-counts-heap-memory",
        message_rate,
        "usage",
        memory_too,
        "Garbage collection decides whether a broker gets bundles.",
        "SH6",
    ),
    defect(
        "placement-usage-without-weights",
        message_rate,
        "usage",
        weights_left_out,
        "A broker whose processor does not count is passed over all the same, as 001 has it.",
    ),
    defect(
        "placement-usage-of-every-resource",
        message_rate,
        "usage",
        every_resource,
        'A broker with a full heap is passed over: "CPU, memory, and network".',
        "SH6",
    ),
    defect(
        "preallocated-rates-left-out",
        message_rate,
        "score",
        first(0, lambda report: replace(report, preallocated=())),
        "All bundles go to one broker until it reports, as 001 has it.",
    ),
    defect(
        "rates-in-only",
        message_rate,
        "score",
        first(0, lambda report: replace(report, rate_out=0.0)),
        "What consumers read counts for nothing.",
    ),
    defect(
        "overloaded-at-the-threshold",
        message_rate,
        "overloaded",
        first(1, lambda threshold: threshold - 1),
        "A broker at 85 % gets no more bundles.",
    ),
    defect(
        "nobody-if-all-overloaded",
        message_rate,
        "least_loaded",
        nobody_if_all_overloaded,
        "A busy cluster stops serving bundles.",
    ),
    equivalent(
        "last-of-the-allowed-first",
        choice,
        "pick",
        lambda _: lambda allowed, turn: allowed[-1 - turn % len(allowed)],
        "Choices come in another order.",
    ),
    equivalent(
        "chance-by-multiplication",
        choice,
        "pick",
        lambda _: lambda allowed, turn: allowed[(turn + 1) * 2654435761 % 2**32 % len(allowed)],
        "Choices come from a hash of their number.",
    ),
    equivalent(
        "rates-in-doubles",
        message_rate,
        "score",
        in_doubles,
        "Usages and rates are doubles, not decimal numbers.",
    ),
)
