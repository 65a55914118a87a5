"""Clauses about TransferShedder: `shedding.transfer`, `shedding.transfer_debug`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.clause import UNEXERCISED, Case, Finding, Violation, describe, unless
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.shedding.book import check
from evenkeel.properties.shedding.transfer_orders import as_some_order, depends_on_order, words
from evenkeel.properties.shedding.transfer_walk import walk_transfer
from evenkeel.properties.shedding.trials_transfer import (
    TransferAnswer,
    TransferDebugAnswer,
    TransferTrial,
)

walked: Final = OncePerCase(walk_transfer)
TransferCase = Case[TransferTrial, TransferAnswer]
DebugCase = Case[TransferTrial, TransferDebugAnswer]


@check("SHD-50", "shedding.transfer")
def nothing_without_data(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-50")


@check("SHD-51", "shedding.transfer")
def reasons_are_true(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-51")


@check("SHD-52", "shedding.transfer")
def spread_of_the_loads(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-52")


@check("SHD-53", "shedding.transfer")
def stale_brokers_stay_out(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-53")


@check("SHD-55", "shedding.transfer")
def enough_rounds_in_a_row(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-55")


@check("SHD-56", "shedding.transfer")
def moves_are_proper(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-56")


@check("SHD-57", "shedding.transfer")
def few_pairs(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-57")


@check("SHD-58", "shedding.transfer")
def grace_and_ownership(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-58")


@check("SHD-59", "shedding.transfer")
def grace_and_ownership_in_swaps(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-59")


@check("SHD-60", "shedding.transfer")
def policies_and_filters(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-60")


@check("SHD-61", "shedding.transfer")
def one_bundle_is_kept(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-61")


@check("SHD-62", "shedding.transfer")
def from_most_to_least_loaded(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-62")


@check("SHD-63", "shedding.transfer")
def half_the_gap(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-63")


@check("SHD-64", "shedding.transfer")
def swaps_even_out(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-64")


@check("SHD-65", "shedding.transfer")
def nothing_from_idle_brokers(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-65")


@check("SHD-66", "shedding.transfer")
def progress(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-66")


@check("SHD-67", "shedding.transfer")
def no_needless_pairs(case: TransferCase) -> Finding:
    return walked(case).finding("SHD-67")


@check("SHD-68", "shedding.transfer")
def rounds_of_4_0(case: TransferCase) -> Finding:
    observed = case.observation
    if isinstance(observed, Refused | Broke):
        return Violation(f"the subject {describe(observed)}", "shape")
    return as_some_order(case.trial, observed.rounds, case.trial.config.rules, case.edition)


@check("SHD-69", "shedding.transfer_debug")
def debug_mode_only_logs(case: DebugCase) -> Finding:
    observed = case.observation
    if isinstance(observed, Refused | Broke):
        return Violation(f"the subject {describe(observed)}", "shape")
    rounds = zip(case.trial.rounds, observed.quiet.rounds, observed.debug.rounds, strict=False)
    for place, (view, quiet, debug) in enumerate(rounds):
        if depends_on_order(view, case.trial.config.rules, case.edition):
            return UNEXERCISED
        if set(quiet.moves) != set(debug.moves):
            sentence = f"round {place}: {words(quiet.moves)}; in debug mode {words(debug.moves)}"
            return Violation(sentence, "moves")
    return unless(
        len(observed.quiet.rounds) == len(observed.debug.rounds) == len(case.trial.rounds),
        "not as many rounds as in the trial",
        "shape",
    )


@check("SHD-70", "shedding.transfer_debug")
def debug_mode_of_4_0(case: DebugCase) -> Finding:
    observed = case.observation
    if isinstance(observed, Refused | Broke):
        return Violation(f"the subject {describe(observed)}", "shape")
    rules = replace(case.trial.config.rules, debug=False)
    finding = as_some_order(case.trial, observed.quiet.rounds, rules, case.edition)
    if isinstance(finding, Violation):
        return finding
    rules = replace(rules, debug=True)
    return as_some_order(case.trial, observed.debug.rounds, rules, case.edition)
