"""Theorem: without a swap TransferShedder does not reverse a pair, and its giver keeps a bundle.

Loads and weights are whole numbers; the giver has load x and traffic t, the taker load y, x > y.
A bundle goes if with it 2·x·moved ≤ t·(x − y), which is the amount of SHD-63 without its quotient.
Load is taken to follow traffic: what moves takes moved·x / t of the giver's load along, and if the
giver is left with at least what the taker then has, times t that is x·t − moved·x ≥ y·t + moved·x.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.properties.shedding.transfer.trials import TransferTrial
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel.reference.shedding.transfer import (
    Pair,
    TopBundle,
    TransferReason,
    TransferReport,
    TransferRules,
    TransferView,
    traffic_to_move,
)
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

GIVER, TAKER = BrokerId("a"), BrokerId("b")
X, Y, T, MOVED, WEIGHT = z3.Ints("x y t moved weight")


def fits(moved: Term, weight: Term, x: Term, y: Term, t: Term) -> Term:
    """Whether a bundle goes when so much has been moved: at most half the gap."""
    return 2 * x * (moved + weight) <= t * (x - y)


def not_reversed(moved: Term, x: Term, y: Term, t: Term) -> Term:
    """The giver is left with no less load than the taker then has."""
    return x * t - moved * x >= y * t + moved * x


def steps(scope: Scope) -> tuple[Step, ...]:
    """At first, from each bundle to the next, and what it means for the pair."""
    pair = hypothesis("the source's load is the higher one", X > Y, Y >= 0, T >= 0)
    moved = (pair, case("a bundle fits", MOVED >= 0, WEIGHT >= 0, fits(MOVED, WEIGHT, X, Y, T)))
    return (
        Step("at first", (pair,), not_reversed(z3.IntVal(0), X, Y, T)),
        Step("moved", moved, not_reversed(MOVED + WEIGHT, X, Y, T)),
    )


def mutant_step(scope: Scope) -> Step:
    """The broken rule with the first bundle."""
    small = (Y == 0, X == 8, T >= 2, T <= 16, WEIGHT >= 1, WEIGHT < T, MOVED == 0)
    moves = X * (MOVED + WEIGHT) <= T * (X - Y)
    return Step("moved", (*small, moves), not_reversed(MOVED + WEIGHT, X, Y, T))


def report(broker: BrokerId, load: int, weights: tuple[int, ...]) -> TransferReport:
    """A broker that reports these bundles."""
    top = tuple(
        TopBundle(BundleName(f"t/ns/0x{i:x}0000000_0x{i:x}fffffff"), float(weight), 0.0)
        for i, weight in enumerate(weights)
    )
    traffic = float(sum(weights))
    return TransferReport(broker, float(load), traffic, 0.0, traffic, 0, top)


def transfer_trial(x: int, y: int, weights: tuple[int, ...]) -> TransferTrial:
    """Two brokers; whatever the deviation, it is above its target."""
    view = TransferView(0, (GIVER, TAKER), (report(GIVER, x, weights), report(TAKER, y, ())))
    return TransferTrial(config=TransferRules(target_std=0.0, hit_threshold=0), rounds=(view,))


def trial_of(model: Model) -> TransferTrial:
    """The bundle of a model, and one that makes up the rest of the traffic."""
    weight = number(model, WEIGHT)
    return transfer_trial(number(model, X), 0, (weight, number(model, T) - weight))


def arguments(random: Random) -> tuple[int, int, int, int, int]:
    """A bundle about as large as what still fits; quotients that doubles hold exactly."""
    x = 2 ** random.randint(0, 9)
    y, t = random.randint(0, x), random.randint(0, 2**20)
    most = t * (x - y) // (2 * x)
    moved = random.randint(0, most)
    return moved, max(most - moved + random.randint(-2, 2), 0), x, y, t


def fits_4_0(moved: int, weight: int, x: int, y: int, t: int) -> bool:
    """Whether the reference moves the bundle."""
    giver = TransferReport(GIVER, float(x), float(t), 0.0, 0.0, 0)
    taker = TransferReport(TAKER, float(y), 0.0, 0.0, 0.0, 0)
    limit = traffic_to_move(Pair(giver, taker, TransferReason.OVERLOADED), PULSAR_4_0)
    return float(moved) + float(weight) <= limit


NOT_REVERSED: Final = Theorem(
    name="transfers-do-not-reverse-a-pair",
    chapter="shedding",
    clauses=("SHD-63",),
    statement="If load follows traffic, a giver that sends bundles to a less loaded taker without "
    "a swap is left with no less load than the taker then has.",
    bound="any number of bundles, any whole loads and weights (inductive invariant)",
    steps=steps,
    mutant=ReferenceMutant(
        broken="transfer-whole-gap",
        sentence="Bundles go until the whole gap has been moved.",
        step=mutant_step,
        trial=trial_of,
        question="shedding.transfer",
        right=PULSAR_4_0,
    ),
    cross_checks=(CrossCheck("whether a bundle fits", arguments, partial(run, fits), fits_4_0),),
)

THEOREMS: Final = (NOT_REVERSED,)
