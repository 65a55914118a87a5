"""Clauses about the strategies that look at load: message rate, and resource usage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from evenkeel.properties.clause import (
    HOLDS,
    UNEXERCISED,
    Case,
    Finding,
    Violation,
    describe,
    shape,
    unless,
)
from evenkeel.properties.findings import Findings, OncePerCase
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.placement import readings
from evenkeel.properties.placement.answers import extensible_sets
from evenkeel.properties.placement.book import check
from evenkeel.properties.placement.chances import Chances
from evenkeel.properties.placement.trials_strategies import (
    AsksAnswer,
    ChoicesAnswer,
    ExtensibleUsageTrial,
    MessageRateTrial,
    ModularUsageTrial,
)
from evenkeel.properties.placement.usage_walk import BREAKS, NEVER_BREAKS, walk_usage

RateCase = Case[MessageRateTrial, ChoicesAnswer]
UsageCase = Case[ModularUsageTrial, AsksAnswer]
ExtensibleCase = Case[ExtensibleUsageTrial, ChoicesAnswer]
RATE: Final = "placement.least_long_term_message_rate"
USAGE: Final = "placement.least_resource_usage_modular"
EXTENSIBLE: Final = "placement.least_resource_usage_extensible"


def choices_of(case: Case[Any, ChoicesAnswer]) -> Sequence[str | None]:
    """The choices; none if the subject did not answer."""
    observed = case.observation
    return () if isinstance(observed, Refused | Broke) else observed.choices


def judge_candidates(case: Case[Any, ChoicesAnswer], candidates: Sequence[str]) -> Finding:
    """Every choice is a candidate; nobody is chosen exactly if there is none."""
    observed = case.observation
    if isinstance(observed, Refused | Broke):
        return UNEXERCISED
    if len(observed.choices) != case.trial.times:
        return Violation(f"{len(observed.choices)} choices of {case.trial.times}", "shape")
    for chosen in observed.choices:
        if chosen not in candidates if chosen is not None else candidates:
            return Violation(f"{chosen} chosen of {candidates}", "stranger")
    return HOLDS


# --------------------------------------------------------------------------- message rate


def rate_allowed(case: RateCase) -> tuple[str, ...]:
    """The brokers that may be chosen; none where 4.0 breaks."""
    if shape(case.expected) == "broke":
        return ()
    return readings.lowest_rates(case.trial, case.edition)


def some_fit(case: RateCase) -> bool:
    """Whether some candidate is not overloaded, whatever one calculates in."""
    return bool(readings.not_overloaded(case.trial, case.edition, surely=True))


def may_fit(case: RateCase) -> bool:
    """Whether some candidate may not be overloaded."""
    return bool(readings.not_overloaded(case.trial, case.edition, surely=False))


@check("PLC-1", RATE)
def the_lowest_rate_is_a_candidate(case: RateCase) -> Finding:
    return judge_candidates(case, case.trial.candidates)


@check("PLC-7", RATE)
def overloaded_brokers_come_last(case: RateCase) -> Finding:
    fit = readings.not_overloaded(case.trial, case.edition, surely=False)
    reported = [broker for broker in case.trial.candidates if broker in case.trial.reports]
    if not some_fit(case) or len(fit) == len(reported) or shape(case.expected) == "broke":
        return UNEXERCISED
    wrong = [b for b in choices_of(case) if b in reported and b not in fit]
    return unless(not wrong, f"{wrong} overloaded, {fit} not", "overloaded")


@check("PLC-8", RATE)
def the_lowest_rate_is_chosen(case: RateCase) -> Finding:
    allowed = rate_allowed(case)
    if not allowed or not some_fit(case):
        return UNEXERCISED
    wrong = [b for b in choices_of(case) if b in case.trial.candidates and b not in allowed]
    return unless(not wrong, f"{wrong} chosen; the lowest score has {allowed}", "score")


@check("PLC-9", RATE)
def all_overloaded_is_no_excuse(case: RateCase) -> Finding:
    known = all(broker in case.trial.reports for broker in case.trial.candidates)
    if not case.trial.candidates or not known or may_fit(case):
        return UNEXERCISED
    nobody = None in choices_of(case) or shape(case.observation) != "answered"
    return unless(not nobody, f"{describe(case.observation)}: all overloaded", "nobody")


def rate_chances(case: RateCase) -> Findings:
    """How the choices are distributed."""
    findings, chances, allowed = Findings(), Chances(), rate_allowed(case)
    known = all(broker in case.trial.reports for broker in case.trial.candidates)
    if known and (
        case.edition.placement_in_floating_point
        or all(readings.is_whole(case.trial.reports[broker]) for broker in allowed)
    ):
        for chosen in choices_of(case):
            chances.see(allowed, chosen)
    chances.judge(findings)
    return findings


rate_chances_once: Final = OncePerCase(rate_chances)


@check("PLC-2", RATE)
def each_lowest_rate_is_chosen(case: RateCase) -> Finding:
    return rate_chances_once(case).finding("PLC-2")


@check("PLC-3", RATE)
def lowest_rates_are_chosen_evenly(case: RateCase) -> Finding:
    return rate_chances_once(case).finding("PLC-3")


@check("PLC-4", RATE)
def rates_never_break(case: RateCase) -> Finding:
    return unless(shape(case.observation) == "answered", describe(case.observation), "broke")


@check("PLC-5", RATE)
def rates_need_reports(case: RateCase) -> Finding:
    right = shape(case.observation) == shape(case.expected)
    return unless(right, f"{describe(case.observation)}; must be {shape(case.expected)}", "shape")


# ------------------------------------------------------------------ resource usage, modular

walked: Final = OncePerCase(walk_usage)


@check("PLC-1", USAGE)
def the_lowest_usage_is_a_candidate(case: UsageCase) -> Finding:
    return walked(case).finding("PLC-1")


@check("PLC-2", USAGE)
def each_low_usage_is_chosen(case: UsageCase) -> Finding:
    return walked(case).finding("PLC-2")


@check("PLC-3", USAGE)
def low_usages_are_chosen_evenly(case: UsageCase) -> Finding:
    return walked(case).finding("PLC-3")


@check("PLC-10", USAGE)
def well_below_the_mean_is_chosen(case: UsageCase) -> Finding:
    return walked(case).finding("PLC-10")


@check("PLC-11", USAGE)
def else_anybody_is_chosen(case: UsageCase) -> Finding:
    return walked(case).finding("PLC-11")


@check("PLC-12", USAGE)
def history_counts(case: UsageCase) -> Finding:
    return walked(case).finding("PLC-12")


@check("PLC-13", USAGE)
def idle_brokers_have_no_history(case: UsageCase) -> Finding:
    return walked(case).finding("PLC-13")


@check("PLC-14", USAGE)
def brokers_that_leave_are_forgotten(case: UsageCase) -> Finding:
    return walked(case).finding("PLC-14")


@check("PLC-4", USAGE)
def usages_never_break(case: UsageCase) -> Finding:
    return walked(case).finding(NEVER_BREAKS)


@check("PLC-5", USAGE)
def usages_need_reports(case: UsageCase) -> Finding:
    return walked(case).finding(BREAKS)


# --------------------------------------------------------------- resource usage, extensible


def extensible_walk(case: ExtensibleCase) -> Findings:
    """What the choices say about every clause."""
    findings, chances = Findings(), Chances()
    names = [broker.name for broker in case.trial.candidates]
    known = [broker.name for broker in case.trial.candidates if broker.usage is not None]
    findings.note(
        "PLC-4", shape(case.observation) == "answered", describe(case.observation), "broke"
    )
    if not names:
        return findings
    sets = extensible_sets(case.trial, case.edition)
    may_be_everybody = any(set(brokers) == set(names) for brokers in sets)
    everybody = len(sets) == 1 and may_be_everybody
    for chosen in choices_of(case):
        allowed = any(chosen in brokers for brokers in sets)
        sentence = f"{chosen} chosen; must be of {' or '.join(map(str, sets))}"
        findings.note("PLC-11" if everybody else "PLC-10", allowed, sentence, "choice")
        if len(known) < len(names) and not may_be_everybody:
            unknown = chosen in names and chosen not in known
            findings.note("PLC-15", not unknown, sentence, "no load data")
        if len(sets) == 1 and allowed:
            chances.see(sets[0], chosen)
    chances.judge(findings)
    return findings


extensible_walked: Final = OncePerCase(extensible_walk)


@check("PLC-1", EXTENSIBLE)
def the_low_load_is_a_candidate(case: ExtensibleCase) -> Finding:
    return judge_candidates(case, [broker.name for broker in case.trial.candidates])


@check("PLC-2", EXTENSIBLE)
def each_low_load_is_chosen(case: ExtensibleCase) -> Finding:
    return extensible_walked(case).finding("PLC-2")


@check("PLC-3", EXTENSIBLE)
def low_loads_are_chosen_evenly(case: ExtensibleCase) -> Finding:
    return extensible_walked(case).finding("PLC-3")


@check("PLC-10", EXTENSIBLE)
def load_well_below_the_mean_is_chosen(case: ExtensibleCase) -> Finding:
    return extensible_walked(case).finding("PLC-10")


@check("PLC-11", EXTENSIBLE)
def else_any_load_is_chosen(case: ExtensibleCase) -> Finding:
    return extensible_walked(case).finding("PLC-11")


@check("PLC-15", EXTENSIBLE)
def unknown_loads_come_last(case: ExtensibleCase) -> Finding:
    return extensible_walked(case).finding("PLC-15")


@check("PLC-4", EXTENSIBLE)
def loads_never_break(case: ExtensibleCase) -> Finding:
    return extensible_walked(case).finding("PLC-4")
