"""How the reference answers `load.report_modular`, `.report_extensible` and `.top_report`."""

from __future__ import annotations

from evenkeel.properties.load.trials_report import (
    Check,
    Checked,
    CheckLoad,
    ExtensibleReportAnswer,
    ExtensibleReportTrial,
    ExtensibleResult,
    Heard,
    LoadChecked,
    LoadCleared,
    ModularReportAnswer,
    ModularReportTrial,
)
from evenkeel.properties.load.trials_top import (
    TOP_REPORT,
    CheckTop,
    TopChecked,
    TopCleared,
    TopReportAnswer,
    TopReportTrial,
    TopResult,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import report as reports
from evenkeel.reference.load import top_bundles, top_report
from evenkeel.reference.load.report import (
    ExtensibleReporter,
    ModularReporter,
    ReportRules,
    Seconds,
)
from evenkeel.reference.load.top_report import TopReporter


def answer_report_modular(trial: ModularReportTrial, edition: Edition) -> ModularReportAnswer:
    """What each check did."""
    reporter, at, results = ModularReporter(), 0, []
    for command in trial.commands:
        at += command.after
        reporter, result = check_modular(reporter, command, at, trial.rules, edition)
        results.append(result)
    return ModularReportAnswer(tuple(results))


def check_modular(
    reporter: ModularReporter, check: Check, at: Seconds, rules: ReportRules, edition: Edition
) -> tuple[ModularReporter, Checked]:
    """One check: the reporter afterwards, and what is told."""
    now = reports.local_report(check.resources, check.bundles, rules.weights)
    reporter = reports.measured(reporter, check.bundles)
    due = reports.modular_due(reporter, now, at, rules)
    sent = reports.sends(due, check.force, check.connected)
    result = Checked(
        sent=sent,
        traffic=now.traffic,
        topics=now.topics,
        bundles=now.bundles,
        producers=now.producers,
        consumers=now.consumers,
        gained=tuple(sorted(reporter.gained)),
        lost=tuple(sorted(reporter.lost)),
    )
    if sent and check.store_fails:
        reporter = reports.modular_failed(reporter, at, edition)
    elif sent:
        reporter = reports.modular_written(reporter, now, at)
    return reporter, result


def answer_report_extensible(
    trial: ExtensibleReportTrial, edition: Edition
) -> ExtensibleReportAnswer:
    """What each check did, and each change of state."""
    reporter, at = ExtensibleReporter(), 0
    results: list[ExtensibleResult] = []
    for command in trial.commands:
        at += command.after
        if isinstance(command, CheckLoad):
            reporter, sent = check_load(reporter, command, at, trial.rules, edition)
            now = reporter.now
            results.append(LoadChecked(sent, now.max_usage, now.weighted_max, now.throughput))
        else:
            reporter, removed = hear(reporter, command, at)
            now = reporter.now
            results.append(LoadCleared(removed, now.max_usage, now.weighted_max, now.throughput))
    return ExtensibleReportAnswer(tuple(results))


def check_load(
    reporter: ExtensibleReporter,
    check: CheckLoad,
    at: Seconds,
    rules: ReportRules,
    edition: Edition,
) -> tuple[ExtensibleReporter, bool]:
    """One check: the reporter afterwards, and whether load data were sent."""
    reporter = reports.updated(reporter, check.resources, check.traffic, check.bundles, rules)
    sent = reports.sends(reports.extensible_due(reporter, at, rules, edition), check.force)
    if sent and not check.store_fails:
        reporter = reports.extensible_stored(reporter, at)
    return reporter, sent


def hear(
    reporter: ExtensibleReporter, heard: Heard, at: Seconds
) -> tuple[ExtensibleReporter, bool]:
    """One change of state: the reporter afterwards, and whether the report is to be removed."""
    if not heard.concerns:
        return reporter, False
    reporter = reports.cleared(reporter)
    due = reports.removal_due(reporter, at)
    if due and not heard.store_fails:
        reporter = reports.removed(reporter, at)
    return reporter, due


def answer_top_report(trial: TopReportTrial, edition: Edition) -> TopReportAnswer:
    """What each check did, and each change of state."""
    reporter, at = TopReporter(), 0
    results: list[TopResult] = []
    for command in trial.commands:
        at += command.after
        if isinstance(command, CheckTop):
            reporter, sent = check_top(reporter, command, edition)
            results.append(TopChecked(sent, reporter.bundles if sent else ()))
        else:
            reporter, removed = hear_top(reporter, command, at)
            results.append(TopCleared(removed))
    return TopReportAnswer(tuple(results))


def check_top(before: TopReporter, check: CheckTop, edition: Edition) -> tuple[TopReporter, bool]:
    """One check: the reporter afterwards, and whether a list was sent."""
    chosen = top_bundles.top_bundles(check.bundles, TOP_REPORT, edition)
    names = tuple(bundle.bundle for bundle in chosen)
    reporter = top_report.looked(before, check.statistics, names)
    sent = reports.sends(top_report.due(before, reporter, edition), check.force)
    return (top_report.stored(reporter, not check.store_fails) if sent else reporter), sent


def hear_top(reporter: TopReporter, heard: Heard, at: Seconds) -> tuple[TopReporter, bool]:
    """One change of state: the reporter afterwards, and whether the list is to be removed."""
    if not heard.concerns or not top_report.removal_due(reporter, at):
        return reporter, False
    return (reporter if heard.store_fails else top_report.removed(reporter, at)), True
