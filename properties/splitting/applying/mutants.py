"""Mutants of applying positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, defect, equivalent, then
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import applying


def _unchecked(original: Function) -> Function:
    return lambda boundaries, target, positions, edition: tuple(sorted({*boundaries, *positions}))


def _any_target(original: Function) -> Function:
    return lambda boundaries, target, positions, edition: original(
        tuple(
            b
            for b in sorted({*boundaries, target.lower, target.upper})
            if not target.lower < b < target.upper
        ),
        target,
        positions,
        edition,
    )


def _merges_neighbour(original: Function) -> Function:
    return lambda boundaries, target, positions, edition: tuple(
        b for b in original(boundaries, target, positions, edition) if b != target.lower or b == 0
    )


def _refuses_repeated(original: Function) -> Function:
    def applied(
        boundaries: Sequence[int], target: HashRange, positions: Sequence[int], edition: Edition
    ) -> Any:
        if len(set(positions)) < len(positions):
            raise applying.RepeatedPosition("a position was given twice")
        return original(boundaries, target, positions, edition)

    return applied


def _refuses_another_order(original: Function) -> Function:
    def applied(
        boundaries: Sequence[int], target: HashRange, positions: Sequence[int], edition: Edition
    ) -> Any:
        if list(positions) != sorted(positions):
            raise applying.PositionOutside("a position lies below the one before")
        return original(boundaries, target, positions, edition)

    return applied


MUTANTS: Final = (
    defect(
        "anything-is-applied",
        applying,
        "apply_positions",
        _unchecked,
        "Positions are inserted wherever they are, also into other bundles.",
        "SP8",
    ),
    defect(
        "no-membership-test",
        applying,
        "apply_positions",
        _any_target,
        "Splitting a bundle that is long gone merges its successors again.",
        "SP6",
    ),
    defect(
        "neighbour-merged",
        applying,
        "apply_positions",
        _merges_neighbour,
        "The bundle below loses its end.",
    ),
    defect(
        "narrow-child-missing",
        applying,
        "children",
        then(lambda made: tuple(child for child in made if child.upper - child.lower > 1)),
        "A child of one hash is not announced, and nobody owns it.",
        "SP8",
    ),
    defect(
        "another-order-refused",
        applying,
        "apply_positions",
        _refuses_another_order,
        "Who names the positions from the highest down is refused.",
    ),
    equivalent(
        "repeated-positions-refused",
        applying,
        "apply_positions",
        _refuses_repeated,
        "A position given twice may be refused.",
    ),
)
