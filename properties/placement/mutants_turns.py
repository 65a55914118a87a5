"""Mutants of round robin and of AvgShedder's plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.placement.mutant_maker import (
    Function,
    correct,
    defect,
    switched,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.placement import (
    planned,
    round_robin,
)
from evenkeel.reference.placement.round_robin import Turn


def _stays(original: Function) -> Function:
    def ask(turn: Turn, candidates: Sequence[str], edition: Any) -> Any:
        _, chosen = original(turn, candidates, edition)
        return turn, chosen

    return ask


def _restarts_each_time(original: Function) -> Function:
    def ask(turn: Turn, candidates: Sequence[str], edition: Any) -> Any:
        after, chosen = original(turn, candidates, edition)
        return (Turn(after.counter, ()) if after.counter % 7 == 3 else after), chosen

    return ask


def _old_list(original: Function) -> Function:
    def ask(turn: Turn, candidates: Sequence[str], edition: Any) -> Any:
        if turn.order and candidates:
            return original(turn, turn.order, edition)
        return original(turn, candidates, edition)

    return ask


def _by_name(original: Function) -> Function:
    return lambda turn, candidates, edition: original(turn, sorted(candidates), edition)


def _plan_by_statistics(original: Function) -> Function:
    def find(plan: Any, bundle: str, now: Any, edition: Any) -> Any:
        return original(plan, bundle, now, replace(edition, plans_keyed_by_value=True))

    return find


def _plan_regardless(original: Function) -> Function:
    def allowed(plan: Any, bundle: str, candidates: Any, now: Any, edition: Any) -> Any:
        place = planned.find(plan, bundle, now, edition)
        if place is not None:
            return (plan[place].broker,)
        return original(plan, bundle, candidates, now, edition)

    return allowed


def _another(original: Function) -> Function:
    def allowed(plan: Any, bundle: str, candidates: Any, now: Any, edition: Any) -> Any:
        found = original(plan, bundle, candidates, now, edition)
        others = tuple(b for b in sorted(candidates) if b not in found)
        return others if len(found) == 1 and others else found

    return allowed


def _kept(original: Function) -> Function:
    return lambda plan, *arguments: plan


def _choice_remembered(original: Function) -> Function:
    def settle(plan: Any, bundle: str, chosen: str, now: Any, edition: Any) -> Any:
        return planned.put(plan, bundle, chosen, now, edition)

    return settle


def _remainder_by_none(original: Function) -> Function:
    def ask(turn: Turn, candidates: Sequence[str], edition: Any) -> Any:
        if not candidates:
            raise planned.DividedByNone("no candidates")
        return original(turn, candidates, edition)

    return ask


TURNS: Final[tuple[Mutant, ...]] = (
    defect(
        "no-turns-is-an-error",
        round_robin,
        "ask",
        _remainder_by_none,
        "Where no broker is left, the lookup fails with a division by zero.",
        "SH27",
    ),
    defect(
        "no-candidates-to-plan-for-is-an-error",
        planned,
        "allowed",
        switched(planned_placement_needs_candidates=True),
        "Where no broker is left, the lookup fails with a division by zero.",
        "SH27",
    ),
    defect(
        "always-the-same-turn",
        round_robin,
        "ask",
        _stays,
        "The turn never passes on.",
    ),
    defect(
        "turns-start-again",
        round_robin,
        "ask",
        _restarts_each_time,
        "Now and then the first broker has another turn.",
    ),
    defect(
        "departed-brokers-have-turns",
        round_robin,
        "ask",
        _old_list,
        "A broker that is no longer a candidate is chosen when its turn comes.",
    ),
    defect(
        "round-robin-as-documented",
        round_robin,
        "ask",
        switched(round_robin_by_counter=False),
        "Turns go round although the candidates change, unlike in 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "round-robin-counts-to-64-bits",
        round_robin,
        "next_count",
        lambda _: lambda counter: counter + 1,
        "After 2^31 asks turns go on where those of 4.0 skip.",
        edition=PULSAR_4_0,
    ),
    defect(
        "plans-shared-by-equal-bundles",
        planned,
        "find",
        _plan_by_statistics,
        "A bundle follows another one with the same statistics.",
    ),
    defect(
        "plans-for-departed-brokers",
        planned,
        "allowed",
        _plan_regardless,
        "A bundle is given to the planned broker although that one is gone.",
    ),
    defect(
        "plans-not-kept",
        planned,
        "put",
        _kept,
        "What the shedder planned is not what placement does.",
    ),
    defect(
        "plans-avoided",
        planned,
        "allowed",
        _another,
        "A bundle goes anywhere but where it was planned.",
    ),
    defect(
        "plans-by-name-in-4-0",
        planned,
        "find",
        switched(plans_keyed_by_value=False),
        "Every bundle has a plan of its own, unlike in 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "choices-not-planned-in-4-0",
        planned,
        "settle",
        _kept,
        "A choice by chance is not the plan afterwards, unlike in 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "no-candidates-answered-in-4-0",
        planned,
        "allowed",
        switched(planned_placement_needs_candidates=False),
        "No candidates are nobody, unlike in 4.0.",
        edition=PULSAR_4_0,
    ),
    correct(
        "turns-by-name",
        round_robin,
        "ask",
        _by_name,
        "Turns go in the order of names.",
    ),
    correct(
        "choices-planned",
        planned,
        "settle",
        _choice_remembered,
        "A choice by chance stays the bundle's plan.",
    ),
)
