"""Clauses about the lock protocol: `ownership.locks`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import HOLDS, Case, Finding, Violation, as_expected
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.observations import Broke, CommandBroke, Refused
from evenkeel.properties.ownership.book import check
from evenkeel.properties.ownership.locks_walk import walk_locks
from evenkeel.properties.ownership.trials_locks import LocksAnswer, LocksTrial

walked: Final = OncePerCase(walk_locks)
LocksCase = Case[LocksTrial, LocksAnswer]


@check("OWN-21", "ownership.locks")
def at_most_one_serves(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-21")


@check("OWN-22", "ownership.locks")
def who_serves_holds(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-22")


@check("OWN-23", "ownership.locks")
def lookups_name_owners(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-23")


@check("OWN-24", "ownership.locks")
def clients_find_who_serves(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-24")


@check("OWN-25", "ownership.locks")
def unloads_end(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-25")


@check("OWN-26", "ownership.locks")
def lookups_end(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-26")


@check("OWN-27", "ownership.locks")
def unloading_is_not_handed_out(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-27")


@check("OWN-28", "ownership.locks")
def nodes_are_their_brokers(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-28")


@check("OWN-29", "ownership.locks")
def readers_take_nothing(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-29")


@check("OWN-30", "ownership.locks")
def views_agree(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-30")


@check("OWN-31", "ownership.locks")
def named_bundles(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-31")


@check("OWN-32", "ownership.locks")
def stopping_takes_nothing(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-32")


@check("OWN-34", "ownership.locks")
def standings_change_legally(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-34")


@check("OWN-35", "ownership.locks")
def only_who_serves_unloads(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-35")


@check("OWN-36", "ownership.locks")
def the_leader_decides(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-36")


@check("OWN-37", "ownership.locks")
def empty_where_nobody_can(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-37")


@check("OWN-38", "ownership.locks")
def served_bundles_are_not_given_up(case: LocksCase) -> Finding:
    return walked(case).finding("OWN-38")


@check("OWN-33", "ownership.locks")
def the_locks_of_4_0(case: LocksCase) -> Finding:
    """The first step that is not the reference's is told with its command."""
    expected, observed = case.expected, case.observation
    if isinstance(expected, Refused | Broke) or isinstance(observed, Refused | Broke):
        return as_expected(case, "the locks")
    if len(observed.results) != len(expected.results):
        return Violation(f"{len(observed.results)} results of {len(expected.results)}", "shape")
    rows = zip(case.trial.commands, observed.results, expected.results, strict=True)
    for place, (command, result, right) in enumerate(rows):
        broke = isinstance(result, CommandBroke) and isinstance(right, CommandBroke)
        if result != right and not broke:
            word = type(command).__name__
            return Violation(f"command {place}, {command}: must be {right}, not {result}", word)
    return HOLDS
