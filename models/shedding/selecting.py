"""Theorem: what is shed until an amount is reached is the shortest such list.

SHD-14, SHD-15; for ThresholdShedder SHD-85, SHD-86.

Bundles are gone through in a fixed order. `marked` is what those taken weigh together, `last` what
the last one weighs, `taken` their number, `left_out` that of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import accumulate
from typing import Final

import z3

from evenkeel.models.samples import amount_and_weights
from evenkeel.models.shedding.trial_parts import SOURCE, bundle_name, round_of
from evenkeel.properties.shedding.overload import OverloadTrial
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import BundleName
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.selecting import reaching
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

MARKED, LAST, TAKEN, LEFT_OUT = z3.Ints("marked last taken left_out")
WEIGHT, NEED = z3.Ints("weight need")

PART: Final = 20
"""At exactly the threshold a twentieth of the traffic is to be shed."""


def takes(marked: Term, taken: Term, need: Term) -> Term:
    """Whether the next bundle is taken: the first one always."""
    return z3.Or(taken == 0, marked < need)


def shortest(marked: Term, last: Term, taken: Term, left_out: Term, need: Term) -> Term:
    """Without the last the amount is not reached; with a bundle left out, it is."""
    return z3.And(
        taken >= 0,
        left_out >= 0,
        z3.Or(taken <= 1, marked - last < need),
        z3.Implies(left_out > 0, z3.And(marked >= need, taken >= 1)),
    )


def steps(scope: Scope) -> tuple[Step, ...]:
    """Before the first bundle, and from each to the next."""
    before = lemma(("at first", "taken", "left out"), shortest(MARKED, LAST, TAKEN, LEFT_OUT, NEED))
    weighs = hypothesis("weights are not negative", WEIGHT >= 0)
    next_one = takes(MARKED, TAKEN, NEED)
    nothing = z3.IntVal(0)
    return (
        Step(
            "at first",
            (hypothesis("an amount of 0 or more", NEED >= 0),),
            shortest(nothing, nothing, nothing, nothing, NEED),
        ),
        Step(
            "taken",
            (before, weighs, case("the next goes, none was left out", LEFT_OUT == 0, next_one)),
            shortest(MARKED + WEIGHT, WEIGHT, TAKEN + 1, LEFT_OUT, NEED),
        ),
        Step(
            "left out",
            (before, weighs, case("the next stays", z3.Not(next_one))),
            shortest(MARKED, LAST, TAKEN, LEFT_OUT + 1, NEED),
        ),
        Step(
            "none taken after one was left out",
            (before, case("one was left out", LEFT_OUT > 0)),
            z3.Not(next_one),
        ),
    )


def mutant_step(scope: Scope) -> Step:
    """The broken rule with the second bundle, where the first one weighs what is needed."""
    small = (WEIGHT >= 1, scope.size(WEIGHT), NEED >= 1, scope.size(NEED), MARKED == LAST)
    sorted_ = (LAST >= WEIGHT, scope.size(LAST), TAKEN == 1, LEFT_OUT == 0)
    taken = z3.Or(TAKEN == 0, MARKED <= NEED)
    after = shortest(MARKED + WEIGHT, WEIGHT, TAKEN + 1, LEFT_OUT, NEED)
    return Step("taken", (*small, *sorted_, taken), after)


def overload_trial(need: int, weights: tuple[int, ...]) -> OverloadTrial:
    """A broker at its threshold that is to shed `need` bytes a second."""
    loads = [Traffic(throughput_out=float(weight)) for weight in weights]
    round_ = round_of({SOURCE: 85.0}, {SOURCE: Traffic(throughput_out=float(PART * need))}, loads)
    return OverloadTrial(config=OverloadRules(), rounds=(round_,))


def trial_of(model: Model) -> OverloadTrial:
    """Two bundles with the weights of a model."""
    return overload_trial(number(model, NEED), (number(model, LAST), number(model, WEIGHT)))


def taken_by(rule: Callable[..., Term], need: int, weights: tuple[int, ...]) -> int:
    """How many of the bundles a rule takes: the rule executed."""
    taken = 0
    for marked in (0, *accumulate(weights)):
        if taken == len(weights) or not run(rule, marked, taken, need):
            break
        taken += 1
    return taken


def taken_by_reference(need: int, weights: tuple[int, ...]) -> int:
    """How many of them the reference takes."""
    loads = {BundleName(bundle_name(i)): float(weight) for i, weight in enumerate(weights)}
    return len(reaching(loads, float(need)))


SHORTEST: Final = Theorem(
    name="shedding-reaches-its-amount",
    chapter="shedding",
    clauses=("SHD-14", "SHD-15", "SHD-85", "SHD-86"),
    statement="Taking bundles while less than the amount is marked, but the first one always, "
    "either takes all of them or reaches the amount, and without the last one does not reach it "
    "(unless only one was taken): it is exceeded by less than the last bundle.",
    bound="any number of bundles, any weights (inductive invariant)",
    steps=steps,
    mutant=ReferenceMutant(
        broken="overload-one-bundle-more",
        sentence="A bundle is taken also where the amount is reached exactly.",
        step=mutant_step,
        trial=trial_of,
        question="shedding.overload",
        right=PULSAR_4_0,
    ),
    cross_checks=(
        CrossCheck(
            "bundles taken", amount_and_weights, partial(taken_by, takes), taken_by_reference
        ),
    ),
)

THEOREMS: Final = (SHORTEST,)
