"""Trial and answer of `load.top_report`. `after`: seconds before a command."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from evenkeel.properties.load.numbers import require_bundles
from evenkeel.properties.load.reports import Heard, require_after
from evenkeel.properties.trial import require
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import report as reports
from evenkeel.reference.load import top_bundles, top_report
from evenkeel.reference.load.report import Seconds
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import TopRules
from evenkeel.reference.load.top_report import TopReporter

RULES: Final = TopRules()
"""How `load.top_report` chooses its bundles: by the defaults, without policies."""


@dataclass(frozen=True, slots=True)
class CheckTop:
    """A broker checks whether its top bundles are to be published.

    `after`: so many seconds pass before. `statistics` numbers the latest run of the bundles'
    statistics, `bundles` is what it found. `force`, `store_fails` as for load data.
    """

    DO: ClassVar[str] = "check"
    after: int
    statistics: int
    bundles: tuple[BundleStatistics, ...]
    force: bool
    store_fails: bool

    def __post_init__(self) -> None:
        require_after(self.after)
        require(0 <= self.statistics < 2**31, "statistics", "must be 0 or more, below 2^31")
        require_bundles("bundles", self.bundles)


TopCommand = CheckTop | Heard


@dataclass(frozen=True, slots=True)
class TopReportTrial:
    """`load.top_report`: when does a broker publish its top bundles, and which?"""

    commands: tuple[TopCommand, ...]


@dataclass(frozen=True, slots=True)
class TopChecked:
    """Whether a list was sent to the store, and the list; empty if none was sent."""

    DO: ClassVar[str] = "checked"
    sent: bool
    bundles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TopCleared:
    """Whether the store was asked to remove the list."""

    DO: ClassVar[str] = "cleared"
    removed: bool


TopResult = TopChecked | TopCleared


@dataclass(frozen=True, slots=True)
class TopReportAnswer:
    """One result for each command."""

    results: tuple[TopResult, ...]


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
    chosen = top_bundles.top_bundles(check.bundles, RULES, edition)
    names = tuple(bundle.bundle for bundle in chosen)
    reporter = top_report.looked(before, check.statistics, names)
    sent = reports.sends(top_report.due(before, reporter, edition), check.force)
    return (top_report.stored(reporter, not check.store_fails) if sent else reporter), sent


def hear_top(reporter: TopReporter, heard: Heard, at: Seconds) -> tuple[TopReporter, bool]:
    """One change of state: the reporter afterwards, and whether the list is to be removed."""
    if not heard.concerns or not top_report.removal_due(reporter, at):
        return reporter, False
    return (reporter if heard.store_fails else top_report.removed(reporter, at)), True


def top_report_labels(trial: TopReportTrial) -> Iterator[str]:
    """Whether bundles move, and what goes wrong."""
    if any(isinstance(command, Heard) and command.concerns for command in trial.commands):
        yield "bundles come and go"
    if any(command.store_fails for command in trial.commands):
        yield "the store fails"
