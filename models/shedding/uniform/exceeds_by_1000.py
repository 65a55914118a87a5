"""Theorem: UniformLoadShedder of 4.0 exceeds its budget by 1000 at most (SHD-26).

Whole weights; `left` is what is left of the budget, which can become negative by the allowance, and
idle bundles always fit. So however many bundles there are, what is moved is at most the budget
and 1000: for budgets so small that their sum with 1000 is a 32-bit number.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.models.shedding.trial_parts import OTHER, SOURCE, round_of
from evenkeel.properties.shedding.uniform import UniformTrial
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.uniform import ALLOWANCE, MOST, UniformRules, fits
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

MOVED, LEFT, WEIGHT, BUDGET = z3.Ints("moved left weight budget")


def may_move(weight: Term, left: Term) -> Term:
    """Whether a bundle goes while so much is left of the budget."""
    return weight <= left + ALLOWANCE


def in_budget(moved: Term, left: Term, budget: Term) -> Term:
    """What was moved and what is left are the budget; no more than 1000 is overdrawn."""
    return z3.And(moved + left == budget, moved >= 0, left >= -ALLOWANCE)


def steps(scope: Scope) -> tuple[Step, ...]:
    """At first, from each bundle to the next, and the sum."""
    small = hypothesis(
        "a budget of 0 or more that a 32 bit number holds", BUDGET >= 0, BUDGET <= MOST - ALLOWANCE
    )
    before = (small, lemma(("at first", "moved"), in_budget(MOVED, LEFT, BUDGET)))
    return (
        Step("at first", (small,), in_budget(z3.IntVal(0), BUDGET, BUDGET)),
        Step(
            "moved",
            (*before, case("a bundle goes", WEIGHT >= 0, may_move(WEIGHT, LEFT))),
            in_budget(MOVED + WEIGHT, LEFT - WEIGHT, BUDGET),
        ),
        Step("the sum", before, MOVED <= BUDGET + ALLOWANCE),
        Step("an idle bundle fits", before, may_move(z3.IntVal(0), LEFT)),
    )


def mutant_step(scope: Scope) -> Step:
    """The broken rule with the second of two equal bundles."""
    small = (BUDGET >= 1, BUDGET <= 100, MOVED == WEIGHT, MOVED + LEFT == BUDGET)
    return Step("the sum", (*small, WEIGHT > 0), MOVED + WEIGHT <= BUDGET + ALLOWANCE)


def uniform_trial(budget: int, weights: tuple[int, ...]) -> UniformTrial:
    """A broker whose share of the lead is `budget` messages a second, all of the lead."""
    config = UniformRules(share=1.0, min_msg_rate=0, throughput_ratio=0.0)
    traffic = {SOURCE: Traffic(float(budget + 1)), OTHER: Traffic()}
    loads = [Traffic(float(weight)) for weight in weights]
    round_ = round_of({SOURCE: 0.0, OTHER: 0.0}, traffic, loads)
    return UniformTrial(config=config, rounds=(round_,))


def trial_of(model: Model) -> UniformTrial:
    """Two bundles with the weight of a model."""
    weight = number(model, WEIGHT)
    return uniform_trial(number(model, BUDGET), (weight, weight))


def arguments(random: Random) -> tuple[int, int]:
    """A weight and what is left."""
    left = random.randint(-ALLOWANCE, 2 * ALLOWANCE)
    return max(left + ALLOWANCE + random.randint(-2, 2), 0), left


def fits_4_0(weight: int, left: int) -> bool:
    """Whether the reference moves the bundle."""
    return fits(float(weight), left, PULSAR_4_0)


WITHIN_THE_ALLOWANCE: Final = Theorem(
    name="uniform-exceeds-its-budget-by-1000",
    chapter="shedding",
    clauses=("SHD-26", "SHD-29"),
    statement="If bundles of whole weights are moved that weigh at most what is left and 1000, "
    "all together weigh at most the budget and 1000; an idle bundle always fits.",
    bound="any number of bundles, budgets up to 2^31 - 1001 (inductive invariant)",
    steps=steps,
    mutant=ReferenceMutant(
        broken="uniform-sheds-whatever-there-is",
        sentence="Every bundle with traffic is moved, whatever is left.",
        step=mutant_step,
        trial=trial_of,
        question="shedding.uniform",
        right=PULSAR_4_0,
    ),
    cross_checks=(
        CrossCheck("whether a bundle fits", arguments, partial(run, may_move), fits_4_0),
    ),
)

THEOREMS: Final = (WITHIN_THE_ALLOWANCE,)
