"""Boundaries after a split, as terms: any number of cuts put into any one bundle.

`apply_positions` of the reference is the same rule on numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import z3

from evenkeel.models import samples
from evenkeel.models.bundles.boundaries.terms import Divided
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting.applying import apply_positions
from evenkeel_engine.proofs.terms import Indexed, Term, evaluate, make_list


def with_cuts(p: Divided, target: Term, cuts: Indexed, count: Term) -> Divided:
    """Bundle `target` of p cut at `cuts(0)` … `cuts(count - 1)`, which are in order.

    Boundaries up to the target's lower end stay where they are; the cuts follow; all others move
    up by the number of cuts.
    """

    def at(i: Term) -> Term:
        moved = z3.If(i <= target + count, cuts(i - target - 1), p.at(i - count))
        return z3.If(i <= target, p.at(i), moved)

    return Divided(at, p.count + count)


def with_cut(p: Divided, target: Term, cut: Term) -> Divided:
    """Bundle `target` of p cut once."""
    return with_cuts(p, target, lambda _: cut, z3.IntVal(1))


def values_of(p: Divided) -> tuple[int, ...]:
    """Boundaries whose terms have no unknowns, as numbers."""
    return tuple(evaluate(p.at(z3.IntVal(i))) for i in range(evaluate(p.count) + 1))


def to_terms(boundaries: Sequence[int]) -> Divided:
    """Known boundaries as terms."""
    return Divided(make_list(boundaries), z3.IntVal(len(boundaries) - 1))


def cut_by_rule(
    boundaries: Sequence[int], target: HashRange, positions: Sequence[int]
) -> tuple[int, ...]:
    """Positions put in in order, each once."""
    cuts = sorted(set(positions))
    index = z3.IntVal(list(boundaries).index(target.lower))
    return values_of(with_cuts(to_terms(boundaries), index, make_list(cuts), z3.IntVal(len(cuts))))


def cut_by_reference(
    boundaries: Sequence[int], target: HashRange, positions: Sequence[int]
) -> tuple[int, ...]:
    """The reference on the same arguments."""
    return apply_positions(boundaries, target, positions, DOCUMENTED)


def arguments(random: Random) -> tuple[tuple[int, ...], HashRange, tuple[int, ...]]:
    """Boundaries, a bundle of them that can be cut, and positions inside it in any order."""
    while True:
        boundaries = samples.boundaries(random)
        index = random.randrange(len(boundaries) - 1)
        target = HashRange(boundaries[index], boundaries[index + 1])
        if target.upper - target.lower > 1:
            break
    positions: list[int] = []
    for _ in range(random.randint(1, 4)):
        sample = samples.hash_near(random, target.lower + 1, target.upper - 1, *positions)
        positions.append(min(max(sample, target.lower + 1), target.upper - 1))
    return boundaries, target, tuple(positions)
