"""When the heaviest bundles are published (LOA-58 to LOA-63)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from evenkeel.properties.clause import Case, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.judge import monitor
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
from evenkeel.reference.load.statistics import BundleStatistics


@dataclass(slots=True)
class Course:
    """Which statistics were seen, their bundles, whether a list of them is stored, and when one
    was removed.
    """

    at: int = 0
    seen: int = 0
    bundles: tuple[BundleStatistics, ...] = ()
    stored: bool = False
    removed_at: int | None = None


@monitor("load.top_report", *(f"LOA-{number}" for number in range(58, 64)))
def top_report(case: Case[TopReportTrial, TopReportAnswer], findings: Findings) -> None:
    trial, observed, course = case.trial, case.observation, Course()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.note("LOA-59", False, f"the broker {in_full(observed)}", "shape")
        return
    for number, (command, result) in enumerate(
        zip(trial.commands, observed.results, strict=True), start=1
    ):
        course.at += command.after
        if isinstance(command, CheckTop) and isinstance(result, TopChecked):
            after_check(course, number, command, result, findings)
        elif isinstance(command, Heard) and isinstance(result, TopCleared):
            after_hearing(course, number, command, result, findings)
        else:
            findings.note("LOA-59", False, f"command {number} has another one's answer", "shape")


def is_right(names: tuple[str, ...], bundles: tuple[BundleStatistics, ...]) -> bool:
    """LOA-54, LOA-55: the heaviest of these bundles, the lightest of them first; which of equally
    heavy ones is open.
    """
    ranks = {bundle.bundle: rank(bundle) for bundle in eligible(bundles, RULES)}
    if len(set(names)) < len(names) or not ranks.keys() >= set(names):
        return False
    return [ranks[name] for name in names] == sorted(ranks.values())[-RULES.most :]


def after_check(
    course: Course, number: int, command: CheckTop, result: TopChecked, findings: Findings
) -> None:
    """Whether a list had to be sent, or must not be; and which."""
    fresh = command.statistics > course.seen
    if fresh:
        course.seen, course.bundles = command.statistics, command.bundles

    def told(why: str) -> Callable[[], str]:
        listed = ", ".join(result.bundles) or "an empty list"
        sent = f"{listed} is sent" if result.sent else "nothing is sent"
        return lambda: f"command {number}: {sent} at {course.at} s, and {why}"

    right = result.sent and is_right(result.bundles, course.bundles)
    silent = not result.sent and not result.bundles
    if fresh:
        findings.note("LOA-58", right, told("the statistics are new"))
    elif command.force:
        findings.note("LOA-61", right, told("a list is forced"))
    elif course.stored or course.seen == 0:
        findings.note("LOA-59", silent, told("the list is stored"))
    else:
        findings.note("LOA-60", right, told("the list is not stored"))
    due = fresh or command.force
    why = told(f"the statistics are {'new, or it is forced' if due else 'old'}")
    findings.note("LOA-63", right if due else silent, why, "CheckTop")
    if result.sent:
        course.stored = not command.store_fails


def after_hearing(
    course: Course, number: int, command: Heard, result: TopCleared, findings: Findings
) -> None:
    """Whether the list had to be removed."""
    waits = course.removed_at is not None and course.at - course.removed_at < REMOVAL_DELAY
    due = command.concerns and not waits
    before = "never" if course.removed_at is None else f"at {course.removed_at} s"
    sentence = (
        f"command {number}: the list is {'' if result.removed else 'not '}removed at "
        f"{course.at} s, and was {before} before; a bundle of the broker's "
        f"{'changes' if command.concerns else 'does not change'}"
    )
    right = result.removed == due
    findings.note("LOA-62", right, sentence, "not removed" if due else "removed")
    findings.note("LOA-63", right, sentence, "Heard")
    if result.removed and not command.store_fails:
        course.stored, course.removed_at = False, course.at
