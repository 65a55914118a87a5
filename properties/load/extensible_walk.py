"""Following an extensible broker's load data, command by command (LOA-40 to LOA-48)."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.load.comparing import SINGLE, close
from evenkeel.properties.load.modular_walk import EDGE
from evenkeel.properties.load.trials_report import (
    CheckLoad,
    ExtensibleReportAnswer,
    ExtensibleReportTrial,
    Heard,
    LoadChecked,
    LoadCleared,
)
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.load import report as reports
from evenkeel.reference.load.report import (
    MINUTE,
    REMOVAL_DELAY,
    UNKNOWN_USAGE,
    BrokerLoad,
    ReportRules,
)
from evenkeel.reference.load.usage import max_usage_in_double, max_weighted_usage_with_heap


@dataclass(slots=True)
class Course:
    """The averages that were told last (None: nothing measured), and what was stored when."""

    at: int = 0
    last: LoadChecked | None = None
    stored: BrokerLoad | None = None
    stored_at: int | None = None
    removed_at: int | None = None


def walk_extensible(case: Case[ExtensibleReportTrial, ExtensibleReportAnswer]) -> Findings:
    """What the answers say, each judged from those before."""
    trial, observed, findings, course = case.trial, case.observation, Findings(), Course()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.note("LOA-44", False, f"the broker {describe(observed)}", "shape")
        return findings
    for command, result in zip(trial.commands, observed.results, strict=True):
        course.at += command.after
        if isinstance(command, CheckLoad) and isinstance(result, LoadChecked):
            measured(course, command, result, trial.rules, findings)
            when_sent(course, command, result, trial.rules, findings)
            stored(course, command, result)
        elif isinstance(command, Heard) and isinstance(result, LoadCleared):
            heard(course, command, result, findings)
        else:
            findings.note("LOA-44", False, f"{command} was answered with {result}", "shape")
    return findings


def measured(
    course: Course, check: CheckLoad, result: LoadChecked, rules: ReportRules, findings: Findings
) -> None:
    """The averages after one more measurement."""
    usage = max_weighted_usage_with_heap(check.resources, rules.weights)
    throughput, clause = check.traffic.throughput, "LOA-40"
    if course.last is not None:
        clause = "LOA-41"
        usage = reports.moved_on(course.last.weighted_max, usage, rules.history)
        throughput = reports.moved_on(course.last.throughput, throughput, rules.history)
    findings.note(
        clause,
        close(result.weighted_max, usage, SINGLE) and close(result.throughput, throughput),
        f"{result}: {usage} and {throughput} bytes/s are right after {course.last}",
    )
    right = max_usage_in_double(check.resources)
    findings.note("LOA-40", close(result.max_usage, right, SINGLE), f"{result}: usage is {right}")
    course.last = result


def when_sent(
    course: Course, check: CheckLoad, result: LoadChecked, rules: ReportRules, findings: Findings
) -> None:
    """Whether load data had to be sent, or must not be."""
    if check.force:
        findings.note("LOA-44", result.sent, "forced load data were not sent", "forced")
        return
    before, now = course.stored, load_of(check, result)
    if before is None or course.stored_at is None:
        findings.note("LOA-42", result.sent, "nothing is known of the broker, and nothing is sent")
        return
    silence, limit = course.at - course.stored_at, rules.threshold
    changes = (
        *reports.changes_of_traffic(before.traffic, now.traffic, before.bundles, now.bundles),
        100 * abs(before.max_usage - now.max_usage),
    )
    lag = reports.lag(before, now)
    told = f"{silence} s after load data, changed by {max(changes)} %, average off by {lag} points"
    overdue = silence > rules.max_interval * MINUTE
    if overdue:
        findings.note("LOA-42", result.sent, f"{told}: none sent")
    if max(changes) > limit + EDGE:
        findings.note("LOA-43", result.sent, f"{told}: none sent")
    if not overdue and max(*changes, lag) < limit - EDGE:
        findings.note("LOA-44", not result.sent, f"{told}: sent")
    if lag > limit + EDGE:
        findings.note("LOA-45", result.sent, f"{told}: none sent")


def load_of(check: CheckLoad, result: LoadChecked) -> BrokerLoad:
    """What the broker would publish."""
    return BrokerLoad(
        result.max_usage, result.weighted_max, result.throughput, check.traffic, check.bundles
    )


def stored(course: Course, check: CheckLoad, result: LoadChecked) -> None:
    """Load data that were stored are what later ones are compared with."""
    if result.sent and not check.store_fails:
        course.stored, course.stored_at = load_of(check, result), course.at


def heard(course: Course, command: Heard, result: LoadCleared, findings: Findings) -> None:
    """After a bundle came or went nothing is known, and what was stored is removed."""
    if not command.concerns:
        same = course.last is None or (
            (result.weighted_max, result.throughput)
            == (course.last.weighted_max, course.last.throughput)
        )
        findings.note(
            "LOA-46",
            same and not result.removed,
            f"{command} does not concern the broker, but it answers {result}",
            "needless",
        )
        return
    course.last, course.stored_at = None, None
    cleared = (result.max_usage, result.weighted_max, result.throughput)
    findings.note(
        "LOA-46",
        cleared == (UNKNOWN_USAGE, UNKNOWN_USAGE, 0.0),
        f"after {command} the broker still has {result}",
        "kept",
    )
    due = course.removed_at is None or course.at - course.removed_at >= REMOVAL_DELAY
    findings.note(
        "LOA-47",
        result.removed == due,
        f"{command}, removed before at {course.removed_at} s, now {course.at} s: {result}",
        "not removed" if due else "removed again",
    )
    if result.removed and not command.store_fails:
        course.removed_at = course.at
