"""The clauses about due bundles as checks (SPL-31 to SPL-54)."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Final

from evenkeel.properties.clause import HOLDS, UNEXERCISED, Case, Finding, Violation, describe
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.splitting import extensible_walk, modular_walk
from evenkeel.properties.splitting.book import check
from evenkeel.properties.splitting.convert import bundle_name
from evenkeel.properties.splitting.trials_due import (
    CycleDecisions,
    ExtensibleCycle,
    ExtensibleDueAnswer,
    ExtensibleDueTrial,
    ModularDueAnswer,
    ModularDueTrial,
    OwnLoad,
)
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.splitting.algorithms import MIN_TOPICS

ModularCase = Case[ModularDueTrial, ModularDueAnswer]
ExtensibleCase = Case[ExtensibleDueTrial, ExtensibleDueAnswer]

any_round: Final = OncePerCase(modular_walk.walk_any)
documented_round: Final = OncePerCase(modular_walk.walk_documented)
exact_round: Final = OncePerCase(modular_walk.walk_exactly)
any_cycle: Final = OncePerCase(extensible_walk.walk_any)
documented_cycle: Final = OncePerCase(extensible_walk.walk_documented)


# ----------------------------------------------------------------------------------- both


@check("SPL-31", "splitting.due_modular")
def only_the_leader_decides(case: ModularCase) -> Finding:
    return any_round(case).finding("SPL-31")


@check("SPL-31", "splitting.due_extensible")
def nothing_is_decided_when_switched_off(case: ExtensibleCase) -> Finding:
    return any_cycle(case).finding("SPL-31")


@check("SPL-32", "splitting.due_modular")
def one_broker_decides_nothing(case: ModularCase) -> Finding:
    return exact_round(case).finding("SPL-32")


@check("SPL-33", "splitting.due_modular")
def due_bundles_can_be_split(case: ModularCase) -> Finding:
    return any_round(case).finding("SPL-33")


@check("SPL-33", "splitting.due_extensible")
def decided_bundles_can_be_split(case: ExtensibleCase) -> Finding:
    return any_cycle(case).finding("SPL-33")


@check("SPL-36", "splitting.due_modular")
def due_bundles_stay_below_the_maximum(case: ModularCase) -> Finding:
    return any_round(case).finding("SPL-36")


@check("SPL-36", "splitting.due_extensible")
def decisions_stay_below_the_maximum(case: ExtensibleCase) -> Finding:
    return any_cycle(case).finding("SPL-36")


@check("SPL-40", "splitting.due_modular")
def owners_are_asked_once(case: ModularCase) -> Finding:
    return any_round(case).finding("SPL-40")


@check("SPL-40", "splitting.due_extensible")
def bundles_are_decided_once(case: ExtensibleCase) -> Finding:
    return any_cycle(case).finding("SPL-40")


# -------------------------------------------------------------------------------- modular


@check("SPL-34", "splitting.due_modular")
def due_bundles_exceed_a_threshold(case: ModularCase) -> Finding:
    return documented_round(case).finding("SPL-34")


@check("SPL-35", "splitting.due_modular")
def bundles_above_a_threshold_are_due(case: ModularCase) -> Finding:
    return documented_round(case).finding("SPL-35")


@check("SPL-37", "splitting.due_modular")
def long_term_averages_decide(case: ModularCase) -> Finding:
    return exact_round(case).finding("SPL-37")


@check("SPL-38", "splitting.due_modular")
def bandwidth_limit_wraps_for_the_leader(case: ModularCase) -> Finding:
    return exact_round(case).finding("SPL-38")


@check("SPL-39", "splitting.due_modular")
def small_bundles_use_places(case: ModularCase) -> Finding:
    return exact_round(case).finding("SPL-39")


# ----------------------------------------------------------------------------- extensible


@check("SPL-41", "splitting.due_extensible")
def decisions_name_an_exceeded_threshold(case: ExtensibleCase) -> Finding:
    return documented_cycle(case).finding("SPL-41")


@check("SPL-42", "splitting.due_extensible")
def decisions_wait_for_enough_cycles(case: ExtensibleCase) -> Finding:
    return documented_cycle(case).finding("SPL-42")


@check("SPL-43", "splitting.due_extensible")
def enough_cycles_make_a_decision(case: ExtensibleCase) -> Finding:
    return documented_cycle(case).finding("SPL-43")


@check("SPL-44", "splitting.due_extensible")
def decisions_of_a_cycle_are_limited(case: ExtensibleCase) -> Finding:
    return documented_cycle(case).finding("SPL-44")


@check("SPL-45", "splitting.due_extensible")
def bundles_being_split_are_left_alone(case: ExtensibleCase) -> Finding:
    return any_cycle(case).finding("SPL-45")


@check("SPL-46", "splitting.due_extensible")
def children_follow_the_positions(case: ExtensibleCase) -> Finding:
    return documented_cycle(case).finding("SPL-46")


@check("SPL-47", "splitting.due_extensible")
def bad_positions_cost_no_cycle(case: ExtensibleCase) -> Finding:
    return documented_cycle(case).finding("SPL-47")


# ------------------------------------------------------------- extensible, as 4.0 does it


def same_cycle(observed: CycleDecisions, expected: CycleDecisions) -> bool:
    """The same decisions in any order, and both cycles lost or both not."""
    key = attrgetter("bundle")
    same = sorted(observed.decisions, key=key) == sorted(expected.decisions, key=key)
    return same and (observed.broke is None) == (expected.broke is None)


def compare_cycles(case: ExtensibleCase) -> Finding:
    """Every cycle as the reference has it."""
    if not isinstance(case.observation, ExtensibleDueAnswer):
        return Violation(f"decisions must be named, but the subject {describe(case.observation)}")
    if not isinstance(case.expected, ExtensibleDueAnswer):
        return UNEXERCISED
    observed, expected = case.observation.cycles, case.expected.cycles
    if len(observed) != len(expected):
        return Violation(f"{len(observed)} cycles for {len(expected)}", "cycles")
    for number, (got, want) in enumerate(zip(observed, expected, strict=True), start=1):
        if not same_cycle(got, want):
            return Violation(f"cycle {number} must decide {want}, but decided {got}")
    return HOLDS


compared: Final = OncePerCase(compare_cycles)


def candidates_of(trial: ExtensibleDueTrial) -> Iterator[OwnLoad]:
    """All bundles of all cycles, if anything is decided at all."""
    for cycle in trial.cycles if trial.config.split_enabled else ():
        yield from cycle.loads


def if_any(case: ExtensibleCase, exercised: bool) -> Finding:
    """The cycles must be the reference's, if the trial has to do with the clause."""
    return compared(case) if exercised else UNEXERCISED


@check("SPL-48", "splitting.due_extensible")
def cycles_run_in_listing_order(case: ExtensibleCase) -> Finding:
    return if_any(case, any(True for _ in candidates_of(case.trial)))


@check("SPL-38", "splitting.due_extensible")
def bandwidth_limit_wraps_for_brokers(case: ExtensibleCase) -> Finding:
    wraps = case.trial.config.max_bandwidth_mbytes >= 2048
    return if_any(case, wraps and any(True for _ in candidates_of(case.trial)))


@check("SPL-49", "splitting.due_extensible")
def hits_survive_gaps(case: ExtensibleCase) -> Finding:
    gaps = (own.load.topics < MIN_TOPICS or not own.owned for own in candidates_of(case.trial))
    return if_any(case, len(case.trial.cycles) > 1 and any(gaps))


def has_prefix_guard(cycle: ExtensibleCycle) -> bool:
    """Whether a bundle in state Splitting is of a namespace that begins like a reported one."""
    names = {bundle_name(own.load.bundle).namespace for own in cycle.loads}
    return any(
        text.startswith(namespace) and bundle_name(text).namespace != namespace
        for text in cycle.splitting
        for namespace in names
    )


@check("SPL-50", "splitting.due_extensible")
def splitting_guard_goes_by_prefix(case: ExtensibleCase) -> Finding:
    return if_any(case, any(has_prefix_guard(cycle) for cycle in case.trial.cycles))


@check("SPL-51", "splitting.due_extensible")
def cap_of_zero_is_unlimited(case: ExtensibleCase) -> Finding:
    return if_any(case, case.trial.config.max_splits_per_cycle <= 0)


@check("SPL-52", "splitting.due_extensible")
def one_position_only(case: ExtensibleCase) -> Finding:
    return if_any(case, any(len(own.positions) > 1 for own in candidates_of(case.trial)))


def cut_at_an_end(own: OwnLoad) -> bool:
    """Whether the only position is not inside the bundle."""
    range_ = bundle_name(own.load.bundle).range
    return len(own.positions) == 1 and not range_.lower < own.positions[0] < range_.upper


@check("SPL-53", "splitting.due_extensible")
def bad_positions_abort_the_cycle(case: ExtensibleCase) -> Finding:
    bad = (cut_at_an_end(own) and own.positions[0] < TOP_HASH for own in candidates_of(case.trial))
    return if_any(case, any(bad))


@check("SPL-54", "splitting.due_extensible")
def last_bundle_is_cut_at_the_last_hash(case: ExtensibleCase) -> Finding:
    return if_any(case, any(own.positions == (TOP_HASH,) for own in candidates_of(case.trial)))
