"""Theorems: where `flow_or_qps_equally_divide` puts a cut between two topics (SPL-14, SPL-15)."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.models import samples
from evenkeel.models.bundles.boundaries.terms import contains
from evenkeel.models.splitting.algorithms.cuts_strictly_inside import (
    L,
    U,
    between,
    bundle_of,
    can_part,
    is_bundle,
    middle,
    strictly_between,
)
from evenkeel.models.splitting.trial_parts import LIMITS, flow_trial
from evenkeel.models.terms import is_hash
from evenkeel.properties.splitting.positions import PositionsTrial
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel.reference.splitting.algorithms import flow_cut
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

A, B = z3.Ints("left right")
C, D = z3.Ints("next_left next_right")


def pulsar_cut(left: Term, right: Term) -> Term:
    """One hash right of half-way."""
    return middle(left, right) + 1


def neighbours() -> tuple[Term, ...]:
    """Two topics of a bundle, the left one first; equal hashes are possible."""
    return (is_bundle(L, U), contains(L, U, A), contains(L, U, B), A <= B)


def parts(position: Term) -> Term:
    """The left topic is left of the position, the right one is not."""
    return z3.And(A < position, position <= B)


def documented_steps(scope: Scope) -> tuple[Step, ...]:
    """The cut is legal, half-way, and below any later one."""
    here = hypothesis("two neighbouring topics of a bundle", *neighbours())
    possible = (here, case("a hash parts them", can_part(A, B)))
    later = case("a pair further on", can_part(A, B), B <= C, can_part(C, D))
    cut = between(A, B)
    off = 2 * cut - (A + B)
    return (
        Step("parted", possible, parts(cut)),
        Step("inside", possible, strictly_between(L, cut, U)),
        Step("half-way", possible, z3.And(-1 <= off, off <= 1)),
        Step("increasing", (later,), cut < between(C, D)),
    )


def pulsar_steps(scope: Scope) -> tuple[Step, ...]:
    """As above, and what becomes of topics with one hash."""
    here = hypothesis("two neighbouring topics of a bundle", *neighbours())
    apart = case("two hashes", A < B)
    same = case("one hash", A == B)
    cut = pulsar_cut(A, B)
    at_end = z3.And(B == TOP_HASH, 1 <= B - A, B - A <= 2)
    collision_at_end = z3.And(A == B, A >= U - 1)
    return (
        Step("parted", (here, apart), parts(cut)),
        Step("collision", (here, same), z3.And(cut == A + 1, z3.Not(parts(cut)))),
        Step(
            "inside",
            (here,),
            z3.Not(strictly_between(L, cut, U)) == z3.Or(at_end, collision_at_end),
        ),
        Step(
            "increasing", (case("a pair further on", A < B, B <= C, C < D),), cut < pulsar_cut(C, D)
        ),
        Step(
            "repeated after a collision",
            (case("three topics of one hash", is_hash(A), A == B, B == C, C <= D, D <= C + 1),),
            cut == pulsar_cut(C, D),
        ),
    )


def pulsar_step(scope: Scope) -> Step:
    """Pulsar's cut between two topics that can be parted lies inside."""
    return Step("inside", (*neighbours(), can_part(A, B)), strictly_between(L, pulsar_cut(A, B), U))


def documented_step(scope: Scope) -> Step:
    """The documented cut lies outside where Pulsar's does."""
    outside = z3.And(B == TOP_HASH, 1 <= B - A, B - A <= 2)
    cut = between(A, B)
    assumptions = (*neighbours(), can_part(A, B), outside)
    return Step("inside", assumptions, z3.Not(strictly_between(L, cut, U)))


def trial_of(model: Model) -> PositionsTrial:
    """Two topics that one bundle cannot carry, with the hashes of the model."""
    rates = [(number(model, A), 600.0), (number(model, B), 600.0)]
    return flow_trial(bundle_of(model), rates, LIMITS)


def different_hashes(random: Random) -> tuple[int, int]:
    """Two hashes, the lower one first."""
    bundle = samples.bundle(random)
    return bundle.lower, bundle.upper


def any_hashes(random: Random) -> tuple[int, int]:
    """Two hashes, the lower one first, or twice the same."""
    left, right = different_hashes(random)
    return left, random.choice((left, right))


FLOW_CUT: Final = Theorem(
    name="flow-cut",
    chapter="splitting",
    clauses=("SPL-2", "SPL-14"),
    statement="Between different hashes l < r that are not the last two, the documented cut "
    "max(l + floor((r - l) / 2), l + 1) lies strictly inside the bundle, has l on its left and r "
    "on its right, and is at most half a hash off the middle; later cuts are higher.",
    bound="every bundle, every two topics that can be parted",
    steps=documented_steps,
    mutant=ReferenceMutant(
        broken="PULSAR_4_0",
        sentence="The cut is one hash right of half-way, for the last hash at the bundle's end.",
        step=pulsar_step,
        trial=trial_of,
        question="splitting.positions",
    ),
    cross_checks=(
        CrossCheck(
            "documented flow cut",
            different_hashes,
            partial(run, between),
            partial(flow_cut, edition=DOCUMENTED),
        ),
    ),
)

FLOW_CUT_IN_PULSAR: Final = Theorem(
    name="flow-cut-in-pulsar",
    chapter="splitting",
    clauses=("SPL-15",),
    statement="Pulsar's cut l + floor((r - l) / 2) + 1 parts l < r. For l = r it is l + 1, parts "
    "nothing, and is repeated if the next topic is at most one hash away. It does not lie "
    "strictly inside [L, U) exactly if r = 0xffffffff and r - l is 1 or 2, or l = r >= U - 1.",
    bound="every bundle, every two topics",
    steps=pulsar_steps,
    mutant=ReferenceMutant(
        broken="DOCUMENTED",
        sentence="The cut is half-way, inside the bundle for the last hash, too.",
        step=documented_step,
        trial=trial_of,
        question="splitting.positions",
        right=PULSAR_4_0,
    ),
    cross_checks=(
        CrossCheck(
            "Pulsar's flow cut",
            any_hashes,
            partial(run, pulsar_cut),
            partial(flow_cut, edition=PULSAR_4_0),
        ),
    ),
)

THEOREMS: Final = (FLOW_CUT, FLOW_CUT_IN_PULSAR)
