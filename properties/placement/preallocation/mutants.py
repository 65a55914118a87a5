from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, defect, equivalent
from evenkeel.reference.placement import preallocation
from evenkeel.reference.placement.preallocation import Leader


def never_ends(original: Function) -> Function:
    def settle(live: Any, reporting: str, leader: Leader, edition: Any) -> Any:
        return replace(original(live, reporting, leader, edition), given=leader.given)

    return settle


def only_if_reported(original: Function) -> Function:
    def settle(live: Mapping[str, frozenset[str]], reporting: str, leader: Leader, e: Any) -> Any:
        kept = {
            bundle: broker
            for bundle, broker in leader.given.items()
            if broker in live and bundle not in live[broker]
        }
        return replace(original(live, reporting, leader, e), given=kept)

    return settle


def keeps_departed(original: Function) -> Function:
    def settle(live: Mapping[str, frozenset[str]], reporting: str, leader: Leader, e: Any) -> Any:
        return original({**leader.reported, **live}, reporting, leader, e)

    return settle


def not_given(original: Function) -> Function:
    return lambda bundle, broker, leader: leader


def reported_only(original: Function) -> Function:
    return lambda broker, leader, rates: original(broker, replace(leader, given={}), rates)


def last_allowed(original: Function) -> Function:
    return lambda *arguments: original(*arguments)[-1:]


MUTANTS: Final = (
    defect(
        "preallocations-stay",
        preallocation,
        "settle",
        never_ends,
        "What was given and reported counts twice, and a dead broker keeps its bundles.",
        "SH44",
    ),
    defect(
        "preallocations-of-departed-brokers-stay",
        preallocation,
        "settle",
        keeps_departed,
        "A broker that left is given bundles.",
        "SH44",
    ),
    defect(
        "preallocations-wait-for-their-bundle",
        preallocation,
        "settle",
        only_if_reported,
        "A bundle that was unloaded before its broker reported it counts there for ever.",
        "SH45",
    ),
    defect(
        "nothing-preallocated",
        preallocation,
        "give",
        not_given,
        "Two clients that look a bundle up at once get different brokers.",
    ),
    defect(
        "preallocations-do-not-count",
        preallocation,
        "score",
        reported_only,
        "A burst of lookups overloads the broker that was idle.",
    ),
    equivalent(
        "last-of-the-lowest",
        preallocation,
        "allowed",
        last_allowed,
        "Of brokers with the same score the last one is taken.",
    ),
)
