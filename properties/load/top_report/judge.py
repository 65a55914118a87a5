"""When the heaviest bundles are published (LOA-58 to LOA-63)."""

from __future__ import annotations

from dataclasses import dataclass
from operator import eq

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.judge import monitor
from evenkeel.properties.load.exact import note_exactly
from evenkeel.properties.load.ranks import eligible, rank
from evenkeel.properties.load.reports import Heard
from evenkeel.properties.load.top_report.trial import (
    RULES,
    CheckTop,
    TopChecked,
    TopCleared,
    TopReportAnswer,
    TopReportTrial,
)
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.load.report import REMOVAL_DELAY


@dataclass(slots=True)
class Course:
    """The statistics that were seen, their list, whether it is stored, when it was removed."""

    at: int = 0
    seen: int = 0
    bundles: tuple[str, ...] = ()
    stored: bool = False
    removed_at: int | None = None


@monitor("load.top_report", *(f"LOA-{number}" for number in range(58, 64)))
def top_report(case: Case[TopReportTrial, TopReportAnswer], findings: Findings) -> None:
    trial, observed, course = case.trial, case.observation, Course()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.note("LOA-59", False, f"the broker {describe(observed)}", "shape")
        return
    for command, result in zip(trial.commands, observed.results, strict=True):
        course.at += command.after
        if isinstance(command, CheckTop) and isinstance(result, TopChecked):
            after_check(course, command, result, findings)
        elif isinstance(command, Heard) and isinstance(result, TopCleared):
            after_hearing(course, command, result, findings)
        else:
            findings.note("LOA-59", False, f"{command} was answered with {result}", "shape")
    note_exactly(case, findings, "LOA-63", eq)


def heaviest(check: CheckTop) -> tuple[str, ...]:
    """LOA-54, LOA-55: the lightest of the heaviest first; none is as heavy as another."""
    ordered = sorted(eligible(check.bundles, RULES), key=rank)
    return tuple(bundle.bundle for bundle in ordered[-RULES.most :])


def after_check(course: Course, command: CheckTop, result: TopChecked, findings: Findings) -> None:
    """Whether a list had to be sent, or must not be; and which."""
    told = f"statistics {command.statistics}, of which {course.seen} were seen: {result}"
    fresh = command.statistics > course.seen
    if fresh:
        course.seen, course.bundles = command.statistics, heaviest(command)
    right = result == TopChecked(True, course.bundles)
    if fresh:
        findings.note("LOA-58", right, f"{told}, but {course.bundles} must be sent")
    elif command.force:
        findings.note("LOA-61", right, f"{told}, but {course.bundles} is forced")
    elif course.stored or course.seen == 0:
        findings.note("LOA-59", not result.sent, f"{told}, and the list is stored")
    else:
        findings.note("LOA-60", right, f"{told}, and {course.bundles} is not stored")
    if result.sent:
        course.stored = not command.store_fails


def after_hearing(course: Course, command: Heard, result: TopCleared, findings: Findings) -> None:
    """Whether the list had to be removed."""
    waits = course.removed_at is not None and course.at - course.removed_at < REMOVAL_DELAY
    due = command.concerns and not waits
    findings.note(
        "LOA-62",
        result.removed == due,
        f"{command}, removed before at {course.removed_at} s, now {course.at} s: {result}",
        "not removed" if due else "removed",
    )
    if result.removed and not command.store_fails:
        course.stored, course.removed_at = False, course.at
