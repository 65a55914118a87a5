"""Clauses about publishing the top bundles: `load.top_report`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.properties.clause import Case, Finding, describe
from evenkeel.properties.findings import Findings, OncePerCase
from evenkeel.properties.load.book import check
from evenkeel.properties.load.clauses_report import same_results
from evenkeel.properties.load.trials_report import Heard
from evenkeel.properties.load.trials_top import (
    TOP_REPORT,
    CheckTop,
    TopChecked,
    TopCleared,
    TopReportAnswer,
    TopReportTrial,
)
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.load.report import REMOVAL_DELAY
from evenkeel.reference.load.top_bundles import top_bundles

TopReportCase = Case[TopReportTrial, TopReportAnswer]


@dataclass(slots=True)
class Course:
    """The statistics that were seen, their list, whether it is stored, when it was removed."""

    at: int = 0
    seen: int = 0
    bundles: tuple[str, ...] = ()
    stored: bool = False
    removed_at: int | None = None


def walk_top_report(case: TopReportCase) -> Findings:
    """What the answers say, each judged from those before."""
    trial, observed, findings, course = case.trial, case.observation, Findings(), Course()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.note("LOA-59", False, f"the broker {describe(observed)}", "shape")
        return findings
    for command, result in zip(trial.commands, observed.results, strict=True):
        course.at += command.after
        if isinstance(command, CheckTop) and isinstance(result, TopChecked):
            checked(course, command, result, findings)
        elif isinstance(command, Heard) and isinstance(result, TopCleared):
            heard(course, command, result, findings)
        else:
            findings.note("LOA-59", False, f"{command} was answered with {result}", "shape")
    return findings


def checked(course: Course, command: CheckTop, result: TopChecked, findings: Findings) -> None:
    """Whether a list had to be sent, or must not be; and which."""
    told = f"statistics {command.statistics}, of which {course.seen} were seen: {result}"
    if command.statistics > course.seen:
        chosen = top_bundles(command.bundles, TOP_REPORT, DOCUMENTED)
        course.seen = command.statistics
        course.bundles = tuple(bundle.bundle for bundle in chosen)
        right = result == TopChecked(True, course.bundles)
        findings.note("LOA-58", right, f"{told}, but {course.bundles} must be sent")
    elif command.force:
        right = result == TopChecked(True, course.bundles)
        findings.note("LOA-61", right, f"{told}, but {course.bundles} is forced")
    elif course.stored or course.seen == 0:
        findings.note("LOA-59", not result.sent, f"{told}, and the list is stored")
    else:
        right = result == TopChecked(True, course.bundles)
        findings.note("LOA-60", right, f"{told}, and {course.bundles} is not stored")
    if result.sent:
        course.stored = not command.store_fails


def heard(course: Course, command: Heard, result: TopCleared, findings: Findings) -> None:
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


walked: Final = OncePerCase(walk_top_report)


@check("LOA-58", "load.top_report")
def new_statistics_are_published(case: TopReportCase) -> Finding:
    return walked(case).finding("LOA-58")


@check("LOA-59", "load.top_report")
def old_statistics_are_not_published_again(case: TopReportCase) -> Finding:
    return walked(case).finding("LOA-59")


@check("LOA-60", "load.top_report")
def lists_that_are_not_stored_are_published(case: TopReportCase) -> Finding:
    return walked(case).finding("LOA-60")


@check("LOA-61", "load.top_report")
def forced_lists_are_published(case: TopReportCase) -> Finding:
    return walked(case).finding("LOA-61")


@check("LOA-62", "load.top_report")
def changes_of_bundles_remove_the_list(case: TopReportCase) -> Finding:
    return walked(case).finding("LOA-62")


@check("LOA-63", "load.top_report")
def lists_of_4_0_wait_for_statistics(case: TopReportCase) -> Finding:
    return same_results(case)
