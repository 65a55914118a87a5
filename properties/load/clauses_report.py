"""Clauses about reports: `load.report_modular`, `load.report_extensible`."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.clause import HOLDS, Case, Finding, Violation, as_expected
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.load.book import check
from evenkeel.properties.load.comparing import close_traffic
from evenkeel.properties.load.extensible_walk import walk_extensible
from evenkeel.properties.load.modular_walk import walk_modular
from evenkeel.properties.load.trials_report import (
    Checked,
    ExtensibleReportAnswer,
    ExtensibleReportTrial,
    ModularReportAnswer,
    ModularReportTrial,
)
from evenkeel.properties.observations import Broke, Refused

walked: Final = OncePerCase(walk_modular)
walked_extensible: Final = OncePerCase(walk_extensible)
ModularCase = Case[ModularReportTrial, ModularReportAnswer]
ExtensibleCase = Case[ExtensibleReportTrial, ExtensibleReportAnswer]


@check("LOA-32", "load.report_modular")
def reports_do_not_stay_out(case: ModularCase) -> Finding:
    return walked(case).finding("LOA-32")


@check("LOA-33", "load.report_modular")
def changes_are_reported(case: ModularCase) -> Finding:
    return walked(case).finding("LOA-33")


@check("LOA-34", "load.report_modular")
def no_needless_reports(case: ModularCase) -> Finding:
    return walked(case).finding("LOA-34")


@check("LOA-35", "load.report_modular")
def reports_hold_sums(case: ModularCase) -> Finding:
    return walked(case).finding("LOA-35")


@check("LOA-36", "load.report_modular")
def reports_are_forced_if_connected(case: ModularCase) -> Finding:
    return walked(case).finding("LOA-36")


@check("LOA-37", "load.report_modular")
def reports_name_gains_and_losses(case: ModularCase) -> Finding:
    return walked(case).finding("LOA-37")


@check("LOA-38", "load.report_modular")
def failed_reports_do_not_count(case: ModularCase) -> Finding:
    return walked(case).finding("LOA-38")


@check("LOA-39", "load.report_modular")
def modular_reports_of_4_0(case: ModularCase) -> Finding:
    return same_results(case)


@check("LOA-40", "load.report_extensible")
def first_measurements_are_raw(case: ExtensibleCase) -> Finding:
    return walked_extensible(case).finding("LOA-40")


@check("LOA-41", "load.report_extensible")
def measurements_are_smoothed(case: ExtensibleCase) -> Finding:
    return walked_extensible(case).finding("LOA-41")


@check("LOA-42", "load.report_extensible")
def load_data_do_not_stay_out(case: ExtensibleCase) -> Finding:
    return walked_extensible(case).finding("LOA-42")


@check("LOA-43", "load.report_extensible")
def changes_are_published(case: ExtensibleCase) -> Finding:
    return walked_extensible(case).finding("LOA-43")


@check("LOA-44", "load.report_extensible")
def no_needless_load_data(case: ExtensibleCase) -> Finding:
    return walked_extensible(case).finding("LOA-44")


@check("LOA-45", "load.report_extensible")
def published_averages_keep_up(case: ExtensibleCase) -> Finding:
    return walked_extensible(case).finding("LOA-45")


@check("LOA-46", "load.report_extensible")
def moves_clear_what_was_measured(case: ExtensibleCase) -> Finding:
    return walked_extensible(case).finding("LOA-46")


@check("LOA-47", "load.report_extensible")
def moves_remove_load_data(case: ExtensibleCase) -> Finding:
    return walked_extensible(case).finding("LOA-47")


@check("LOA-48", "load.report_extensible")
def extensible_reports_of_4_0(case: ExtensibleCase) -> Finding:
    return same_results(case)


def same(one: object, other: object) -> bool:
    """Equal; traffic summed up in whatever order."""
    if isinstance(one, Checked) and isinstance(other, Checked):
        return close_traffic(one.traffic, other.traffic) and rest(one) == rest(other)
    return one == other


def rest(checked: Checked) -> tuple[object, ...]:
    """Everything but the traffic."""
    counts = (checked.topics, checked.bundles, checked.producers, checked.consumers)
    return (checked.sent, *counts, checked.gained, checked.lost)


def same_results(case: Case[Any, Any]) -> Finding:
    """Every result is the reference's; the first that is not is told with its command."""
    observed, expected = case.observation, case.expected
    if isinstance(observed, Refused | Broke) or isinstance(expected, Refused | Broke):
        return as_expected(case, "reports")
    if len(observed.results) != len(expected.results):
        return Violation(f"{len(observed.results)} results of {len(expected.results)}", "shape")
    rows = zip(case.trial.commands, observed.results, expected.results, strict=True)
    for place, (command, told, right) in enumerate(rows):
        if not same(told, right):
            word = type(command).__name__
            return Violation(f"command {place}, {command}: must be {right}, not {told}", word)
    return HOLDS
