"""Clauses about memory: turns of the round robin, AvgShedder's plan, preallocated bundles."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import HOLDS, Case, Finding, Violation, as_expected
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.placement.book import check
from evenkeel.properties.placement.preallocation_walk import (
    COUNTS,
    ENDS,
    GONE,
    NO_TRACE,
    SAME,
    walk_preallocation,
)
from evenkeel.properties.placement.trials_preallocation import PreallocationTrial
from evenkeel.properties.placement.trials_strategies import (
    AsksAnswer,
    PlannedTrial,
    RoundRobinTrial,
)
from evenkeel.properties.placement.turns_walk import (
    PLAN_OF_4_0,
    PLANNED,
    TURNS,
    walk_planned,
    walk_round_robin,
)
from evenkeel.properties.placement.usage_walk import BREAKS, NEVER_BREAKS

TurnCase = Case[RoundRobinTrial, AsksAnswer]
PlanCase = Case[PlannedTrial, AsksAnswer]
ROUND_ROBIN: Final = "placement.round_robin"
AVG_SHEDDER: Final = "placement.avg_shedder"
PREALLOCATION: Final = "placement.preallocation"
AllocationCase = Case[PreallocationTrial, AsksAnswer]

turns: Final = OncePerCase(walk_round_robin)
plans: Final = OncePerCase(walk_planned)
allocations: Final = OncePerCase(walk_preallocation)


@check("PLC-1", ROUND_ROBIN)
def whose_turn_it_is_is_a_candidate(case: TurnCase) -> Finding:
    return turns(case).finding("PLC-1")


@check("PLC-18", ROUND_ROBIN)
def everybody_has_a_turn(case: TurnCase) -> Finding:
    return turns(case).finding(TURNS)


@check("PLC-19", ROUND_ROBIN)
def turns_of_4_0(case: TurnCase) -> Finding:
    expected, observed = case.expected, case.observation
    if isinstance(expected, Refused | Broke) or isinstance(observed, Refused | Broke):
        return as_expected(case, "asking")
    if len(observed.results) != len(expected.results):
        return Violation(f"{len(observed.results)} results of {len(expected.results)}", "shape")
    rows = zip(case.trial.asks, observed.results, expected.results, strict=True)
    for place, (ask, result, right) in enumerate(rows):
        if result != right:
            return Violation(f"ask {place}, {ask}: must be {right}, not {result}")
    return HOLDS


@check("PLC-4", ROUND_ROBIN)
def turns_never_break(case: TurnCase) -> Finding:
    return turns(case).finding(NEVER_BREAKS)


@check("PLC-1", AVG_SHEDDER)
def what_is_planned_is_a_candidate(case: PlanCase) -> Finding:
    return plans(case).finding("PLC-1")


@check("PLC-3", AVG_SHEDDER)
def unplanned_bundles_go_anywhere(case: PlanCase) -> Finding:
    return plans(case).finding("PLC-3")


@check("PLC-4", AVG_SHEDDER)
def plans_never_break(case: PlanCase) -> Finding:
    return plans(case).finding(NEVER_BREAKS)


@check("PLC-5", AVG_SHEDDER)
def plans_need_candidates(case: PlanCase) -> Finding:
    return plans(case).finding(BREAKS)


@check("PLC-20", AVG_SHEDDER)
def plans_are_carried_out(case: PlanCase) -> Finding:
    return plans(case).finding(PLANNED)


@check("PLC-21", AVG_SHEDDER)
def plans_of_4_0(case: PlanCase) -> Finding:
    return plans(case).finding(PLAN_OF_4_0)


@check("PLC-1", PREALLOCATION)
def somebody_gets_the_bundle(case: AllocationCase) -> Finding:
    return allocations(case).finding("PLC-1")


@check("PLC-41", PREALLOCATION)
def lookups_agree(case: AllocationCase) -> Finding:
    return allocations(case).finding(SAME)


@check("PLC-42", PREALLOCATION)
def preallocated_bundles_count(case: AllocationCase) -> Finding:
    return allocations(case).finding(COUNTS)


@check("PLC-43", PREALLOCATION)
def departed_brokers_get_nothing(case: AllocationCase) -> Finding:
    return allocations(case).finding(GONE)


@check("PLC-44", PREALLOCATION)
def preallocations_end(case: AllocationCase) -> Finding:
    return allocations(case).finding(ENDS)


@check("PLC-45", PREALLOCATION)
def proposals_leave_no_trace(case: AllocationCase) -> Finding:
    return allocations(case).finding(NO_TRACE)
