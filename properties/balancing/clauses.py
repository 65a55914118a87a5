"""All clauses of the chapter *balancing*: `balancing.loop`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.balancing.book import CLAUSES, check
from evenkeel.properties.balancing.evening import every_round_evens
from evenkeel.properties.balancing.loop_walk import walk_loop
from evenkeel.properties.balancing.replayed import as_strategies_allow
from evenkeel.properties.balancing.trials import BalancingTrial
from evenkeel.properties.balancing.trigger_walk import walk_triggers
from evenkeel.properties.clause import Case, Finding
from evenkeel.properties.findings import OncePerCase
from evenkeel.reference.balancing.history import History

__all__ = ["CLAUSES"]

walked: Final = OncePerCase(walk_loop)
triggered: Final = OncePerCase(walk_triggers)
LoopCase = Case[BalancingTrial, History]


@check("BAL-1", "balancing.loop")
def load_is_what_bundles_weigh(case: LoopCase) -> Finding:
    return walked(case).finding("BAL-1")


@check("BAL-2", "balancing.loop")
def every_bundle_is_served_again(case: LoopCase) -> Finding:
    return walked(case).finding("BAL-2")


@check("BAL-3", "balancing.loop")
def nothing_is_counted_twice(case: LoopCase) -> Finding:
    return walked(case).finding("BAL-3")


@check("BAL-4", "balancing.loop")
def grace_is_respected(case: LoopCase) -> Finding:
    return walked(case).finding("BAL-4")


@check("BAL-5", "balancing.loop")
def only_owners_give_away(case: LoopCase) -> Finding:
    return walked(case).finding("BAL-5")


@check("BAL-6", "balancing.loop")
def destinations_make_sense(case: LoopCase) -> Finding:
    return walked(case).finding("BAL-6")


@check("BAL-7", "balancing.loop")
def nothing_moves_by_itself(case: LoopCase) -> Finding:
    return walked(case).finding("BAL-7")


@check("BAL-8", "balancing.loop")
def unloads_are_bounded(case: LoopCase) -> Finding:
    return walked(case).finding("BAL-8")


@check("BAL-9", "balancing.loop")
def calm_without_trigger(case: LoopCase) -> Finding:
    return triggered(case).finding("BAL-9")


@check("BAL-10", "balancing.loop")
def progress_with_trigger(case: LoopCase) -> Finding:
    return triggered(case).finding("BAL-10")


@check("BAL-11", "balancing.loop")
def strategies_decide(case: LoopCase) -> Finding:
    return as_strategies_allow(case)


@check("BAL-17", "balancing.loop")
def every_round_evens_out(case: LoopCase) -> Finding:
    return every_round_evens(case)


@check("BAL-18", "balancing.loop")
def transfers_progress(case: LoopCase) -> Finding:
    return triggered(case).finding("BAL-18")
