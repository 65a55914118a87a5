"""Theorems: where `range_equally_divide` and `specified_positions_divide` cut (SPL-1 to 4, 8)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import z3

from evenkeel.models import samples
from evenkeel.models.splitting.trial_parts import range_trial, specified_trial
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting.algorithms import range_positions, specified_positions
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import (
    Model,
    Scope,
    Term,
    evaluate,
    half,
    number,
    numbers,
    run,
    sequence,
)
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

L, U, K, J, W, BEFORE = z3.Ints("lower upper k j w before")


def is_bundle(lower: Term, upper: Term) -> Term:
    """The ends of a bundle."""
    return z3.And(0 <= lower, lower < upper, upper <= TOP_HASH)


def strictly_between(lower: Term, position: Term, upper: Term) -> Term:
    """The position can be applied."""
    return z3.And(lower < position, position < upper)


def can_part(left: Term, right: Term) -> Term:
    """A legal cut can have one hash on its left and the other on its right."""
    return z3.And(left < right, left < TOP_HASH - 1)


def between(left: Term, right: Term) -> Term:
    """Half-way, rounded down, but right of the left hash."""
    return z3.If(middle(left, right) > left, middle(left, right), left + 1)


def middle(lower: Term, upper: Term) -> Term:
    """Half-way, rounded down."""
    return lower + half(upper - lower)


def bundle_of(model: Model) -> HashRange:
    """The bundle of a model."""
    return HashRange(number(model, L), number(model, U))


# -------------------------------------------------------------------- range_equally_divide


def can_be_cut(lower: Term, upper: Term) -> Term:
    """Some hash lies strictly between the ends."""
    return upper - lower >= 2


def range_steps(scope: Scope) -> tuple[Step, ...]:
    """Where the cut lies, and what is left and right of it."""
    cut = middle(L, U)
    last = z3.If(U == TOP_HASH, 1, 0)
    left, right = cut - L, U - cut + last
    bundle = hypothesis("a bundle's range", is_bundle(L, U))
    return (
        Step("inside", (bundle,), strictly_between(L, cut, U) == can_be_cut(L, U)),
        Step(
            "equal",
            (bundle, case("it can be cut", can_be_cut(L, U))),
            right - left == (U - L) % 2 + last,
        ),
    )


def range_by_rule(bundle: HashRange) -> tuple[int, ...]:
    """The rule of the theorem, executed."""
    if not run(can_be_cut, bundle.lower, bundle.upper):
        return ()
    return (run(middle, bundle.lower, bundle.upper),)


RANGE_CUT: Final = Theorem(
    name="range-cut",
    chapter="splitting",
    clauses=("SPL-1", "SPL-2", "SPL-3", "SPL-4"),
    statement="L + floor((U - L) / 2) lies strictly inside the bundle exactly if U - L >= 2. The "
    "right part is then larger by (U - L) mod 2, and by one more hash in the last bundle.",
    bound="every bundle",
    steps=range_steps,
    mutant=ReferenceMutant(
        broken="range-without-room",
        sentence="Every bundle is cut in the middle, even one without a hash between its ends.",
        step=lambda scope: Step("inside", (is_bundle(L, U),), strictly_between(L, middle(L, U), U)),
        trial=lambda model: range_trial(bundle_of(model)),
        question="splitting.positions",
    ),
    cross_checks=(
        CrossCheck(
            "cut in the middle",
            lambda random: (samples.bundle(random),),
            range_by_rule,
            lambda bundle: range_positions(bundle, DOCUMENTED),
        ),
    ),
)


# -------------------------------------------------------------- specified_positions_divide

GIVEN: Final = sequence("given")
M: Final = z3.Int("m")


def is_used(i: Term, lower: Term, upper: Term) -> Term:
    """Given position i is used: it can be applied and is not the same as the one before it."""
    new = z3.Or(i == 0, GIVEN(i - 1) != GIVEN(i))
    return z3.And(0 <= i, i < M, strictly_between(lower, GIVEN(i), upper), new)


def is_found(place: Term, found: Term) -> Term:
    """If a given position can be applied, this one is used, and is the same."""
    usable = strictly_between(L, GIVEN(place), U)
    return z3.Implies(usable, z3.And(is_used(found, L, U), GIVEN(found) == GIVEN(place)))


def specified_steps(scope: Scope) -> tuple[Step, ...]:
    """About given positions in ascending order, any number of them.

    That a usable position is not lost goes by induction: `w` is the position that is used for
    the one before.
    """
    ordered = scope.for_pairs(0, M - 1, lambda i, j: GIVEN(i) <= GIVEN(j))
    given = hypothesis(
        "a bundle's range; one or more positions, in ascending order",
        is_bundle(L, U),
        M >= 1,
        scope.size(M),
        ordered,
    )
    used = case("one is used", is_used(K, L, U))
    two = case("two are used", is_used(K, L, U), is_used(J, L, U), K < J)
    first = z3.IntVal(0)
    return (
        Step("inside", (given, used), strictly_between(L, GIVEN(K), U)),
        Step("in order", (given, two), GIVEN(K) < GIVEN(J)),
        Step("the first is used", (given,), is_found(first, first)),
        Step(
            "each is used once",
            (
                given,
                case("a further one", BEFORE >= 0, K == BEFORE + 1, K < M),
                lemma(("the first is used", "each is used once"), is_found(BEFORE, W)),
            ),
            is_found(K, z3.If(is_used(K, L, U), K, W)),
        ),
    )


def lower_end_counts_step(scope: Scope) -> Step:
    """What is used can be applied, if the lower end counts as inside."""
    between = z3.And(L <= GIVEN(K), GIVEN(K) < U)
    place = (M == 1, K == 0)
    return Step("inside", (is_bundle(L, U), *place, between), strictly_between(L, GIVEN(K), U))


def specified_arguments(random: Random) -> tuple[HashRange, tuple[int, ...]]:
    """A bundle and positions in and around it."""
    bundle = samples.bundle(random)
    positions = [samples.hash_near(random, bundle.lower, bundle.upper)]
    for _ in range(random.randrange(5)):
        positions.append(samples.hash_near(random, bundle.lower, bundle.upper, *positions))
    return bundle, tuple(positions)


def specified_by_rule(bundle: HashRange, positions: Sequence[int]) -> tuple[int, ...]:
    """The rule of the theorem, executed on the positions in order."""
    ordered = sorted(positions)
    known = [(GIVEN(z3.IntVal(i)), z3.IntVal(p)) for i, p in enumerate(ordered)]
    known.append((M, z3.IntVal(len(ordered))))

    def used_at(i: int) -> bool:
        rule = is_used(z3.IntVal(i), z3.IntVal(bundle.lower), z3.IntVal(bundle.upper))
        return bool(evaluate(z3.substitute(z3.simplify(rule), *known)))

    return tuple(p for i, p in enumerate(ordered) if used_at(i))


SPECIFIED_POSITIONS: Final = Theorem(
    name="specified-positions",
    chapter="splitting",
    clauses=("SPL-2", "SPL-8"),
    statement="Of positions in ascending order, those that lie strictly inside and differ from the "
    "one before are strictly increasing, can all be applied, and leave out no value that can.",
    bound="any number of given positions, every bundle",
    steps=specified_steps,
    mutant=ReferenceMutant(
        broken="lower-end-is-inside",
        sentence="A position at the lower end of the bundle is used, too.",
        step=lower_end_counts_step,
        trial=lambda model: specified_trial(bundle_of(model), numbers(model, GIVEN, 1)),
        question="splitting.positions",
    ),
    cross_checks=(
        CrossCheck(
            "positions that are used",
            specified_arguments,
            specified_by_rule,
            lambda bundle, given: specified_positions(bundle, 0, given, True, DOCUMENTED),
        ),
    ),
)

THEOREMS: Final = (RANGE_CUT, SPECIFIED_POSITIONS)
