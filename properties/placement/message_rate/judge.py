"""PLC-7 to PLC-9: of the brokers that are not overloaded, one with the lowest message rate.

Which resources make a broker overloaded, and whether a rate counts what nobody has reported yet,
the documents leave open; practice does not (PLC-42, PLC-52).
"""

from __future__ import annotations

from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import decision, must_be
from evenkeel.properties.judging.near import Near
from evenkeel.properties.judging.run import Run
from evenkeel.properties.judging.tolerance import LAST_BITS
from evenkeel.properties.observations import Broke
from evenkeel.properties.placement.asks import ChoicesAnswer
from evenkeel.properties.placement.chances import Chances
from evenkeel.properties.placement.following import breaking, choices_observed, is_candidate
from evenkeel.properties.placement.message_rate.trial import MessageRateTrial
from evenkeel.properties.placement.numbers import overloaded_by_each
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement.message_rate import RateReport

RateCase = Case[MessageRateTrial, ChoicesAnswer]


def score(report: RateReport, edition: Edition, preallocated: bool) -> Near:
    """Messages per second; where the order of adding is open, the last bits are."""
    given = sum(report.preallocated) if preallocated else 0
    value = float(given) + (report.rate_in + report.rate_out)
    return Near(value, 0.0 if edition.placement_in_floating_point else LAST_BITS * value)


def is_whole(report: RateReport, edition: Edition) -> bool:
    """Whether its score is the same in whatever order it is added up."""
    return edition.placement_in_floating_point or (
        report.rate_in.is_integer() and report.rate_out.is_integer()
    )


@decision(
    "placement.least_long_term_message_rate",
    "PLC-1", "PLC-2", "PLC-3", "PLC-4", "PLC-5", "PLC-7", "PLC-8", "PLC-9", "PLC-42", "PLC-52",
)  # fmt: skip
def message_rate(run: Run, case: RateCase) -> None:
    trial, edition = case.trial, case.edition
    everyone = trial.reports
    known = [broker for broker in trial.candidates if broker in everyone]
    unknown = len(known) < len(trial.candidates)
    if unknown and edition.unreported_candidates_break:
        must_be(run, case, "PLC-5", Broke("no report"), "a candidate without a report")
        return
    choices = choices_observed(run, case, trial.times, breaking(edition))
    for chosen in choices:
        is_candidate(run, chosen, trial.candidates)
    reports = {broker: everyone[broker] for broker in known}
    fit = fit_brokers(run, case, reports)
    if not fit:
        if known and not unknown:
            nobody = None in choices
            run.require("PLC-9", not nobody, "nobody chosen: all are overloaded", "nobody")
        allowed = known
    else:
        allowed = lowest(run, case, fit, choices)
    if not unknown and all(is_whole(reports[broker], edition) for broker in allowed):
        chances = Chances()
        for chosen in choices:
            chances.see(allowed, chosen)
        chances.judge(run, "PLC-2")


def fit_brokers(run: Run, case: RateCase, reports: dict[str, RateReport]) -> list[str]:
    """The brokers that are not overloaded, as one reading has it."""
    if not reports:
        return []
    trial, edition = case.trial, case.edition
    by_broker = [
        overloaded_by_each(report.resources, trial.threshold, trial.weights, edition)
        for report in reports.values()
    ]
    found, *literal = zip(*by_broker, strict=True)
    others = [other for other in literal if other != found]
    if others and not run.rule(True, so="PLC-52"):
        found = others[run.pick(len(others))]
    return [broker for broker, one in zip(reports, found, strict=True) if not run.rule(one)]


def with_least(case: RateCase, fit: list[str], preallocated: bool) -> list[str]:
    """The brokers with no lower score beside them."""
    reports = case.trial.reports
    scores = {b: score(reports[b], case.edition, preallocated) for b in fit}
    least = min(scores.values(), key=lambda one: one.value)
    return [broker for broker in sorted(scores) if scores[broker].may_equal(least)]


def lowest(run: Run, case: RateCase, fit: list[str], choices: tuple[str | None, ...]) -> list[str]:
    """Of the brokers that are not overloaded, those with no lower score beside them."""
    reports = case.trial.reports
    allowed = with_least(case, fit, preallocated=True)
    if any(reports[broker].preallocated for broker in fit):
        reported = with_least(case, fit, preallocated=False)
        if reported != allowed and not run.rule(True, so="PLC-42"):
            allowed = reported
    overloaded_too = [b for b in case.trial.candidates if b in reports and b not in fit]
    wrong = [b for b in choices if b in overloaded_too]
    if overloaded_too:
        run.require("PLC-7", not wrong, lambda: f"{wrong} overloaded, {fit} not", "overloaded")
    if len(allowed) < len(fit) + len(overloaded_too):
        higher = [b for b in choices if b in reports and b not in allowed]
        run.require(
            "PLC-8",
            not higher,
            lambda: f"{higher} chosen; the lowest score has {allowed}",
            "score",
        )
    return allowed
