from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    defect,
    equivalent,
)
from evenkeel.reference.placement import (
    planned,
    round_robin,
)
from evenkeel.reference.placement.round_robin import Turn


def old_list(original: Function) -> Function:
    def ask(turn: Turn, candidates: Sequence[str], edition: Any) -> Any:
        if turn.order and candidates:
            return original(turn, turn.order, edition)
        return original(turn, candidates, edition)

    return ask


def by_name(original: Function) -> Function:
    return lambda turn, candidates, edition: original(turn, sorted(candidates), edition)


def remainder_by_none(original: Function) -> Function:
    def ask(turn: Turn, candidates: Sequence[str], edition: Any) -> Any:
        if not candidates:
            raise planned.DividedByNone("no candidates")
        return original(turn, candidates, edition)

    return ask


def _from_the_second(original: Function) -> Function:
    def ask(turn: Turn, candidates: Sequence[str], edition: Any) -> Any:
        if frozenset(turn.order) != frozenset(candidates):
            candidates = (*candidates[1:], *candidates[:1])
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
        "departed-brokers-have-turns",
        round_robin,
        "ask",
        old_list,
        "A broker that is no longer a candidate is chosen when its turn comes.",
    ),
    equivalent(
        "turns-by-name",
        round_robin,
        "ask",
        by_name,
        "Turns go in the order of names.",
    ),
    equivalent(
        "turns-begin-elsewhere",
        round_robin,
        "ask",
        _from_the_second,
        "The first turn is the second candidate's.",
    ),
)
