"""Clauses about the dispatch loop: `throttling.loop`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import Case, Finding
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.throttling.book import check
from evenkeel.properties.throttling.loop_walk import walk_loop
from evenkeel.properties.throttling.results import results_as_expected
from evenkeel.properties.throttling.trials_loop import LoopAnswer, LoopTrial

walked: Final = OncePerCase(walk_loop)
LoopCase = Case[LoopTrial, LoopAnswer]


@check("THR-29", "throttling.loop")
def no_backlog_no_limit(case: LoopCase) -> Finding:
    return walked(case).finding("THR-29")


@check("THR-50", "throttling.loop")
def windows_are_bounded(case: LoopCase) -> Finding:
    return walked(case).finding("THR-50")


@check("THR-39", "throttling.loop")
def no_read_without_quota(case: LoopCase) -> Finding:
    return walked(case).finding("THR-39")


@check("THR-40", "throttling.loop")
def deliveries_are_charged_once(case: LoopCase) -> Finding:
    return walked(case).finding("THR-40")


@check("THR-41", "throttling.loop")
def reading_stops_for_want_of_quota(case: LoopCase) -> Finding:
    return walked(case).finding("THR-41")


@check("THR-42", "throttling.loop")
def entries_are_charged_where_counted(case: LoopCase) -> Finding:
    return walked(case).finding("THR-42")


@check("THR-43", "throttling.loop")
def permits_are_respected(case: LoopCase) -> Finding:
    return walked(case).finding("THR-43")


@check("THR-44", "throttling.loop")
def the_loop_of_4_0(case: LoopCase) -> Finding:
    return results_as_expected(case)


@check("THR-45", "throttling.loop")
def who_is_blocked_looks_again(case: LoopCase) -> Finding:
    return walked(case).finding("THR-45")
