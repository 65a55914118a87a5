"""Theorem: AvgShedder with a share of at most 50 % never reverses a pair (SHD-33).

The fuller broker has `fuller`, the emptier one `emptier`; `percent` of the difference may be moved.
Bundles are gone through in any order, each that fits what is left is moved: `moved` in all. The
budget is rounded down to a whole number, which moves no more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import z3

from evenkeel.models.samples import amount_and_weights
from evenkeel.models.shedding.trial_parts import OTHER, SOURCE, bundle_name, round_of
from evenkeel.properties.shedding.avg.trials import AvgTrial
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.avg import AvgRules, fits
from evenkeel.reference.shedding.cluster import BundleName
from evenkeel.reference.shedding.selecting import fitting
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

FULLER, EMPTIER, MOVED, LEFT, WEIGHT = z3.Ints("fuller emptier moved left weight")
BUDGET, PERCENT = z3.Ints("budget percent")
HALF: Final = 50


def may_move(weight: Term, left: Term) -> Term:
    """Whether a bundle goes while so much is left of the budget."""
    return z3.And(0 < weight, weight <= left)


def in_budget(moved: Term, left: Term, budget: Term) -> Term:
    """What was moved and what is left are the budget, and neither is negative."""
    return z3.And(moved + left == budget, moved >= 0, left >= 0)


def steps(scope: Scope) -> tuple[Step, ...]:
    """At first, from each bundle to the next, and what it means for the pair."""
    budget = hypothesis("the budget is not negative", BUDGET >= 0)
    before = (budget, lemma(("at first", "moved"), in_budget(MOVED, LEFT, BUDGET)))
    gap = FULLER - EMPTIER
    pair = hypothesis("the source is the fuller of the pair", gap >= 0)
    share = hypothesis("the share is at most half", PERCENT >= 0, PERCENT <= HALF)
    return (
        Step("at first", (budget,), in_budget(z3.IntVal(0), BUDGET, BUDGET)),
        Step(
            "moved",
            (*before, case("a bundle goes", may_move(WEIGHT, LEFT))),
            in_budget(MOVED + WEIGHT, LEFT - WEIGHT, BUDGET),
        ),
        Step("share", (pair, share), gap * (HALF - PERCENT) >= 0),
        Step(
            "not reversed",
            (
                *before,
                hypothesis("the budget is that share of the gap", 100 * BUDGET <= gap * PERCENT),
                lemma("share", gap * (HALF - PERCENT) >= 0),
            ),
            FULLER - MOVED >= EMPTIER + MOVED,
        ),
    )


def mutant_step(scope: Scope) -> Step:
    """The broken rule, one and a half times the difference may be moved, with the first bundle."""
    small = (EMPTIER == 0, FULLER >= 2, FULLER <= 8, WEIGHT >= 1, WEIGHT <= FULLER)
    budget = (2 * LEFT == 3 * FULLER, MOVED == 0)
    moves = may_move(WEIGHT, LEFT)
    return Step("not reversed", (*small, *budget, moves), FULLER - WEIGHT >= EMPTIER + WEIGHT)


def avg_trial(fuller: int, emptier: int, weights: tuple[int, ...]) -> AvgTrial:
    """Two brokers whose pair acts at once, half of the difference may be moved."""
    traffic = {SOURCE: Traffic(float(fuller)), OTHER: Traffic(float(emptier))}
    loads = [Traffic(float(weight)) for weight in weights]
    config = AvgRules(share=0.5, min_msg_rate=0, high_hits=1)
    return AvgTrial(config=config, rounds=(round_of({SOURCE: 90.0, OTHER: 10.0}, traffic, loads),))


def trial_of(model: Model) -> AvgTrial:
    """The rates of a model, and a light bundle, so that none is the only one."""
    fuller, weight = number(model, FULLER), number(model, WEIGHT)
    return avg_trial(fuller, number(model, EMPTIER), (weight, 0))


def moved_by(rule: Callable[..., Term], budget: int, weights: tuple[int, ...]) -> tuple[int, ...]:
    """Which of the bundles a rule moves, by number: the rule executed."""
    moved: list[int] = []
    for index, weight in enumerate(weights):
        if run(rule, weight, budget):
            moved.append(index)
            budget -= weight
    return tuple(moved)


def moved_by_reference(budget: int, weights: tuple[int, ...]) -> tuple[int, ...]:
    """Which of them the reference moves."""
    loads = {BundleName(bundle_name(i)): float(weight) for i, weight in enumerate(weights)}
    taken = fitting(loads, float(budget), fits, lambda left, weight: left - weight)
    return tuple([*loads].index(bundle) for bundle in taken)


NEVER_REVERSED: Final = Theorem(
    name="avg-never-reverses-a-pair",
    chapter="shedding",
    clauses=("SHD-33",),
    statement="If a pair moves bundles that fit into at most 50 % of its difference, the fuller "
    "broker keeps at least as much as the emptier one then has.",
    bound="any number of bundles, any weights (inductive invariant); reports that are exact",
    steps=steps,
    mutant=ReferenceMutant(
        broken="avg-reverses-pairs",
        sentence="One and a half times the difference is moved.",
        step=mutant_step,
        trial=trial_of,
        question="shedding.avg",
        right=PULSAR_4_0,
    ),
    cross_checks=(
        CrossCheck(
            "bundles moved", amount_and_weights, partial(moved_by, may_move), moved_by_reference
        ),
    ),
)

THEOREMS: Final = (NEVER_REVERSED,)
