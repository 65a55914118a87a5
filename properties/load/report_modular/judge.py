"""A modular broker's reports, check by check (LOA-32 to LOA-39)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from evenkeel.properties.clause import Case, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.judge import monitor
from evenkeel.properties.load.changes import EDGE, largest_change
from evenkeel.properties.load.comparing import close_traffic, sums, usage_in_doubles
from evenkeel.properties.load.exact import note_exactly
from evenkeel.properties.load.report_modular.trial import (
    Check,
    Checked,
    ModularReportAnswer,
    ModularReportTrial,
)
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.plain import plain
from evenkeel.reference.load.report import MINUTE, ReportRules
from evenkeel.reference.load.traffic import Traffic


class Report(NamedTuple):
    """What a report is about: the score, traffic, and how many topics, bundles and clients."""

    score: float = 0.0
    traffic: Traffic = Traffic()
    bundles: int = 0
    topics: int = 0
    producers: int = 0
    consumers: int = 0


@dataclass(slots=True)
class Course:
    """The last report that was written, when, and what happened since."""

    at: int = 0
    written: Report = Report()
    written_at: int = 0
    failed: bool = False
    bundles: frozenset[str] = frozenset()
    gained: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)


@monitor("load.report_modular", *(f"LOA-{number}" for number in range(32, 40)))
def report_modular(case: Case[ModularReportTrial, ModularReportAnswer], findings: Findings) -> None:
    trial, observed, course = case.trial, case.observation, Course()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.note("LOA-34", False, f"the broker {in_full(observed)}", "shape")
        return
    for check, result in zip(trial.commands, observed.results, strict=True):
        course.at += check.after
        now = report_of(check, trial.rules)
        names = frozenset(bundle.bundle for bundle in check.bundles)
        course.gained |= names - course.bundles
        course.lost |= course.bundles - names
        course.bundles = names
        when_sent(course, check, result, now, trial.rules, findings)
        what_it_says(course, result, now, findings)
        if result.sent and check.store_fails:
            course.failed = True
        elif result.sent:  # later ones are compared with what was written
            course.written, course.written_at, course.failed = now, course.at, False
            course.gained, course.lost = set(), set()
    note_exactly(case, findings, "LOA-39", same)


def report_of(check: Check, rules: ReportRules) -> Report:
    """LOA-35: the sums over the bundles that the broker serves now."""
    bundles = check.bundles
    return Report(
        usage_in_doubles(check.resources, rules.weights),
        sums(bundle.traffic for bundle in bundles),
        len(bundles),
        sum(bundle.topics for bundle in bundles),
        sum(bundle.producers for bundle in bundles),
        sum(bundle.consumers for bundle in bundles),
    )


def when_sent(
    course: Course,
    check: Check,
    result: Checked,
    now: Report,
    rules: ReportRules,
    findings: Findings,
) -> None:
    """Whether a report had to be sent, or must not be."""
    sent, before = result.sent, course.written
    if not check.connected:
        findings.note("LOA-36", not sent, "a report was sent without a connection")
        return
    if check.force:
        findings.note("LOA-36", sent, "a forced report was not sent", "forced")
        return
    silence = course.at - course.written_at
    change = max(
        largest_change(before.traffic, now.traffic, before.bundles, now.bundles),
        100 * abs(before.score - now.score),
    )
    overdue = silence > rules.max_interval * MINUTE
    told = f"{silence} s after a report, changed by {change} %"
    if overdue:
        findings.note("LOA-38" if course.failed else "LOA-32", sent, f"{told}: no report")
    if change > rules.threshold + EDGE:
        findings.note("LOA-33", sent, f"{told}: no report")
    if not overdue and change < rules.threshold - EDGE:
        findings.note("LOA-34", not sent, f"{told}: a report")


def what_it_says(course: Course, result: Checked, now: Report, findings: Findings) -> None:
    """The sums over the bundles, and the bundles that came and went."""
    counts = result.bundles, result.topics, result.producers, result.consumers
    findings.note(
        "LOA-35",
        close_traffic(result.traffic, now.traffic) and counts == now[2:],
        lambda: f"{plain(result)}: the bundles have {plain(now._asdict())}",
    )
    findings.note(
        "LOA-37",
        sorted(result.gained) == sorted(course.gained)
        and sorted(result.lost) == sorted(course.lost),
        lambda: (
            f"{plain(result)}: gained {plain(sorted(course.gained))}, lost "
            f"{plain(sorted(course.lost))} since the last"
        ),
    )


def same(one: Checked, other: Checked) -> bool:
    """Equal; traffic summed up in whatever order."""
    if one == other:
        return True
    return close_traffic(one.traffic, other.traffic) and rest(one) == rest(other)


def rest(checked: Checked) -> tuple[object, ...]:
    """Everything but the traffic."""
    counts = (checked.topics, checked.bundles, checked.producers, checked.consumers)
    return (checked.sent, *counts, checked.gained, checked.lost)
