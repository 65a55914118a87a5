"""The questions of the chapter *load*."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final

from evenkeel.properties.load import answers, answers_report, generators, generators_report
from evenkeel.properties.load.numbers import RESOURCES
from evenkeel.properties.load.trials_averages import (
    BundleAveragesAnswer,
    BundleAveragesTrial,
    LeaderAnswer,
    LeaderTrial,
    Leave,
    Write,
)
from evenkeel.properties.load.trials_history import Active, HistoryAnswer, HistoryTrial
from evenkeel.properties.load.trials_report import (
    ExtensibleReportAnswer,
    ExtensibleReportTrial,
    Heard,
    ModularReportAnswer,
    ModularReportTrial,
)
from evenkeel.properties.load.trials_top import (
    TopBundlesAnswer,
    TopBundlesTrial,
    TopReportAnswer,
    TopReportTrial,
)
from evenkeel.properties.load.trials_usage import UsageAnswer, UsageTrial
from evenkeel.properties.question import Question
from evenkeel.reference.load.averages import LONG_TERM_SAMPLES


def usage_labels(trial: UsageTrial) -> Iterator[str]:
    """What is known, and what is more than there should be."""
    metered = [getattr(trial, name) for name in RESOURCES]
    if any(each.usage is None for each in metered):
        yield "not a number"
    if any(each.limit <= 0 for each in metered):
        yield "without a limit"
    if any(each.usage is not None and 0 < each.limit < each.usage for each in metered):
        yield "above 100 %"
    if trial.misspelt_in != 1.0 or trial.misspelt_out != 1.0:
        yield "weight under its old name"


def bundle_averages_labels(trial: BundleAveragesTrial) -> Iterator[str]:
    """How it starts, and how many samples there are."""
    yield trial.start.value
    count = sum(samples.times for samples in trial.samples)
    yield "a full long-term average" if count >= LONG_TERM_SAMPLES else f"{min(count, 11)} samples"


def leader_labels(trial: LeaderTrial) -> Iterator[str]:
    """What happens besides reports."""
    if any(isinstance(command, Leave) for command in trial.commands):
        yield "brokers leave"
    if any(isinstance(command, Write) for command in trial.commands):
        yield "data are written"


def history_labels(trial: HistoryTrial) -> Iterator[str]:
    """Who keeps the history, and whether brokers leave."""
    yield trial.keeper.value
    if any(isinstance(command, Active) for command in trial.commands):
        yield "brokers leave"


def report_modular_labels(trial: ModularReportTrial) -> Iterator[str]:
    """What goes wrong."""
    if any(command.store_fails for command in trial.commands):
        yield "a write fails"
    if any(not command.connected for command in trial.commands):
        yield "not connected"


def report_extensible_labels(trial: ExtensibleReportTrial) -> Iterator[str]:
    """Whether bundles move, and what goes wrong."""
    if any(isinstance(command, Heard) and command.concerns for command in trial.commands):
        yield "bundles come and go"
    if any(command.store_fails for command in trial.commands):
        yield "the store fails"


def top_bundles_labels(trial: TopBundlesTrial) -> Iterator[str]:
    """How many are wanted, and whether policies count."""
    yield "none wanted" if trial.rules.most <= 0 else f"{trial.rules.most} wanted"
    if trial.rules.isolated or trial.rules.grouped:
        yield "policies allowed" if trial.rules.with_policies else "policies"


def top_report_labels(trial: TopReportTrial) -> Iterator[str]:
    """Whether bundles move, and what goes wrong."""
    if any(isinstance(command, Heard) and command.concerns for command in trial.commands):
        yield "bundles come and go"
    if any(command.store_fails for command in trial.commands):
        yield "the store fails"


USAGE: Final = Question(
    "load.usage",
    UsageTrial,
    UsageAnswer,
    generators.usage_trial,
    answers.answer_usage,
    usage_labels,
)
BUNDLE_AVERAGES: Final = Question(
    "load.bundle_averages",
    BundleAveragesTrial,
    BundleAveragesAnswer,
    generators.bundle_averages_trial,
    answers.answer_bundle_averages,
    bundle_averages_labels,
)
LEADER: Final = Question(
    "load.leader",
    LeaderTrial,
    LeaderAnswer,
    generators.leader_trial,
    answers.answer_leader,
    leader_labels,
    commands=attrgetter("commands"),
)
HISTORY: Final = Question(
    "load.history",
    HistoryTrial,
    HistoryAnswer,
    generators.history_trial,
    answers.answer_history,
    history_labels,
    commands=attrgetter("commands"),
)
REPORT_MODULAR: Final = Question(
    "load.report_modular",
    ModularReportTrial,
    ModularReportAnswer,
    generators_report.report_modular_trial,
    answers_report.answer_report_modular,
    report_modular_labels,
    commands=attrgetter("commands"),
)
REPORT_EXTENSIBLE: Final = Question(
    "load.report_extensible",
    ExtensibleReportTrial,
    ExtensibleReportAnswer,
    generators_report.report_extensible_trial,
    answers_report.answer_report_extensible,
    report_extensible_labels,
    commands=attrgetter("commands"),
)
TOP_BUNDLES: Final = Question(
    "load.top_bundles",
    TopBundlesTrial,
    TopBundlesAnswer,
    generators_report.top_bundles_trial,
    answers.answer_top_bundles,
    top_bundles_labels,
)
TOP_REPORT: Final = Question(
    "load.top_report",
    TopReportTrial,
    TopReportAnswer,
    generators_report.top_report_trial,
    answers_report.answer_top_report,
    top_report_labels,
    commands=attrgetter("commands"),
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (
    USAGE,
    BUNDLE_AVERAGES,
    LEADER,
    HISTORY,
    REPORT_MODULAR,
    REPORT_EXTENSIBLE,
    TOP_BUNDLES,
    TOP_REPORT,
)
