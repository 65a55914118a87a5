from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    defect,
    equivalent,
)
from evenkeel.reference.load.usage import Resources
from evenkeel.reference.placement import (
    arithmetic,
    resource_usage,
)
from evenkeel.reference.placement.message_rate import NoReport
from evenkeel.reference.placement.resource_usage import UsageReport


def memory_too(original: Function) -> Function:
    def usage(resources: Resources, weights: Any, edition: Any) -> Any:
        heap = arithmetic.exact_usage(resources.memory)
        known = original(resources, weights, edition)
        return max(known, float(heap) if isinstance(known, float) else heap)

    return usage


def always_the_same(original: Function) -> Function:
    """Of those that may be chosen always the one whose name comes first."""

    def sets(candidates: Sequence[str], *arguments: Any) -> Any:
        return tuple((min(one),) if one else () for one in original(candidates, *arguments))

    return sets


def unreported_is_full(original: Function) -> Function:
    def look(history: dict[str, Any], candidates: Sequence[str], reports: Any, *rest: Any) -> Any:
        usages = original(history, candidates, reports, *rest)
        for broker in candidates:
            if broker not in reports:
                usages[broker] = history[broker] = Fraction(1)
        return usages

    return look


def nobody_if_unknown(original: Function) -> Function:
    def sets(candidates: Sequence[str], usages: Mapping[str, Any], *arguments: Any) -> Any:
        return original(candidates, usages, *arguments) if usages else ((),)

    return sets


def unknown_is_idle(original: Function) -> Function:
    def sets(candidates: Sequence[str], usages: Mapping[str, Any], *arguments: Any) -> Any:
        full = {broker: usages.get(broker, Fraction(0)) for broker in candidates}
        return original(candidates, full, *arguments)

    return sets


def overloaded_at_the_maximum(original: Function) -> Function:
    def sets(candidates: Sequence[str], usages: Mapping[str, Any], *arguments: Any) -> Any:
        raised = {b: float("inf") if known > 0.85 else known for b, known in usages.items()}
        return original(candidates, raised, *arguments)

    return sets


def never_idle(original: Function) -> Function:
    def smoothed(before: Any, report: UsageReport, config: Any, edition: Any) -> Any:
        return original(before, replace(report, bundles=1, rate_in=1.0), config, edition)

    return smoothed


def remember_all(history: Mapping[str, Any], active: Any) -> dict[str, Any]:
    return dict(history)


def nobody_instead(original: Function) -> Function:
    def sets(candidates: Sequence[str], *arguments: Any) -> Any:
        found = original(candidates, *arguments)
        return ((),) if set(found[0]) == set(candidates) else found

    return sets


def first_of_none(original: Function) -> Function:
    def sets(candidates: Sequence[str], *arguments: Any) -> Any:
        if not candidates:
            raise NoReport("index 0 of 0")
        return original(candidates, *arguments)

    return sets


MUTANTS: Final = (
    defect(
        "first-of-those-below-the-mean",
        resource_usage,
        "allowed_sets",
        always_the_same,
        "One broker gets all bundles until it has reported; no document forbids it.",
    ),
    defect(
        "nobody-well-below-nobody-chosen",
        resource_usage,
        "allowed_sets",
        nobody_instead,
        "In a balanced cluster no bundle is served.",
    ),
    defect(
        "no-candidates-is-an-index-error",
        resource_usage,
        "allowed_sets",
        first_of_none,
        "Where no broker is left, the lookup fails with an index error.",
        "SH27",
    ),
    defect(
        "unknown-load-is-none",
        resource_usage,
        "allowed_sets",
        unknown_is_idle,
        "A broker without load data is taken for idle.",
    ),
    defect(
        "overloaded-counts-as-the-maximum",
        resource_usage,
        "allowed_sets",
        overloaded_at_the_maximum,
        "Two overloaded brokers raise the mean without bound; everybody is below it.",
        "SH23",
    ),
    defect(
        "restarted-brokers-keep-history",
        resource_usage,
        "smoothed",
        never_idle,
        "A broker that restarted empty is avoided for many rounds.",
        "SH25",
    ),
    defect(
        "departed-brokers-remembered",
        resource_usage,
        "remembered",
        lambda _: remember_all,
        "A broker that left busy comes back busy.",
        "SH25",
    ),
    defect(
        "placement-counts-heap-memory-too",
        resource_usage,
        "usage",
        memory_too,
        "Garbage collection decides who is below the mean.",
        "SH6",
    ),
    defect(
        "nobody-while-nothing-is-known",
        resource_usage,
        "allowed_sets",
        nobody_if_unknown,
        "A new leader places nothing before the first report.",
    ),
    equivalent(
        "unreported-counts-as-full",
        resource_usage,
        "look",
        unreported_is_full,
        "A candidate without a report counts as a full one in the mean, then and later.",
    ),
)
