from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    defect,
    equivalent,
    switched,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.placement import (
    planned,
    round_robin,
)
from evenkeel.reference.placement.round_robin import Turn


def stays(original: Function) -> Function:
    def ask(turn: Turn, candidates: Sequence[str], edition: Any) -> Any:
        _, chosen = original(turn, candidates, edition)
        return turn, chosen

    return ask


def restarts_each_time(original: Function) -> Function:
    def ask(turn: Turn, candidates: Sequence[str], edition: Any) -> Any:
        after, chosen = original(turn, candidates, edition)
        return (Turn(after.counter, ()) if after.counter % 7 == 3 else after), chosen

    return ask


def old_list(original: Function) -> Function:
    def ask(turn: Turn, candidates: Sequence[str], edition: Any) -> Any:
        if turn.order and candidates:
            return original(turn, turn.order, edition)
        return original(turn, candidates, edition)

    return ask


def by_name(original: Function) -> Function:
    return lambda turn, candidates, edition: original(turn, sorted(candidates), edition)


def another(original: Function) -> Function:
    def allowed(plan: Any, bundle: str, candidates: Any, now: Any, edition: Any) -> Any:
        found = original(plan, bundle, candidates, now, edition)
        others = tuple(b for b in sorted(candidates) if b not in found)
        return others if len(found) == 1 and others else found

    return allowed


def remainder_by_none(original: Function) -> Function:
    def ask(turn: Turn, candidates: Sequence[str], edition: Any) -> Any:
        if not candidates:
            raise planned.DividedByNone("no candidates")
        return original(turn, candidates, edition)

    return ask


MUTANTS: Final = (
    defect(
        "no-turns-is-an-error",
        round_robin,
        "ask",
        remainder_by_none,
        "Where no broker is left, the lookup fails with a division by zero.",
        "SH27",
    ),
    defect(
        "always-the-same-turn",
        round_robin,
        "ask",
        stays,
        "The turn never passes on.",
    ),
    defect(
        "turns-start-again",
        round_robin,
        "ask",
        restarts_each_time,
        "Now and then the first broker has another turn.",
    ),
    defect(
        "departed-brokers-have-turns",
        round_robin,
        "ask",
        old_list,
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
    equivalent(
        "turns-by-name",
        round_robin,
        "ask",
        by_name,
        "Turns go in the order of names.",
    ),
)
