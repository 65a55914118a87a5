"""Message rates as the documents leave them open: exactly, or in doubles added up in any order.

A usage or a score at the last bit of a double is on either side of its boundary; single precision
is not among the readings (PLC-7, PLC-8).
"""

from __future__ import annotations

from typing import Final

from evenkeel.properties.load.comparing import usage_in_doubles
from evenkeel.properties.placement.trials_strategies import MessageRateTrial
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement import message_rate
from evenkeel.reference.placement.message_rate import RateReport

CLOSE: Final = 1e-12
"""How far apart, relative to each other, doubles may be that are equal when added up exactly."""


def said_overloaded(report: RateReport, trial: MessageRateTrial, edition: Edition) -> set[bool]:
    """Whether a broker is overloaded, by every reading."""
    said = {
        message_rate.overloaded(report.resources, trial.threshold, trial.weights, edition),
    }
    if not edition.placement_in_floating_point:
        said.add(overloaded_in_doubles(report, trial))
    return said


def overloaded_in_doubles(report: RateReport, trial: MessageRateTrial) -> bool:
    """Whether a broker's usage in doubles is above the threshold."""
    return usage_in_doubles(report.resources, trial.weights) > trial.threshold / 100.0


def not_overloaded(trial: MessageRateTrial, edition: Edition, surely: bool) -> list[str]:
    """The candidates that have reported and are not overloaded, by every reading or by one."""
    said = {
        broker: said_overloaded(trial.reports[broker], trial, edition)
        for broker in trial.candidates
        if broker in trial.reports
    }
    return [b for b, words in said.items() if (words == {False} if surely else False in words)]


def lowest_rates(trial: MessageRateTrial, edition: Edition) -> tuple[str, ...]:
    """The brokers that may be chosen, by one of the readings."""
    exact = message_rate.least_loaded(
        trial.candidates, trial.reports, trial.threshold, trial.weights, edition
    )
    if edition.placement_in_floating_point:
        return exact
    allowed = {*exact, *lowest_in_doubles(trial)}
    return tuple(broker for broker in trial.candidates if broker in allowed)


def lowest_in_doubles(trial: MessageRateTrial) -> list[str]:
    """In doubles: the brokers with the lowest score, or one that differs in the last bits only."""
    known = {
        broker: trial.reports[broker] for broker in trial.candidates if broker in trial.reports
    }
    fit = [b for b, report in known.items() if not overloaded_in_doubles(report, trial)]
    scores = {broker: score_in_doubles(known[broker]) for broker in fit or known}
    lowest = min(scores.values(), default=0.0)
    return [b for b, score in scores.items() if not fit or score <= lowest * (1 + CLOSE)]


def score_in_doubles(report: RateReport) -> float:
    """Messages per second in and out, preallocated bundles included."""
    return sum(report.preallocated) + report.rate_in + report.rate_out


def is_whole(report: RateReport) -> bool:
    """Whether a score is the same in whatever order it is added up."""
    return report.rate_in.is_integer() and report.rate_out.is_integer()
