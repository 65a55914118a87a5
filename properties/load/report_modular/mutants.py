"""Mutants of a modular broker's reports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, always, defect
from evenkeel.reference.load import report as reports
from evenkeel.reference.load.report import LocalReport
from evenkeel.reference.load.usage import Resources


def _with_itself(original: Function) -> Function:
    return lambda reporter, now, *rest: original(replace(reporter, published=now), now, *rest)


def _one_bundle_only(original: Function) -> Function:
    def local_report(resources: Resources, bundles: Any, weights: Any) -> LocalReport:
        result: LocalReport = original(resources, bundles, weights)
        part: LocalReport = original(resources, bundles[:1], weights)
        return replace(result, traffic=part.traffic, topics=part.topics)

    return local_report


def _due_only(due: bool, force: bool, connected: bool = True) -> bool:
    del force
    return connected and due


def _latest_moves_only(original: Function) -> Function:
    return lambda reporter, bundles: original(
        replace(reporter, gained=frozenset(), lost=frozenset()), bundles
    )


MUTANTS: Final = (
    defect(
        "compared-with-itself",
        reports,
        "modular_due",
        _with_itself,
        "A broker reports every 15 minutes, whatever happens meanwhile.",
        "SH46",
    ),
    defect(
        "reports-stay-out",
        reports,
        "overdue",
        always(False),
        "A broker whose load is constant is taken for dead after a while.",
    ),
    defect(
        "one-bundle-counts",
        reports,
        "local_report",
        _one_bundle_only,
        "A broker seems to have the traffic of one of its bundles.",
    ),
    defect(
        "force-does-nothing",
        reports,
        "sends",
        lambda _: _due_only,
        "A broker that became the leader does not tell its load.",
    ),
    defect(
        "moves-between-reports-lost",
        reports,
        "measured",
        _latest_moves_only,
        "Bundles that came and went between two reports are never told.",
    ),
)
