"""Mutants of an extensible broker's load data."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.mutant_maker import Function, always, defect, switched
from evenkeel.reference.load import report as reports
from evenkeel.reference.load.report import ExtensibleReporter


def _measured_before(original: Function) -> Function:
    return lambda reporter, *rest: original(replace(reporter, measured=True), *rest)


def _not_cleared(reporter: ExtensibleReporter) -> ExtensibleReporter:
    return reporter


def _usage_only(original: Function) -> Function:
    return lambda *arguments: (0.0, 0.0, 0.0)


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
        "traffic-not-compared",
        reports,
        "changes_of_traffic",
        _usage_only,
        "A broker that loses all its traffic looks busy for 15 minutes.",
    ),
    defect(
        "published-average-lags",
        reports,
        "extensible_due",
        switched(published_average_may_lag=True),
        "A broker at 90 % counts as one at 18 % for 15 minutes.",
    ),
    defect(
        "moves-not-noticed",
        reports,
        "cleared",
        lambda _: _not_cleared,
        "Bundles are moved by load data from before the last move.",
    ),
    defect(
        "never-removed",
        reports,
        "removal_due",
        always(False),
        "Load data from before a move decide about the next one.",
    ),
)
