from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    defect,
    equivalent,
    first,
    switched,
)
from evenkeel.reference.edition import PULSAR_4_0
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


def unreported_is_full(original: Function) -> Function:
    def look(history: dict[str, Any], candidates: Sequence[str], reports: Any, *rest: Any) -> Any:
        usages = original(history, candidates, reports, *rest)
        for broker in candidates:
            if broker not in reports:
                usages[broker] = history[broker] = Fraction(1)
        return usages

    return look


def strictly_below(original: Function) -> Function:
    def well_below(usages: Mapping[str, Any], mean: Any, difference: int, edition: Any) -> Any:
        points = arithmetic.percent(difference, edition)
        return tuple(broker for broker, known in usages.items() if known + points < mean)

    return well_below


def above(original: Function) -> Function:
    def well_below(usages: Mapping[str, Any], mean: Any, difference: int, edition: Any) -> Any:
        points = arithmetic.percent(difference, edition)
        return tuple(broker for broker, known in usages.items() if known >= mean + points)

    return well_below


def lowest_only(original: Function) -> Function:
    def sets(candidates: Sequence[str], usages: Mapping[str, Any], *arguments: Any) -> Any:
        found = original(candidates, usages, *arguments)
        lowest = min(usages.values(), default=None)
        narrowed = tuple(b for b in found[0] if b in usages and usages[b] == lowest)
        return (narrowed or found[0],) if len(found[0]) < len(candidates) else found

    return sets


def least_used(original: Function) -> Function:
    def sets(candidates: Sequence[str], usages: Mapping[str, Any], *arguments: Any) -> Any:
        found = original(candidates, usages, *arguments)
        lowest = min(usages.values(), default=None)
        least = tuple(b for b in candidates if b in usages and usages[b] == lowest)
        return (least,) if least and set(found[0]) == set(candidates) else found

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


def from_zero(original: Function) -> Function:
    def smoothed(before: Any, report: UsageReport, config: Any, edition: Any) -> Any:
        return original(Fraction(0) if before is None else before, report, config, edition)

    return smoothed


def never_idle(original: Function) -> Function:
    def smoothed(before: Any, report: UsageReport, config: Any, edition: Any) -> Any:
        return original(before, replace(report, bundles=1, rate_in=1.0), config, edition)

    return smoothed


def present_only(original: Function) -> Function:
    return lambda before, *arguments: original(None, *arguments)


def weights_swapped(original: Function) -> Function:
    def smoothed(before: Any, report: UsageReport, config: Any, edition: Any) -> Any:
        swapped = replace(config, history=1 - config.history)
        return original(before, report, swapped, edition)

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
        "usage-needs-reports",
        resource_usage,
        "look",
        switched(unreported_candidates_break=True),
        "A candidate that has not reported breaks the placement.",
    ),
    defect(
        "usage-needs-no-reports-in-4-0",
        resource_usage,
        "look",
        switched(unreported_candidates_break=False),
        "A candidate that has not reported does no harm, unlike in 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "well-below-strictly",
        resource_usage,
        "well_below",
        strictly_below,
        "A broker exactly ten points below the mean is passed over.",
    ),
    defect(
        "well-above-the-mean",
        resource_usage,
        "well_below",
        above,
        "The sign is wrong: the busiest brokers get the bundles.",
    ),
    defect(
        "difference-ignored",
        resource_usage,
        "well_below",
        first(2, lambda difference: 0),
        "Every broker below the mean gets bundles.",
    ),
    defect(
        "lowest-usage-only",
        resource_usage,
        "allowed_sets",
        lowest_only,
        "Only one of several idle brokers gets bundles.",
    ),
    defect(
        "least-used-instead-of-anybody",
        resource_usage,
        "allowed_sets",
        least_used,
        "In a cluster with equal load all bundles go to the broker with the least.",
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
        "placement-history-from-zero",
        resource_usage,
        "smoothed",
        from_zero,
        "A broker that is seen for the first time looks nearly idle.",
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
        "placement-without-history",
        resource_usage,
        "smoothed",
        present_only,
        "One report of a short peak decides where bundles go.",
    ),
    defect(
        "history-weighs-the-present",
        resource_usage,
        "smoothed",
        weights_swapped,
        "The weight of history and that of the present are interchanged.",
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
        "exact-means-in-4-0",
        resource_usage,
        "allowed_sets",
        lambda _: (
            lambda candidates, usages, difference, edition: (
                tuple(
                    b
                    for b in candidates
                    if b in usages
                    and Fraction(usages[b]) + Fraction(difference, 100)
                    <= sum(map(Fraction, usages.values()), Fraction(0)) / len(usages)
                )
                or tuple(candidates),
            )
        ),
        "Means are exact, so a broker at the edge is on the other side than in 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "exact-percentages-in-4-0",
        resource_usage,
        "smoothed",
        switched(placement_in_floating_point=False),
        "30 of 100 is 30 %: the document's example comes out as written, unlike in 4.0.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "unreported-counts-as-full",
        resource_usage,
        "look",
        unreported_is_full,
        "A candidate without a report counts as a full one in the mean, then and later.",
    ),
)
