"""Trial and answer of `load.report_extensible`. `after`: seconds before a command."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from evenkeel.properties.load.numbers import require_count, require_resources, require_traffic
from evenkeel.properties.load.reports import Heard, require_after, require_rules
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import report as reports
from evenkeel.reference.load.report import ExtensibleReporter, ReportRules, Seconds
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resources


@dataclass(frozen=True, slots=True)
class CheckLoad:
    """An extensible broker measures, and checks whether a report is due; else as `Check`.

    `after`: so many seconds pass before.
    """

    DO: ClassVar[str] = "check"
    after: int
    resources: Resources
    traffic: Traffic
    bundles: int
    force: bool
    store_fails: bool

    def __post_init__(self) -> None:
        require_after(self.after)
        require_resources("resources", self.resources)
        require_traffic("traffic", self.traffic)
        require_count("bundles", self.bundles)


ExtensibleCommand = CheckLoad | Heard


@dataclass(frozen=True, slots=True)
class ExtensibleReportTrial:
    """`load.report_extensible`: when does a broker publish its load data, and what is in it?"""

    rules: ReportRules
    commands: tuple[ExtensibleCommand, ...]

    def __post_init__(self) -> None:
        require_rules(self.rules)


@dataclass(frozen=True, slots=True)
class LoadChecked:
    """Whether load data were sent to the store, and what they are or would be.

    `max_usage` is without weights; `weighted_max` (a fraction) and `throughput` (bytes per second)
    are averages.
    """

    DO: ClassVar[str] = "checked"
    sent: bool
    max_usage: float
    weighted_max: float
    throughput: float


@dataclass(frozen=True, slots=True)
class LoadCleared:
    """Whether the store was asked to remove the load data, and what the broker's are now.

    As in `LoadChecked`: usages are fractions, throughput is in bytes/s.
    """

    DO: ClassVar[str] = "cleared"
    removed: bool
    max_usage: float
    weighted_max: float
    throughput: float


ExtensibleResult = LoadChecked | LoadCleared


@dataclass(frozen=True, slots=True)
class ExtensibleReportAnswer:
    """One result for each command."""

    results: tuple[ExtensibleResult, ...]


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


def report_extensible_labels(trial: ExtensibleReportTrial) -> Iterator[str]:
    """Whether bundles move, and what goes wrong."""
    if any(isinstance(command, Heard) and command.concerns for command in trial.commands):
        yield "bundles come and go"
    if any(command.store_fails for command in trial.commands):
        yield "the store fails"
