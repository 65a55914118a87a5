"""Theorems: several cuts at once, and the one place where none is possible (SPL-16 to SPL-19)."""

from __future__ import annotations

from typing import Final

import z3

from evenkeel.models.splitting.applying.cut_changes_target_only import (
    CROSS_CHECKS,
    C,
    H,
    K,
    P,
    T,
    has_room,
    target_of,
)
from evenkeel.models.splitting.applying.terms import with_cut, with_cuts
from evenkeel.models.terms import is_hash
from evenkeel.properties.splitting.applying import ApplyTrial
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, numbers, sequence
from evenkeel_engine.proofs.theorem import ReferenceMutant, Theorem

CUTS: Final = sequence("cut")
M: Final = z3.Int("m")


def cuts_in(scope: Scope) -> tuple[Term, ...]:
    """Legal boundaries, one of their bundles, and one or more cuts strictly inside it."""
    inside = scope.for_all(0, M - 1, lambda k: z3.And(P.at(T) < CUTS(k), CUTS(k) < P.at(T + 1)))
    return (*P.legal(scope), P.index(T), M >= 1, scope.size(M), inside)


def steps(scope: Scope) -> tuple[Step, ...]:
    """What one cut does, several do.

    That each hash of the target is in exactly one child follows from the first step by the
    theorems about legal boundaries.
    """
    q = with_cuts(P, T, CUTS, M)
    ordered = scope.for_pairs(0, M - 1, lambda j, k: CUTS(j) < CUTS(k))
    cut = (
        hypothesis(
            "legal boundaries (BUN-2), several cuts in one bundle, in order",
            *cuts_in(scope),
            ordered,
        ),
    )
    same = z3.If(K < T, K, K + M)
    child = z3.And(T <= K, K <= T + M)
    return (
        Step("the ends", cut, q.ends()),
        Step("order", (*cut, case("any bundle", q.index(K))), q.at(K) < q.at(K + 1)),
        Step(
            "others stay",
            (*cut, case("another bundle holds the hash", is_hash(H), K != T, P.holds(K, H))),
            z3.And(q.at(same) == P.at(K), q.at(same + 1) == P.at(K + 1), q.holds(same, H)),
        ),
        Step(
            "children lie in the target",
            (*cut, case("a child", child)),
            z3.And(P.at(T) <= q.at(K), q.at(K + 1) <= P.at(T + 1)),
        ),
        Step(
            "every cut is a boundary",
            (*cut, case("any cut", 0 <= K, K < M)),
            q.at(T + 1 + K) == CUTS(K),
        ),
    )


def repeated_step(scope: Scope) -> Step:
    """The new boundaries strictly increase, if a cut may be given twice."""
    q = with_cuts(P, T, CUTS, M)
    ordered = scope.for_pairs(0, M - 1, lambda j, k: CUTS(j) <= CUTS(k))
    return Step("order", (*cuts_in(scope), ordered, q.index(K)), q.at(K) < q.at(K + 1))


def several_trial(model: Model) -> ApplyTrial:
    """The boundaries, the bundle and the cuts of a model."""
    return ApplyTrial(P.values(model), target_of(model), numbers(model, CUTS, number(model, M)))


SEVERAL_CUTS: Final = Theorem(
    name="several-cuts",
    chapter="splitting",
    clauses=("SPL-16", "SPL-17", "SPL-19"),
    statement="Any number of different cuts strictly inside bundle t, put in in order, leaves "
    "legal boundaries, all other bundles as they were, and children that lie in t.",
    bound="any number of bundles and cuts, any bundle, every hash",
    steps=steps,
    mutant=ReferenceMutant(
        broken="empty-bundles-made",
        sentence="A position that is given twice is put in twice.",
        step=repeated_step,
        trial=several_trial,
        question="splitting.apply",
    ),
    cross_checks=CROSS_CHECKS,
)


# ------------------------------------------------------------------------ the last two hashes


def last_hashes_steps(scope: Scope) -> tuple[Step, ...]:
    """The last bundle holds both, before and after any cut."""
    legal = hypothesis("legal boundaries (BUN-2)", *P.legal(scope))
    cut = (legal, hypothesis("a cut inside a bundle", P.index(T), P.at(T) < C, C < P.at(T + 1)))
    q = with_cut(P, T, C)
    last = q.count - 1
    before = P.count - 1
    return (
        Step(
            "legal boundaries",
            (legal,),
            z3.And(P.holds(before, TOP_HASH - 1), P.holds(before, z3.IntVal(TOP_HASH))),
        ),
        Step(
            "after a cut",
            cut,
            z3.And(q.holds(last, TOP_HASH - 1), q.holds(last, z3.IntVal(TOP_HASH))),
        ),
    )


def cut_at_last_step(scope: Scope) -> Step:
    """Bundles are disjoint, if the last one may be cut at the last hash."""
    loose = z3.And(P.at(T) < C, C <= P.at(T + 1), T == P.count - 1, has_room())
    q = with_cut(P, T, C)
    both = z3.And(q.holds(T, z3.IntVal(TOP_HASH)), q.holds(T + 1, z3.IntVal(TOP_HASH)))
    return Step("disjoint", (*P.legal(scope), P.index(T), loose), z3.Not(both))


THE_LAST_TWO_HASHES: Final = Theorem(
    name="the-last-two-hashes",
    chapter="splitting",
    clauses=("SPL-2", "SPL-18"),
    statement="0xfffffffe and 0xffffffff are in the last bundle of all legal boundaries, after any "
    "cut too: no split ever parts them.",
    bound="any number of bundles, any bundle, any cut inside it",
    steps=last_hashes_steps,
    mutant=ReferenceMutant(
        broken="anything-is-applied",
        sentence="The last bundle may be cut at 0xffffffff, which it includes.",
        step=cut_at_last_step,
        trial=lambda model: ApplyTrial(P.values(model), target_of(model), (number(model, C),)),
        question="splitting.apply",
    ),
    cross_checks=CROSS_CHECKS,
)

THEOREMS: Final = (SEVERAL_CUTS, THE_LAST_TWO_HASHES)
