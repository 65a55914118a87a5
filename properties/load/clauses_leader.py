"""Clauses about what the leader knows: `load.leader`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import HOLDS, Case, Finding, Violation, as_expected
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.load.book import check
from evenkeel.properties.load.comparing import close_traffic
from evenkeel.properties.load.leader_walk import walk_leader
from evenkeel.properties.load.trials_averages import Knowledge, LeaderAnswer, LeaderTrial
from evenkeel.properties.observations import Broke, Refused

walked: Final = OncePerCase(walk_leader)
LeaderCase = Case[LeaderTrial, LeaderAnswer]


@check("LOA-17", "load.leader")
def served_bundles_are_known(case: LeaderCase) -> Finding:
    return walked(case).finding("LOA-17")


@check("LOA-18", "load.leader")
def brokers_that_left_are_forgotten(case: LeaderCase) -> Finding:
    return walked(case).finding("LOA-18")


@check("LOA-19", "load.leader")
def averages_are_of_reports(case: LeaderCase) -> Finding:
    return walked(case).finding("LOA-19")


@check("LOA-20", "load.leader")
def a_report_counts_once(case: LeaderCase) -> Finding:
    return walked(case).finding("LOA-20")


@check("LOA-21", "load.leader")
def brokers_have_what_their_bundles_have(case: LeaderCase) -> Finding:
    return walked(case).finding("LOA-21")


def same_knowledge(one: Knowledge, other: Knowledge) -> bool:
    """Bundles to the last bit; sums of brokers in whatever order they were added."""
    if one.bundles != other.bundles or len(one.brokers) != len(other.brokers):
        return False
    return all(
        mine.broker == right.broker
        and close_traffic(mine.averages.short_term, right.averages.short_term)
        and close_traffic(mine.averages.long_term, right.averages.long_term)
        for mine, right in zip(one.brokers, other.brokers, strict=True)
    )


@check("LOA-22", "load.leader")
def every_notification_counts(case: LeaderCase) -> Finding:
    observed, expected = case.observation, case.expected
    if isinstance(observed, Refused | Broke) or isinstance(expected, Refused | Broke):
        return as_expected(case, "knowledge")
    if len(observed.results) != len(expected.results):
        return Violation(f"{len(observed.results)} results of {len(expected.results)}", "shape")
    rows = zip(case.trial.commands, observed.results, expected.results, strict=True)
    for place, (command, known, right) in enumerate(rows):
        if not same_knowledge(known, right):
            word = type(command).__name__
            return Violation(f"command {place}, {command}: {known}, but must be {right}", word)
    return HOLDS
