"""Theorem: a share of at most half of the lead, placed with the least loaded, evens out (BAL-17).

The busiest broker has `x`, the least busy `y` when the round begins; at most half of the difference
may be moved, bundle by bundle. `moved` went already. Each bundle is placed with a broker that has
the least: `z`, which is at most what the least busy had and all that was moved. So what a bundle
leaves behind is more than what it finds, even with itself, and the sum of squares falls.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.models.balancing.trial_parts import OTHER, SOURCE, trial_with
from evenkeel.properties.balancing.loop.trials import BalancingTrial
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.shedding import uniform
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

X, Y, Z, MOVED, LEFT, BUDGET, WEIGHT, NOW = z3.Ints("x y z moved left budget weight now")

SETTINGS: Final = Settings(
    grace_minutes=0,
    max_unload_share=0.5,
    min_unload_rate=0,
    min_unload_throughput=0,
    distribute_evenly=False,
)


def may_move(weight: Term, left: Term) -> Term:
    """Whether a bundle goes while so much is left of the budget."""
    return z3.And(0 < weight, weight <= left)


def squares(one: Term, other: Term) -> Term:
    """How uneven two brokers are."""
    return one * one + other * other


def in_budget(moved: Term, left: Term, budget: Term) -> Term:
    """What was moved and what is left are the budget, and neither is negative."""
    return z3.And(moved + left == budget, moved >= 0, left >= 0)


def steps(scope: Scope) -> tuple[Step, ...]:
    """The budget, from each bundle to the next; what it finds; and what that means."""
    half = hypothesis(
        "the source has more than the least loaded; the budget is at most half of what it leads by",
        X > Y,
        Y >= 0,
        BUDGET >= 0,
        2 * BUDGET <= X - Y,
    )
    before = lemma(("at first", "moved"), in_budget(MOVED, LEFT, BUDGET))
    goes = case("a bundle goes", may_move(WEIGHT, LEFT))
    least = lemma(("the least at first", "the least"), Z <= Y + MOVED)
    some = hypothesis("loads are not negative", Z >= 0)
    product = WEIGHT * (NOW - Z - WEIGHT) > 0
    weighs = case("the bundle weighs something", WEIGHT > 0)
    found = hypothesis("the least loaded broker is no fuller than the first destination", Z <= Y)
    return (
        Step("at first", (half,), in_budget(z3.IntVal(0), BUDGET, BUDGET)),
        Step("moved", (half, before, goes), in_budget(MOVED + WEIGHT, LEFT - WEIGHT, BUDGET)),
        Step("the least at first", (found,), Z <= Y + z3.IntVal(0)),
        Step("the least", (least, weighs), Z <= Y + (MOVED + WEIGHT)),
        Step("finds less", (half, before, least, some, goes), Z + WEIGHT < X - MOVED),
        Step("product", (weighs, lemma("finds less", Z + WEIGHT < NOW)), product),
        Step(
            "more even",
            (lemma("product", product),),
            squares(NOW - WEIGHT, Z + WEIGHT) < squares(NOW, Z),
        ),
    )


def mutant_step(scope: Scope) -> Step:
    """The broken rule with the first bundle of two, and rates that trigger it."""
    small = (X <= 2000, Y >= 1, 2 * BUDGET == X - Y, 2 * (X - Y) > Y)
    bundles = (WEIGHT >= 1, 2 * WEIGHT >= X, X - WEIGHT >= 1)
    moves = WEIGHT <= BUDGET + uniform.ALLOWANCE
    return Step("finds less", (X > Y, *small, *bundles, moves), Y + WEIGHT < X)


def trial_of(model: Model) -> BalancingTrial:
    """Two brokers as in the model."""
    x, y, weight = (number(model, term) for term in (X, Y, WEIGHT))
    return trial_with(Strategy.UNIFORM, SETTINGS, {SOURCE: (weight, x - weight), OTHER: (y,)})


def arguments(random: Random) -> tuple[int, int]:
    """A weight about as large as what is left."""
    left = random.randrange(3000)
    return max(left + random.randint(-2, 2), 0), left


def fits_documented(weight: int, left: int) -> bool:
    """Whether the reference moves the bundle."""
    return uniform.fits(float(weight), float(left), DOCUMENTED)


SHARES_EVEN_OUT: Final = Theorem(
    name="half-of-the-lead-evens-out",
    chapter="balancing",
    clauses=("BAL-17",),
    statement="If a broker sheds bundles of at most half of its lead in all, and each is placed "
    "with a broker that then has the least, every one of them makes the load more even.",
    bound="any number of brokers and bundles, any whole loads (inductive invariant)",
    steps=steps,
    mutant=ReferenceMutant(
        broken="PULSAR_4_0",
        sentence="A bundle goes that exceeds what is left of the budget by up to 1000, as in 4.0.",
        step=mutant_step,
        trial=trial_of,
        question="balancing.loop",
    ),
    cross_checks=(
        CrossCheck("whether a bundle fits", arguments, partial(run, may_move), fits_documented),
    ),
)

THEOREMS: Final = (SHARES_EVEN_OUT,)
