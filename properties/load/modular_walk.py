"""Following a modular broker's reports, check by check (LOA-32 to LOA-39)."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.load.comparing import close_traffic
from evenkeel.properties.load.trials_report import (
    Check,
    Checked,
    ModularReportAnswer,
    ModularReportTrial,
)
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.load import report as reports
from evenkeel.reference.load.report import MINUTE, LocalReport, ReportRules

EDGE = 1e-4
"""Changes this close to the threshold, in percent, may count as above it or not."""


@dataclass(slots=True)
class Course:
    """The last report that was written, when, and what happened since."""

    at: int = 0
    written: LocalReport = LocalReport()
    written_at: int = 0
    failed: bool = False
    bundles: frozenset[str] = frozenset()
    gained: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)


def walk_modular(case: Case[ModularReportTrial, ModularReportAnswer]) -> Findings:
    """What the answers say, each judged from the reports that were sent before."""
    trial, observed, findings, course = case.trial, case.observation, Findings(), Course()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.note("LOA-34", False, f"the broker {describe(observed)}", "shape")
        return findings
    for check, result in zip(trial.commands, observed.results, strict=True):
        course.at += check.after
        now = reports.local_report(check.resources, check.bundles, trial.rules.weights)
        names = frozenset(bundle.bundle for bundle in check.bundles)
        course.gained |= names - course.bundles
        course.lost |= course.bundles - names
        course.bundles = names
        when_sent(course, check, result, now, trial.rules, findings)
        what_is_told(course, result, now, findings)
        after_sending(course, check, result, now)
    return findings


def when_sent(
    course: Course,
    check: Check,
    result: Checked,
    now: LocalReport,
    rules: ReportRules,
    findings: Findings,
) -> None:
    """Whether a report had to be sent, or must not be."""
    sent = result.sent
    if not check.connected:
        findings.note("LOA-36", not sent, "a report was sent without a connection")
        return
    if check.force:
        findings.note("LOA-36", sent, "a forced report was not sent", "forced")
        return
    silence, change = course.at - course.written_at, reports.change(course.written, now)
    overdue = silence > rules.max_interval * MINUTE
    told = f"{silence} s after a report, changed by {change} %"
    if overdue:
        findings.note("LOA-38" if course.failed else "LOA-32", sent, f"{told}: no report")
    if change > rules.threshold + EDGE:
        findings.note("LOA-33", sent, f"{told}: no report")
    if not overdue and change < rules.threshold - EDGE:
        findings.note("LOA-34", not sent, f"{told}: a report")


def what_is_told(course: Course, result: Checked, now: LocalReport, findings: Findings) -> None:
    """The sums over the bundles, and the bundles that came and went."""
    counts = (result.topics, result.bundles, result.producers, result.consumers)
    findings.note(
        "LOA-35",
        close_traffic(result.traffic, now.traffic)
        and counts == (now.topics, now.bundles, now.producers, now.consumers),
        f"{result}: the bundles have {now}",
    )
    findings.note(
        "LOA-37",
        sorted(result.gained) == sorted(course.gained)
        and sorted(result.lost) == sorted(course.lost),
        f"{result}: gained {sorted(course.gained)}, lost {sorted(course.lost)} since the last one",
    )


def after_sending(course: Course, check: Check, result: Checked, now: LocalReport) -> None:
    """A report that was written is what later ones are compared with."""
    if result.sent and check.store_fails:
        course.failed = True
    elif result.sent:
        course.written, course.written_at, course.failed = now, course.at, False
        course.gained, course.lost = set(), set()
