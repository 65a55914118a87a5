"""Theorem: it is enough that each boundary is below the next one (BUN-10)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import z3

from evenkeel.models import samples
from evenkeel.models.bundles.boundaries.terms import Divided, any_boundaries
from evenkeel.models.terms import is_hash
from evenkeel.properties.bundles.boundaries import BoundariesTrial
from evenkeel.reference.bundles.boundaries import check_boundaries
from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Scope, evaluate, make_list
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

P: Final = any_boundaries()


def steps(scope: Scope) -> tuple[Step, ...]:
    """By induction on how far apart two boundaries are."""
    i, apart = z3.Ints("i apart")
    neighbours = hypothesis(
        "each boundary is below the next", scope.size(P.count), P.neighbours_increase(scope)
    )
    far = case("any two that far apart", apart >= 1, 0 <= i, i + apart + 1 <= P.count)
    return (
        Step(
            "one apart", (neighbours, case("any two neighbours", P.index(i))), P.at(i) < P.at(i + 1)
        ),
        Step(
            "one further",
            (
                neighbours,
                far,
                lemma("one apart", P.at(i + apart) < P.at(i + apart + 1)),
                lemma(("one apart", "one further"), P.at(i) < P.at(i + apart)),
            ),
            P.at(i) < P.at(i + (apart + 1)),
        ),
    )


def weak_step(scope: Scope) -> Step:
    """Strict order, from neighbours that may be equal."""
    i = z3.Int("i")
    weak = scope.for_all(0, P.count - 1, lambda k: P.at(k) <= P.at(k + 1))
    hashes = scope.for_all(0, P.count, lambda k: is_hash(P.at(k)))
    assumptions = (scope.size(P.count), P.ends(), weak, hashes, P.index(i))
    return Step("strictly", assumptions, P.at(i) < P.at(i + 1))


def arguments(random: Random) -> tuple[tuple[int, ...]]:
    """Boundaries, legal or with one of them changed."""
    values = list(samples.boundaries(random))
    if random.randrange(2):
        values[random.randrange(len(values))] = samples.hash_near(random, *values)
    return (tuple(values),)


def is_legal(values: Sequence[int]) -> bool:
    """The rule of the theorem: the ends, and neighbours in order."""
    p = Divided(make_list(values), z3.IntVal(len(values) - 1))
    return bool(evaluate(z3.And(p.ends(), p.neighbours_increase(Scope(len(values))))))


def is_accepted(values: Sequence[int]) -> bool:
    """The reference's check."""
    try:
        check_boundaries(values, DOCUMENTED)
    except Refusal:
        return False
    return True


NEIGHBOURS_SUFFICE: Final = Theorem(
    name="neighbours-suffice",
    chapter="bundles",
    clauses=("BUN-10",),
    statement="If each boundary is below the next, each is below all later ones: "
    "p_i < p_{i+1} for all i implies p_i < p_j for all i < j.",
    bound="any number of bundles, by induction on the distance of two boundaries",
    steps=steps,
    mutant=ReferenceMutant(
        broken="boundaries-in-any-order",
        sentence="A boundary may equal the one before it.",
        step=weak_step,
        trial=lambda model: BoundariesTrial(P.values(model)),
        question="bundles.boundaries",
    ),
    cross_checks=(CrossCheck("legal boundaries", arguments, is_legal, is_accepted),),
)

THEOREMS: Final = (NEIGHBOURS_SUFFICE,)
