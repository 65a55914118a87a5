"""Mutants of a modular broker's reports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, always, defect, switched
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load import report as reports
from evenkeel.reference.load.report import MINUTE, LocalReport, ModularReporter, ReportRules
from evenkeel.reference.load.usage import Resources


def _with_itself(original: Function) -> Function:
    def due(reporter: ModularReporter, now: LocalReport, at: int, rules: ReportRules) -> bool:
        result: bool = original(replace(reporter, published=now), now, at, rules)
        return result

    return due


def _one_second_early(silence: int | None, rules: ReportRules) -> bool:
    return silence is None or silence >= rules.max_interval * MINUTE


def _of_the_new(original: Function) -> Function:
    return lambda before, after: original(after, before)


def _from_zero_is_none(original: Function) -> Function:
    return lambda before, after: 0.0 if before == 0 else original(before, after)


def _one_bundle_only(original: Function) -> Function:
    def local_report(resources: Resources, bundles: Any, weights: Any) -> LocalReport:
        result: LocalReport = original(resources, bundles, weights)
        part: LocalReport = original(resources, bundles[:1], weights)
        return replace(result, traffic=part.traffic, topics=part.topics)

    return local_report


def _due_only(due: bool, force: bool, connected: bool = True) -> bool:
    del force
    return connected and due


def _without_connection(due: bool, force: bool, connected: bool = True) -> bool:
    del connected
    return due or force


def _latest_moves_only(original: Function) -> Function:
    def measured(reporter: ModularReporter, bundles: Any) -> ModularReporter:
        fresh = replace(reporter, gained=frozenset(), lost=frozenset())
        result: ModularReporter = original(fresh, bundles)
        return result

    return measured


def _taken_for_written(original: Function) -> Function:
    def failed(reporter: ModularReporter, at: int, edition: Any) -> ModularReporter:
        result: ModularReporter = original(reporter, at, edition)
        return replace(result, gained=frozenset(), lost=frozenset())

    return failed


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
        "a-second-early",
        reports,
        "overdue",
        lambda _: _one_second_early,
        "Reports are written when the longest interval is just reached.",
    ),
    defect(
        "every-check-reports",
        reports,
        "modular_due",
        always(True),
        "Every broker writes to the metadata store every five seconds.",
    ),
    defect(
        "change-of-the-new-value",
        reports,
        "percent_change",
        _of_the_new,
        "A growth by 11 % counts as one by 9.9 %.",
    ),
    defect(
        "first-traffic-not-reported",
        reports,
        "percent_change",
        _from_zero_is_none,
        "A broker that gets its first bundle looks empty, and gets all the others, too.",
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
        "writes-without-connection",
        reports,
        "sends",
        lambda _: _without_connection,
        "Writing is tried in a lost session, and breaks the lock.",
    ),
    defect(
        "moves-between-reports-lost",
        reports,
        "measured",
        _latest_moves_only,
        "Bundles that came and went between two reports are never told.",
    ),
    defect(
        "failed-report-taken-for-written",
        reports,
        "modular_failed",
        _taken_for_written,
        "Bundles that a failed report told of are never told again.",
    ),
    defect(
        "failed-report-waits",
        reports,
        "modular_failed",
        switched(failed_report_counts=True),
        "The store fails once, and a broker's data are half an hour old.",
    ),
    defect(
        "failed-report-repeated",
        reports,
        "modular_failed",
        switched(failed_report_counts=False),
        "Every check writes after a failure.",
        edition=PULSAR_4_0,
    ),
)
