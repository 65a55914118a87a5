"""An extensible broker's load data, command by command (LOA-40 to LOA-48)."""

from __future__ import annotations

from dataclasses import dataclass
from operator import eq

from evenkeel.properties.clause import Case, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.judge import monitor
from evenkeel.properties.judging.tolerance import SINGLE
from evenkeel.properties.load.changes import EDGE, largest_change
from evenkeel.properties.load.comparing import close, usage_in_doubles
from evenkeel.properties.load.exact import note_exactly
from evenkeel.properties.load.report_extensible.trial import (
    CheckLoad,
    ExtensibleReportAnswer,
    ExtensibleReportTrial,
    LoadChecked,
    LoadCleared,
)
from evenkeel.properties.load.reports import Heard
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.plain import plain
from evenkeel.reference.load.report import MINUTE, REMOVAL_DELAY, UNKNOWN_USAGE, ReportRules
from evenkeel.reference.load.usage import Weights


@dataclass(slots=True)
class Course:
    """The averages that were told last (None: nothing measured), and what was stored when."""

    at: int = 0
    last: LoadChecked | None = None
    stored: tuple[CheckLoad, LoadChecked] | None = None
    stored_at: int | None = None
    removed_at: int | None = None


@monitor("load.report_extensible", *(f"LOA-{number}" for number in range(40, 49)))
def report_extensible(
    case: Case[ExtensibleReportTrial, ExtensibleReportAnswer], findings: Findings
) -> None:
    trial, observed, course = case.trial, case.observation, Course()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.note("LOA-44", False, f"the broker {in_full(observed)}", "shape")
        return
    for command, result in zip(trial.commands, observed.results, strict=True):
        course.at += command.after
        if isinstance(command, CheckLoad) and isinstance(result, LoadChecked):
            what_is_measured(course, command, result, trial.rules, findings)
            when_sent(course, command, result, trial.rules, findings)
            if result.sent and not command.store_fails:  # later ones are compared with these
                course.stored, course.stored_at = (command, result), course.at
        elif isinstance(command, Heard) and isinstance(result, LoadCleared):
            after_hearing(course, command, result, findings)
        else:
            findings.note(
                "LOA-44", False, f"{plain(command)} was answered with {plain(result)}", "shape"
            )
    note_exactly(case, findings, "LOA-48", eq)


def what_is_measured(
    course: Course, check: CheckLoad, result: LoadChecked, rules: ReportRules, findings: Findings
) -> None:
    """The averages after one more measurement; the first is taken as it is."""
    usage = usage_in_doubles(check.resources, rules.weights, heap=True)
    throughput, clause = check.traffic.throughput_in + check.traffic.throughput_out, "LOA-40"
    if course.last is not None:
        clause, old = "LOA-41", rules.history
        usage = course.last.weighted_max * old + (1 - old) * usage
        throughput = course.last.throughput * old + (1 - old) * throughput
    findings.note(
        clause,
        close(result.weighted_max, usage, SINGLE) and close(result.throughput, throughput),
        lambda: (
            f"{plain(result)}: {usage} and {throughput} bytes/s are right after "
            f"{plain(course.last)}"
        ),
    )
    right = usage_in_doubles(check.resources, Weights(1, 1, 1, 1, 1))
    sentence = f"usage is {result.max_usage}, but must be {right}"
    findings.note("LOA-40", close(result.max_usage, right, SINGLE), sentence)
    course.last = result


def when_sent(
    course: Course, check: CheckLoad, result: LoadChecked, rules: ReportRules, findings: Findings
) -> None:
    """Whether load data had to be sent, or must not be."""
    if check.force:
        findings.note("LOA-44", result.sent, "forced load data were not sent", "forced")
        return
    if course.stored is None or course.stored_at is None:
        findings.note("LOA-42", result.sent, "nothing is known of the broker, and nothing is sent")
        return
    known, before = course.stored
    silence, limit = course.at - course.stored_at, rules.threshold
    change = max(
        largest_change(known.traffic, check.traffic, known.bundles, check.bundles),
        100 * abs(before.max_usage - result.max_usage),
    )
    lag = 100 * abs(before.weighted_max - result.weighted_max)
    told = f"{silence} s after load data, changed by {change} %, average off by {lag} points"
    overdue = silence > rules.max_interval * MINUTE
    if overdue:
        findings.note("LOA-42", result.sent, f"{told}: none sent")
    if change > limit + EDGE:
        findings.note("LOA-43", result.sent, f"{told}: none sent")
    if not overdue and max(change, lag) < limit - EDGE:
        findings.note("LOA-44", not result.sent, f"{told}: sent")
    if lag > limit + EDGE:
        findings.note("LOA-45", result.sent, f"{told}: none sent")


def after_hearing(course: Course, command: Heard, result: LoadCleared, findings: Findings) -> None:
    """After a bundle came or went nothing is known, and what was stored is removed."""
    if not command.concerns:
        same = course.last is None or (
            (result.weighted_max, result.throughput)
            == (course.last.weighted_max, course.last.throughput)
        )
        findings.note(
            "LOA-46",
            same and not result.removed,
            lambda: f"{plain(command)} does not concern the broker, but it answers {plain(result)}",
            "needless",
        )
        return
    course.last, course.stored_at = None, None
    cleared = result.max_usage, result.weighted_max, result.throughput
    findings.note(
        "LOA-46",
        cleared == (UNKNOWN_USAGE, UNKNOWN_USAGE, 0.0),
        lambda: f"after {plain(command)} the broker still has {plain(result)}",
        "kept",
    )
    before = course.removed_at
    due = before is None or course.at - before >= REMOVAL_DELAY
    findings.note(
        "LOA-47",
        result.removed == due,
        lambda: (
            f"{plain(command)}, removed before at {plain(before)} s, now {course.at} s: "
            f"{plain(result)}"
        ),
        "not removed" if due else "removed again",
    )
    if result.removed and not command.store_fails:
        course.removed_at = course.at
