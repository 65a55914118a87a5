"""Theorems: what a cut leaves as it was, and what it makes (SPL-16 to SPL-18)."""

from __future__ import annotations

from typing import Final

import z3

from evenkeel.models.bundles.boundaries.terms import Divided, any_boundaries
from evenkeel.models.splitting.applying.terms import (
    arguments,
    cut_by_reference,
    cut_by_rule,
    with_cut,
)
from evenkeel.models.terms import is_hash
from evenkeel.properties.splitting.applying import ApplyTrial
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel_engine.proofs.assumptions import Assumption, Step, case, hypothesis
from evenkeel_engine.proofs.terms import Model, Scope, Term, either, number
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

P: Final = any_boundaries()
T, C, H, K = z3.Ints("t c h k")
CROSS_CHECKS: Final = (
    CrossCheck("boundaries after a split", arguments, cut_by_rule, cut_by_reference),
)


def has_room() -> Term:
    """Bundle T can be cut: a hash lies between its ends."""
    return P.at(T + 1) - P.at(T) > 1


def stays_legal(q: Divided) -> Term:
    """The ends are right, and boundary K is below the next."""
    return z3.And(q.ends(), z3.Implies(q.index(K), q.at(K) < q.at(K + 1)))


# -------------------------------------------------------------------------------- one cut


def one_cut(scope: Scope) -> tuple[Term, ...]:
    """Legal boundaries, one of their bundles, and a cut strictly inside it."""
    return (*P.legal(scope), P.index(T), z3.And(P.at(T) < C, C < P.at(T + 1)))


def one_legal_cut(scope: Scope) -> Assumption:
    """What the theorems are about."""
    return hypothesis("legal boundaries (BUN-2), a cut strictly inside one bundle", *one_cut(scope))


def lower_end_step(scope: Scope) -> Step:
    """The new boundaries are legal, if a cut may lie at the lower end."""
    loose = z3.And(P.at(T) <= C, C < P.at(T + 1), has_room())
    return Step("legal", (*P.legal(scope), P.index(T), loose), stays_legal(with_cut(P, T, C)))


def target_steps(scope: Scope) -> tuple[Step, ...]:
    """Every other bundle is a bundle still; the target's hashes are in one child each."""
    q = with_cut(P, T, C)
    cut = (one_legal_cut(scope), hypothesis("any hash", is_hash(H)))
    boundary = case("any boundary", 0 <= K, K <= P.count)
    same = z3.If(K < T, K, K + 1)
    place = z3.If(K <= T, K, K + 1)
    unchanged = z3.And(q.at(same) == P.at(K), q.at(same + 1) == P.at(K + 1), q.holds(same, H))
    old = z3.Or(q.at(K) == P.at(K), z3.And(K > 0, q.at(K) == P.at(K - 1)))
    return (
        Step("others stay", (*cut, case("another bundle", K != T, P.holds(K, H))), unchanged),
        Step(
            "one child",
            (*cut, case("the target holds it", P.holds(T, H))),
            either(q.holds(T, H), q.holds(T + 1, H)),
        ),
        Step(
            "no more",
            (*cut, case("a child holds it", z3.Or(q.holds(T, H), q.holds(T + 1, H)))),
            P.holds(T, H),
        ),
        Step("no boundary is lost", (*cut, boundary), q.at(place) == P.at(K)),
        Step(
            "none but the cut is new",
            (*cut, case("any new boundary", 0 <= K, K <= q.count)),
            z3.Or(q.at(K) == C, old),
        ),
    )


def replaced_step(scope: Scope) -> Step:
    """No boundary is lost, by the broken split."""
    q = Divided(lambda i: z3.If(i == T + 1, C, P.at(i)), P.count)
    unchanged = z3.Or([q.at(k) == P.at(K) for k in range((scope.limit or 1) + 1)])
    return Step("no boundary is lost", (*one_cut(scope), 0 <= K, K <= P.count), unchanged)


def target_of(model: Model) -> HashRange:
    """The bundle that a model cuts."""
    return HashRange(number(model, P.at(T)), number(model, P.at(T + 1)))


def one_cut_trial(model: Model) -> ApplyTrial:
    """The boundaries, the bundle and the cut of a model."""
    return ApplyTrial(P.values(model), target_of(model), (number(model, C),))


A_CUT_KEEPS_BOUNDARIES_LEGAL: Final = Theorem(
    name="a-cut-keeps-boundaries-legal",
    chapter="splitting",
    clauses=("SPL-16", "SPL-18"),
    statement="A cut c with p_t < c < p_{t+1}, put between the two, leaves boundaries that "
    "strictly increase from 0 to 2^32 - 1.",
    bound="any number of bundles, any bundle, any cut inside it",
    steps=lambda scope: (Step("legal", (one_legal_cut(scope),), stays_legal(with_cut(P, T, C))),),
    mutant=ReferenceMutant(
        broken="empty-bundles-made",
        sentence="A position may lie at the lower end of the bundle.",
        step=lower_end_step,
        trial=one_cut_trial,
        question="splitting.apply",
    ),
    cross_checks=CROSS_CHECKS,
)

A_CUT_CHANGES_ITS_TARGET_ONLY: Final = Theorem(
    name="a-cut-changes-its-target-only",
    chapter="splitting",
    clauses=("SPL-16", "SPL-17"),
    statement="After a cut of bundle t every other bundle is there with the same ends and hashes, "
    "each hash of t is in exactly one of two children, which hold no other hash, and the "
    "boundaries are the old ones and the cut.",
    bound="any number of bundles, any bundle, any cut inside it, every hash",
    steps=target_steps,
    mutant=ReferenceMutant(
        broken="neighbour-merged",
        sentence="The cut takes the place of the bundle's upper end.",
        step=replaced_step,
        trial=one_cut_trial,
        question="splitting.apply",
    ),
    cross_checks=CROSS_CHECKS,
)

THEOREMS: Final = (A_CUT_KEEPS_BOUNDARIES_LEGAL, A_CUT_CHANGES_ITS_TARGET_ONLY)
