from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    defect,
    equivalent,
    switched,
)
from evenkeel.reference.placement import (
    planned,
)
from evenkeel.reference.placement.round_robin import Turn


def stays(original: Function) -> Function:
    def ask(turn: Turn, candidates: Sequence[str], edition: Any) -> Any:
        _, chosen = original(turn, candidates, edition)
        return turn, chosen

    return ask


def plan_regardless(original: Function) -> Function:
    def allowed(plan: Any, bundle: str, candidates: Any, now: Any, edition: Any) -> Any:
        place = planned.find(plan, bundle, now, edition)
        if place is not None:
            return (plan[place].broker,)
        return original(plan, bundle, candidates, now, edition)

    return allowed


def choice_remembered(original: Function) -> Function:
    def settle(plan: Any, bundle: str, chosen: str, now: Any, edition: Any) -> Any:
        return planned.put(plan, bundle, chosen, now, edition)

    return settle


MUTANTS: Final = (
    defect(
        "no-candidates-to-plan-for-is-an-error",
        planned,
        "allowed",
        switched(planned_placement_needs_candidates=True),
        "Where no broker is left, the lookup fails with a division by zero.",
        "SH27",
    ),
    defect(
        "plans-for-departed-brokers",
        planned,
        "allowed",
        plan_regardless,
        "A bundle is given to the planned broker although that one is gone.",
    ),
    equivalent(
        "choices-planned",
        planned,
        "settle",
        choice_remembered,
        "A choice by chance stays the bundle's plan.",
    ),
)
