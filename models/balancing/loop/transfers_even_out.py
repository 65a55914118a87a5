"""Theorem: TransferShedder's pairs end up more even, with swaps as without (BAL-17).

Load follows traffic. The giver has `most` and the taker `least` at first, `giver` and `taker` now.
A bundle moves if at most half of the difference has moved with it, or if what comes back for it
leaves the giver with no less than the taker, and with less than three quarters of what it had.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.models.balancing.trial_parts import OTHER, SOURCE, trial_with
from evenkeel.properties.balancing.loop.trials import BalancingTrial
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.shedding import transfer
from evenkeel.reference.shedding.cluster import BundleName
from evenkeel.reference.shedding.transfer import TopBundle
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

MOST, LEAST, GIVER, TAKER, WEIGHT, BACK = z3.Ints("most least giver taker weight back")

SETTINGS: Final = Settings(
    grace_minutes=0, hit_threshold=0, target_std=0.01, delay_seconds=0, distribute_evenly=False
)


def fits(giver: Term, taker: Term, weight: Term, most: Term, least: Term) -> Term:
    """At most half of the first difference has moved when this bundle has, too."""
    return 2 * (most - giver + weight) <= most - least


def makes_up(giver: Term, taker: Term, most: Term) -> Term:
    """What came back is right: the order stays, and the giver has clearly less than before."""
    return z3.And(giver < most, taker < most, taker <= giver, 4 * giver < 3 * most)


def in_order(giver: Term, taker: Term, most: Term, least: Term) -> Term:
    """Nothing is lost, the pair is in its old order, and the giver has no more than at first."""
    return z3.And(giver + taker == most + least, taker <= giver, giver <= most)


def less_uneven(giver: Term, taker: Term, most: Term, least: Term) -> Term:
    """As before, and the giver has less than at first."""
    return z3.And(in_order(giver, taker, most, least), giver < most)


def squares(one: Term, other: Term) -> Term:
    """How uneven two brokers are."""
    return one * one + other * other


def steps(scope: Scope) -> tuple[Step, ...]:
    """A bundle that fits, one that is made up for, and what that means for the pair."""
    pair = hypothesis("two brokers, one of which has more", MOST > LEAST, LEAST >= 0)
    weighs = case("a bundle that weighs something", WEIGHT > 0)
    invariant = lemma(("at first", "fits", "swapped"), in_order(GIVER, TAKER, MOST, LEAST))
    before = (pair, weighs, invariant)
    after = GIVER - WEIGHT + BACK, TAKER + WEIGHT - BACK
    less = less_uneven(GIVER, TAKER, MOST, LEAST)
    product = (MOST - GIVER) * (MOST - TAKER) > 0
    return (
        Step("at first", (pair,), in_order(MOST, LEAST, MOST, LEAST)),
        Step(
            "fits",
            (*before, case("it fits", fits(GIVER, TAKER, WEIGHT, MOST, LEAST))),
            less_uneven(GIVER - WEIGHT, TAKER + WEIGHT, MOST, LEAST),
        ),
        Step(
            "swapped",
            (*before, case("another comes back", BACK > 0, makes_up(*after, MOST))),
            less_uneven(*after, MOST, LEAST),
        ),
        Step("product", (pair, lemma(("fits", "swapped"), less)), product),
        Step(
            "more even",
            (invariant, lemma("product", product)),
            squares(GIVER, TAKER) < squares(MOST, LEAST),
        ),
    )


def mutant_step(scope: Scope) -> Step:
    """The broken rule: a bundle comes back for one that is too large, whatever the taker has."""
    small = (MOST <= 80, BACK >= 1, 2 * BACK < LEAST, MOST - LEAST >= 6)
    bundles = (2 * WEIGHT > MOST - LEAST, 2 * WEIGHT <= MOST)
    giver, taker = MOST - WEIGHT + BACK, LEAST + WEIGHT - BACK
    back = (giver < MOST, taker > MOST)
    return Step("swapped", (*small, *bundles, *back), less_uneven(giver, taker, MOST, LEAST))


def trial_of(model: Model) -> BalancingTrial:
    """Two brokers as in the model, with two bundles each.

    The giver's lighter one is too large alone; the taker's lighter one comes back for it.
    """
    most, least, weight, back = (number(model, term) for term in (MOST, LEAST, WEIGHT, BACK))
    bundles = {SOURCE: (weight, most - weight), OTHER: (back, least - back)}
    return trial_with(Strategy.TRANSFER, SETTINGS, bundles, unit=100.0, steps=2)


def arguments(random: Random) -> tuple[int, int, int]:
    """Traffics about where the rule changes."""
    most = 4 * random.randint(1, 50)
    giver = random.choice((3 * most // 4, most, random.randint(0, most))) + random.randint(-1, 1)
    return giver, random.choice((giver, most, random.randint(0, most))), most


def swap_4_0(giver: int, taker: int, most: int) -> bool:
    """Whether the reference takes one bundle of 1 that leads to these loads."""
    offered = iter((TopBundle(BundleName("t/n/0x00000000_0xffffffff"), 1.0, 0.0),))
    return bool(transfer.swap(giver - 1.0, taker + 1.0, float(most), offered))


SWAPS_EVEN_OUT: Final = Theorem(
    name="transfers-and-swaps-even-out",
    chapter="balancing",
    clauses=("BAL-17",),
    statement="If load follows traffic, a pair between which TransferShedder moves bundles, with "
    "swaps or without, keeps its order and is more even afterwards.",
    bound="any number of bundles, any whole loads (inductive invariant)",
    steps=steps,
    mutant=ReferenceMutant(
        broken="transfer-swaps-anything",
        sentence="For a bundle that is too large another comes back, whatever the taker then has.",
        step=mutant_step,
        trial=trial_of,
        question="balancing.loop",
    ),
    cross_checks=(
        CrossCheck("whether a swap is right", arguments, partial(run, makes_up), swap_4_0),
    ),
)

THEOREMS: Final = (SWAPS_EVEN_OUT,)
