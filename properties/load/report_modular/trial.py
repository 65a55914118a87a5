"""Trial and answer of `load.report_modular`. `after`: seconds before a command."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.load.numbers import require_bundles, require_resources
from evenkeel.properties.load.reports import require_after, require_rules
from evenkeel.properties.trial import require
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import report as reports
from evenkeel.reference.load.report import ModularReporter, ReportRules, Seconds
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resources


@dataclass(frozen=True, slots=True)
class Check:
    """A modular broker measures, and checks whether a report is due.

    `after`: so many seconds (10^6 at most) pass before. `force`: it is to be written anyway.
    `connected`: the metadata store can be reached. `store_fails`: it fails to write.
    """

    after: int
    resources: Resources
    bundles: tuple[BundleStatistics, ...]
    force: bool
    connected: bool
    store_fails: bool

    def __post_init__(self) -> None:
        require_after(self.after)
        require_resources("resources", self.resources)
        require_bundles("bundles", self.bundles)
        for name in ("topics", "producers", "consumers"):
            number = sum(getattr(bundle, name) for bundle in self.bundles)
            require(number < 2**31, "bundles", f"must have less than 2^31 {name} together")


@dataclass(frozen=True, slots=True)
class ModularReportTrial:
    """`load.report_modular`: when does a broker write its report, and what is in it?

    The broker starts at 0 s; its first report, of nothing, counts as written then. `rules.history`
    means nothing here.
    """

    rules: ReportRules
    commands: tuple[Check, ...]

    def __post_init__(self) -> None:
        require_rules(self.rules)


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a report was sent to the store, and what it says or would say.

    `gained` and `lost` are the bundles, by name, since the last report that was written.
    """

    sent: bool
    traffic: Traffic
    topics: int
    bundles: int
    producers: int
    consumers: int
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModularReportAnswer:
    """One result for each command."""

    results: tuple[Checked, ...]


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


def report_modular_labels(trial: ModularReportTrial) -> Iterator[str]:
    """What goes wrong."""
    if any(command.store_fails for command in trial.commands):
        yield "a write fails"
    if any(not command.connected for command in trial.commands):
        yield "not connected"
