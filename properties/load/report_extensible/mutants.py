"""Mutants of an extensible broker's load data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, always, defect, switched
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load import report as reports
from evenkeel.reference.load.report import ExtensibleReporter
from evenkeel.reference.load.usage import Resources, max_weighted_usage_with_heap


def _measured_before(original: Function) -> Function:
    return lambda reporter, *rest: original(replace(reporter, measured=True), *rest)


def _never_smoothed(original: Function) -> Function:
    return lambda reporter, *rest: original(replace(reporter, measured=False), *rest)


def _not_cleared(reporter: ExtensibleReporter) -> ExtensibleReporter:
    return reporter


def _averages_kept(reporter: ExtensibleReporter) -> ExtensibleReporter:
    return replace(reporter, reported_at=None)


def _usage_only(original: Function) -> Function:
    return lambda *arguments: (0.0, 0.0, 0.0)


def _weighted(original: Function) -> Function:
    def updated(reporter: ExtensibleReporter, resources: Resources, *rest: Any) -> Any:
        result: ExtensibleReporter = original(reporter, resources, *rest)
        score = max_weighted_usage_with_heap(resources, rest[-1].weights)
        return replace(result, now=replace(result.now, max_usage=score))

    return updated


MUTANTS: Final = (
    defect(
        "new-brokers-are-full",
        reports,
        "updated",
        _measured_before,
        "A new broker gets no bundles for a minute, for it looks full.",
        "SH7",
    ),
    defect(
        "nothing-smoothed", reports, "updated", _never_smoothed, "One short peak moves bundles."
    ),
    defect(
        "traffic-not-compared",
        reports,
        "changes_of_traffic",
        _usage_only,
        "A broker that loses all its traffic looks busy for 15 minutes.",
    ),
    defect(
        "load-data-at-every-check",
        reports,
        "extensible_due",
        always(True),
        "Every broker writes to the topic of load data every five seconds.",
    ),
    defect(
        "published-average-lags",
        reports,
        "extensible_due",
        switched(published_average_may_lag=True),
        "A broker at 90 % counts as one at 18 % for 15 minutes.",
    ),
    defect(
        "measurements-outlive-moves",
        reports,
        "cleared",
        lambda _: _averages_kept,
        "A broker that has shed its bundles looks full, and sheds on.",
    ),
    defect(
        "moves-not-noticed",
        reports,
        "cleared",
        lambda _: _not_cleared,
        "Bundles are moved by load data from before the last move.",
    ),
    defect(
        "removed-again-and-again",
        reports,
        "removal_due",
        always(True),
        "A thousand bundles arrive, and a thousand removals are written.",
    ),
    defect(
        "never-removed",
        reports,
        "removal_due",
        always(False),
        "Load data from before a move decide about the next one.",
    ),
    defect(
        "weighted-usage-compared",
        reports,
        "updated",
        _weighted,
        "A broker reports when others do not.",
        edition=PULSAR_4_0,
    ),
    defect(
        "published-average-compared",
        reports,
        "extensible_due",
        switched(published_average_may_lag=False),
        "A broker reports when those of 4.0 do not.",
        edition=PULSAR_4_0,
    ),
)
