"""Theorem: ThresholdShedder does not shed small bundles back (BAL-15), and what large ones do.

Two equal brokers of at most 100 %, load in proportion and constant, so that histories are usages;
usages and weights in whole points. A broker of `x` with another of `y` is above by `points` if
x - y ≥ 2·points: above the mean by that. It sheds x·(x - y + 10) / 200 of its points: the share is
computed in points of usage, but taken of the traffic. The last bundle goes beyond that.

Where every bundle has at most `points` - 5, the other broker is not above afterwards. Larger
bundles can be: the solver finds two that move to and fro for ever (`swinging`).
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
from evenkeel.reference.shedding import threshold
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem, solve

X, Y, POINTS, WEIGHT, MOVED, REST = z3.Ints("x y points weight moved rest")
MARGIN: Final = 5

USUAL: Final = 10
"""The default threshold, in points."""


def is_above(x: Term, y: Term, points: Term) -> Term:
    """Whether the first broker is `points` above the mean of the two."""
    return x - y >= 2 * points


def amount(x: Term, y: Term) -> Term:
    """What is shed at least, in two-hundredths of a point."""
    return x * (x - y + 2 * MARGIN)


def still_sheds(moved: Term, x: Term, y: Term) -> Term:
    """Whether less has been shed, in points, than the amount."""
    return 200 * moved < amount(x, y)


def steps(scope: Scope) -> tuple[Step, ...]:
    """The amount is at most the distance and the margin; with the last bundle it is not enough."""
    pair = hypothesis("two equal brokers of at most 100 %", X <= 100, Y >= 0)
    above = case("the fuller one sheds", is_above(X, Y, POINTS))
    settings = hypothesis("the threshold is no less than the margin", POINTS >= MARGIN)
    small = hypothesis(
        "a bundle is at most the threshold less the margin", WEIGHT >= 0, WEIGHT <= POINTS - MARGIN
    )
    distance = X - Y + 2 * MARGIN
    goes = (pair, above, settings, small)
    # `moved` is what was shed before the last bundle, of `weight`.
    after = X - MOVED - WEIGHT, Y + MOVED + WEIGHT
    return (
        Step("positive", (pair, above, settings), distance > 0),
        Step("full brokers", (pair, lemma("positive", distance > 0)), (100 - X) * distance >= 0),
        Step(
            "not above",
            (
                *goes,
                case("one more goes", MOVED >= 0, still_sheds(MOVED, X, Y)),
                lemma("full brokers", (100 - X) * distance >= 0),
            ),
            z3.Not(is_above(after[1], after[0], POINTS)),
        ),
        Step(
            "one alone",
            (*goes, case("the first goes", MOVED == 0)),
            z3.Not(is_above(after[1], after[0], POINTS)),
        ),
    )


def mutant_step(scope: Scope) -> Step:
    """The broken rule with bundles of 5, half a broker at most."""
    small = (Y == 0, X <= 75, X == 5 * REST, MOVED == 5 * WEIGHT, WEIGHT >= 0, WEIGHT < REST - 1)
    above = (POINTS == USUAL, is_above(X, Y, POINTS), 200 * MOVED < 2 * amount(X, Y))
    after = X - MOVED - 5, Y + MOVED + 5
    return Step("not above", (*small, *above), z3.Not(is_above(after[1], after[0], POINTS)))


def trial_of(model: Model) -> BalancingTrial:
    """A broker with as many bundles as in a model, and one that serves nothing."""
    settings = Settings(
        grace_minutes=0,
        threshold_percent=USUAL,
        history=0.0,
        min_throughput=0.0,
        distribute_evenly=False,
    )
    bundles = {SOURCE: (5,) * number(model, REST), OTHER: ()}
    return trial_with(Strategy.THRESHOLD, settings, bundles, unit=100.0)


def arguments(random: Random) -> tuple[int, int]:
    """Two usages in points, the first at least as large."""
    x = random.randint(1, 100)
    return x, random.randint(0, x)


def amount_by_reference(x: int, y: int) -> int:
    """What the reference sheds at least: the share of all that the broker has."""
    share = threshold.share_to_shed(x / 100, (x + y) / 200, ThresholdRules(), DOCUMENTED)
    return round(share * x * 200)


# ------------------------------------------------------------------ larger bundles: for ever


def swinging() -> tuple[int, int, int, int]:
    """Loads at which a bundle goes to and fro between two brokers for ever, found by the solver.

    In points: the bundle, what the first broker keeps, what the second has, and the threshold. The
    first broker is above and sheds the bundle alone, which is its largest; then the second one is
    above, and sheds the same bundle alone. Above by a point more than needed, so that rounding does
    not matter. Raises `ValueError` if the solver finds nothing.
    """
    small = (POINTS == USUAL, REST >= 1, Y >= 1, REST <= WEIGHT - 1, Y <= WEIGHT - 1, X <= 50)
    there = (is_above(X, Y, POINTS + 1), z3.Not(still_sheds(WEIGHT, X, Y)))
    and_back = (
        is_above(Y + WEIGHT, REST, POINTS + 1),
        z3.Not(still_sheds(WEIGHT, Y + WEIGHT, REST)),
    )
    _, model, _ = solve([X == WEIGHT + REST, *small, *there, *and_back], 10.0)
    if model is None:
        raise ValueError("nothing swings")
    weight, rest, other, points = (number(model, term) for term in (WEIGHT, REST, Y, POINTS))
    return weight, rest, other, points


def swinging_trial(steps_: int = 10, grace_minutes: int = 0) -> BalancingTrial:
    """A run of the loop with what the solver found: without histories or minima."""
    weight, rest, other, points = swinging()
    settings = Settings(
        grace_minutes=grace_minutes,
        threshold_percent=points,
        history=0.0,
        min_throughput=0.0,
        distribute_evenly=False,
    )
    bundles = {SOURCE: (weight, rest), OTHER: (other,)}
    return trial_with(Strategy.THRESHOLD, settings, bundles, unit=100.0, steps=steps_)


NOT_SHED_BACK: Final = Theorem(
    name="small-bundles-are-not-shed-back",
    chapter="balancing",
    clauses=("BAL-15",),
    statement="If load is constant and every bundle has at most the threshold less five points, "
    "then of two brokers of which one is above the other is not above after a round.",
    bound="two equal brokers of at most 100 %, any number of bundles; usages in whole points",
    steps=steps,
    mutant=ReferenceMutant(
        broken="threshold-sheds-twice-the-amount",
        sentence="Twice the amount is shed.",
        step=mutant_step,
        trial=trial_of,
        question="balancing.loop",
    ),
    cross_checks=(
        CrossCheck("the amount to be shed", arguments, partial(run, amount), amount_by_reference),
    ),
)

THEOREMS: Final = (NOT_SHED_BACK,)
