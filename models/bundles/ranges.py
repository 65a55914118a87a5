"""Theorems: every hash is held by a bundle, and by no other (BUN-15 to BUN-17)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import z3

from evenkeel.models import samples
from evenkeel.models.bundles.boundaries.terms import any_boundaries, contains
from evenkeel.models.terms import is_hash
from evenkeel.properties.bundles.lookup import HashLookupTrial
from evenkeel.reference.bundles.boundaries import bundles_of
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

P: Final = any_boundaries()
H: Final = z3.Int("h")


def existence_steps(scope: Scope) -> tuple[Step, ...]:
    """By induction on k: every hash below p(k) is held by one of the first k bundles.

    The hypothesis is used for one unknown hash, and `w` is the bundle that it gives for it; the
    claim names the bundle that holds the hash then. So no quantifier over bundles is left.
    """
    k, w = z3.Ints("k w")
    legal = hypothesis("legal boundaries (BUN-2), any hash", *P.legal(scope), is_hash(H))
    below = z3.Implies(H < P.at(k), z3.And(w < k, P.holds(w, H)))
    below_first = z3.Implies(H < P.at(0), z3.And(w < 0, P.holds(w, H)))
    found = z3.If(H < P.at(k), w, k)
    last = case("all bundles", k == P.count)
    holder = z3.If(H == TOP_HASH, P.count - 1, w)
    return (
        Step("no bundle yet", (legal,), below_first),
        Step(
            "one more bundle",
            (
                legal,
                case("a bundle more", P.index(k)),
                lemma(("no bundle yet", "one more bundle"), below),
            ),
            z3.Implies(H < P.at(k + 1), z3.And(found < k + 1, P.holds(found, H))),
        ),
        Step("all bundles", (legal, lemma("one more bundle", below), last), P.holds(holder, H)),
    )


def uniqueness_steps(scope: Scope) -> tuple[Step, ...]:
    """Two bundles that hold one hash are the same."""
    i, j = z3.Ints("i j")
    legal = hypothesis("legal boundaries (BUN-2)", *P.legal(scope))
    held = case("two bundles hold the hash", P.holds(i, H), P.holds(j, H))
    return (Step("the same bundle", (legal, held), i == j),)


def half_open_step(scope: Scope) -> Step:
    """Some half-open range holds the hash."""
    held = [
        z3.And(P.index(z3.IntVal(i)), z3.And(P.at(i) <= H, H < P.at(i + 1)))
        for i in range(scope.limit or 1)
    ]
    return Step("some bundle", (*P.legal(scope), is_hash(H)), z3.Or(held))


def closed_step(scope: Scope) -> Step:
    """Two ranges that hold one hash are the same, by the broken rule that both ends are held."""
    i, j = z3.Ints("i j")
    held = [z3.And(P.index(k), P.at(k) <= H, H <= P.at(k + 1)) for k in (i, j)]
    return Step("the same bundle", (*P.legal(scope), *held), i == j)


def trial_of(model: Model) -> HashLookupTrial:
    """The boundaries and the hash of a model."""
    return HashLookupTrial(P.values(model), number(model, H))


def holders_by_rule(boundaries: Sequence[int], hash_: int) -> tuple[HashRange, ...]:
    """Every bundle that holds the hash, by the rule of the theorems."""
    return tuple(
        bundle
        for bundle in bundles_of(boundaries)
        if run(contains, bundle.lower, bundle.upper, hash_)
    )


def holders_by_reference(boundaries: Sequence[int], hash_: int) -> tuple[HashRange, ...]:
    """Every bundle that holds the hash, by the reference."""
    return tuple(bundle for bundle in bundles_of(boundaries) if hash_ in bundle)


CROSS_CHECKS: Final = (
    CrossCheck(
        "which bundles hold a hash",
        samples.boundaries_and_hash,
        holders_by_rule,
        holders_by_reference,
    ),
)

EVERY_HASH_IS_HELD: Final = Theorem(
    name="every-hash-is-held",
    chapter="bundles",
    clauses=("BUN-15", "BUN-16", "BUN-17"),
    statement="Legal boundaries leave no hash out: for every h from 0 to 2^32 - 1 there is an i "
    "with p_i <= h < p_{i+1}, or h = 2^32 - 1 and i = n - 1.",
    bound="any number of bundles, by induction on it; every hash",
    steps=existence_steps,
    mutant=ReferenceMutant(
        broken="PULSAR_4_0",
        sentence="The last range leaves its upper end out, as all others do.",
        step=half_open_step,
        trial=trial_of,
        question="bundles.hash_lookup",
    ),
    cross_checks=CROSS_CHECKS,
)

NO_HASH_IS_HELD_TWICE: Final = Theorem(
    name="no-hash-is-held-twice",
    chapter="bundles",
    clauses=("BUN-15", "BUN-16"),
    statement="Legal boundaries give no hash to two bundles: if bundles i and j hold h, i = j.",
    bound="any number of bundles; every hash",
    steps=uniqueness_steps,
    mutant=ReferenceMutant(
        broken="lookup-below",
        sentence="Every range includes its upper end; the first that holds the hash is taken.",
        step=closed_step,
        trial=trial_of,
        question="bundles.hash_lookup",
    ),
    cross_checks=CROSS_CHECKS,
)

THEOREMS: Final = (EVERY_HASH_IS_HELD, NO_HASH_IS_HELD_TWICE)
