"""Theorem: TransferShedder's pairs end up more even, with swaps as without (BAL-17).

Load follows traffic. The giver has `most` and the taker `least` at first, `giver` and `taker` now.
A bundle goes if with it at most half of the difference has gone, or if what comes back for it
leaves the giver with no less than the taker, and with less than three quarters of what it had.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.models.assumptions import Step, case, hypothesis, shown
from evenkeel.models.balancing.trial_parts import OTHER, SOURCE, evens_out, trial_with
from evenkeel.models.terms import Model, Scope, Term, number, run
from evenkeel.models.theorem import Mutant, Theorem, Twin
from evenkeel.properties.balancing.loop.trials import BalancingTrial, answer_loop
from evenkeel.reference.balancing.history import History
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.shedding import transfer
from evenkeel.reference.shedding.cluster import BundleName
from evenkeel.reference.shedding.transfer import TopBundle

MOST, LEAST, GIVER, TAKER, WEIGHT, BACK = z3.Ints("most least giver taker weight back")

SETTINGS: Final = Settings(
    grace_minutes=0, hit_threshold=0, target_std=0.01, delay_seconds=0, distribute_evenly=False
)


def fits(giver: Term, taker: Term, weight: Term, most: Term, least: Term) -> Term:
    """At most half of the first difference has gone when this bundle goes, too."""
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
    kept = shown(("at first", "fits", "swapped"), in_order(GIVER, TAKER, MOST, LEAST))
    before = (pair, weighs, kept)
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
        Step("product", (pair, shown(("fits", "swapped"), less)), product),
        Step(
            "more even",
            (kept, shown("product", product)),
            squares(GIVER, TAKER) < squares(MOST, LEAST),
        ),
    )


def mutant_step(scope: Scope) -> Step:
    """The broken rule: whatever the taker has comes back for a bundle that is too large."""
    small = (MOST <= 80, LEAST == BACK, BACK >= 2, MOST - LEAST >= 6)
    bundles = (WEIGHT >= 1, 2 * WEIGHT > MOST - LEAST, 2 * WEIGHT <= MOST)
    after = MOST - WEIGHT + BACK, LEAST + WEIGHT - BACK
    return Step("swapped", (*small, *bundles), less_uneven(*after, MOST, LEAST))


def trial_of(model: Model) -> BalancingTrial:
    """Two brokers as in the model: the giver's smaller bundle is too large alone."""
    most, weight, back = (number(model, term) for term in (MOST, WEIGHT, BACK))
    bundles = {SOURCE: (weight, most - weight), OTHER: (back,)}
    return trial_with(Strategy.TRANSFER, SETTINGS, bundles, unit=100.0, steps=2)


def all_of_them(
    giver_traffic: float, taker_traffic: float, most: float, candidates: Iterator[TopBundle]
) -> tuple[TopBundle, ...]:
    """The broken rule executed."""
    return tuple(candidates)


def answer_broken(trial: BalancingTrial) -> History:
    """The reference with the broken rule in the place of its own."""
    right = transfer.swap
    transfer.swap = all_of_them
    try:
        return answer_loop(trial, DOCUMENTED)
    finally:
        transfer.swap = right


def arguments(random: Random) -> tuple[int, int, int]:
    """Traffics about where the rule changes."""
    most = 4 * random.randint(1, 50)
    giver = random.choice((3 * most // 4, most, random.randint(0, most))) + random.randint(-1, 1)
    return giver, random.choice((giver, most, random.randint(0, most))), most


def swap_4_0(giver: int, taker: int, most: int) -> bool:
    """Whether the reference takes one bundle of 1 that leads there."""
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
    mutant=Mutant(
        name="swaps-without-measure",
        sentence="For a bundle that is too large all bundles of the taker come back.",
        step=mutant_step,
        trial=trial_of,
        broken=answer_broken,
        right=partial(answer_loop, edition=DOCUMENTED),
        promise=evens_out,
    ),
    twins=(Twin("whether a swap is right", arguments, partial(run, makes_up), swap_4_0),),
)

THEOREMS: Final = (SWAPS_EVEN_OUT,)
