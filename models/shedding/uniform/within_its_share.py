"""Theorem: UniformLoadShedder moves no more than its share (SHD-21, SHD-22); that of 4.0 does.

The broken rule is that of 4.0, and what is executed with the solver's counterexample is the
reference of 4.0 itself.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.models.shedding.uniform.exceeds_by_1000 import BUDGET, LEFT, MOVED, WEIGHT, trial_of
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.shedding.uniform import ALLOWANCE, fits
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Scope, Term, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem


def may_move(weight: Term, left: Term) -> Term:
    """Whether a bundle goes while so much is left of the share."""
    return z3.And(weight > 0, weight <= left)


def share_kept(moved: Term, left: Term, budget: Term) -> Term:
    """What was moved and what is left are the share, and neither is negative."""
    return z3.And(moved + left == budget, moved >= 0, left >= 0)


def uniform_steps(scope: Scope) -> tuple[Step, ...]:
    """At first, from each bundle to the next, and the sum."""
    budget = hypothesis("a budget of 0 or more", BUDGET >= 0)
    before = (budget, lemma(("at first", "moved"), share_kept(MOVED, LEFT, BUDGET)))
    after = share_kept(MOVED + WEIGHT, LEFT - WEIGHT, BUDGET)
    return (
        Step("at first", (budget,), share_kept(z3.IntVal(0), BUDGET, BUDGET)),
        Step("moved", (*before, case("a bundle goes", may_move(WEIGHT, LEFT))), after),
        Step("the sum", before, MOVED <= BUDGET),
        Step("idle bundles stay", before, z3.Not(may_move(z3.IntVal(0), LEFT))),
    )


def uniform_mutant(scope: Scope) -> Step:
    """The rule of 4.0 with the first of two equal bundles."""
    small = (BUDGET >= 1, BUDGET <= 100, WEIGHT >= 1, MOVED == 0, LEFT == BUDGET)
    return Step("the sum", (*small, WEIGHT <= LEFT + ALLOWANCE), MOVED + WEIGHT <= BUDGET)


def weights(random: Random) -> tuple[int, int]:
    """A weight and what is left."""
    left = random.randint(0, 50)
    return max(left + random.randint(-2, 2), 0), left


def fits_documented(weight: int, left: int) -> bool:
    """Whether the reference moves the bundle."""
    return fits(float(weight), left, DOCUMENTED)


WITHIN_THE_SHARE: Final = Theorem(
    name="uniform-moves-no-more-than-its-share",
    chapter="shedding",
    clauses=("SHD-21", "SHD-22"),
    statement="If bundles are moved that have traffic and fit into what is left of the share, all "
    "together are no more than the share. With the allowance of 4.0 they can be.",
    bound="any number of bundles, any share (inductive invariant)",
    steps=uniform_steps,
    mutant=ReferenceMutant(
        broken="uniform-allowance",
        sentence="A bundle goes that weighs 1000 more than what is left, as in 4.0.",
        step=uniform_mutant,
        trial=trial_of,
        question="shedding.uniform",
    ),
    cross_checks=(
        CrossCheck("whether a bundle fits", weights, partial(run, may_move), fits_documented),
    ),
)

THEOREMS: Final = (WITHIN_THE_SHARE,)
