"""Clauses about smoothed scores: `load.history`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import HOLDS, Case, Finding, Violation, as_expected
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.load.book import check
from evenkeel.properties.load.comparing import close
from evenkeel.properties.load.history_walk import walk_history
from evenkeel.properties.load.trials_history import (
    HistoryAnswer,
    HistoryResult,
    HistoryTrial,
    Scores,
)
from evenkeel.properties.observations import Broke, Refused

walked: Final = OncePerCase(walk_history)
HistoryCase = Case[HistoryTrial, HistoryAnswer]


@check("LOA-24", "load.history")
def the_first_look_is_raw(case: HistoryCase) -> Finding:
    return walked(case).finding("LOA-24")


@check("LOA-25", "load.history")
def looks_are_smoothed(case: HistoryCase) -> Finding:
    return walked(case).finding("LOA-25")


@check("LOA-26", "load.history")
def departed_brokers_start_afresh(case: HistoryCase) -> Finding:
    return walked(case).finding("LOA-26")


@check("LOA-27", "load.history")
def idle_brokers_start_afresh(case: HistoryCase) -> Finding:
    return walked(case).finding("LOA-27")


@check("LOA-28", "load.history")
def the_mean_is_of_all(case: HistoryCase) -> Finding:
    return walked(case).finding("LOA-28")


@check("LOA-29", "load.history")
def scores_stay_within_what_was_seen(case: HistoryCase) -> Finding:
    return walked(case).finding("LOA-29")


def same(one: HistoryResult, other: HistoryResult) -> bool:
    """Scores to the last bit; the mean in whatever order it was added up."""
    if isinstance(one, Scores) and isinstance(other, Scores):
        return one.scores == other.scores and close(one.mean, other.mean)
    return one == other


@check("LOA-30", "load.history")
def scores_of_4_0(case: HistoryCase) -> Finding:
    observed, expected = case.observation, case.expected
    if isinstance(observed, Refused | Broke) or isinstance(expected, Refused | Broke):
        return as_expected(case, "scores")
    if len(observed.results) != len(expected.results):
        return Violation(f"{len(observed.results)} results of {len(expected.results)}", "shape")
    for place, (told, right) in enumerate(zip(observed.results, expected.results, strict=True)):
        if not same(told, right):
            return Violation(f"command {place}: must be {right}, not {told}")
    return HOLDS
