"""Theorem: a burst of lookups drives brokers apart by one bundle at most (PLC-42)."""

from __future__ import annotations

from random import Random
from typing import Final

import z3

from evenkeel.properties.placement.preallocation import (
    BundleRate,
    LookUp,
    PreallocationTrial,
    Reports,
)
from evenkeel.reference.placement import preallocation
from evenkeel.reference.placement.preallocation import UNSEEN, Leader
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

LOW, NEXT, HIGH, ADDED, MOST, FIRST = z3.Ints("low next high added most first")
BROKERS: Final = ("a:1", "b:1")
BUNDLES: Final = tuple(f"t/n/0x0000000{index}_0x0000000{index + 1}" for index in range(4))


def lowest(low: Term, following: Term, added: Term) -> Term:
    """The lowest score after the lowest one has grown; `following` is the lowest of the others."""
    return z3.If(low + added < following, low + added, following)


def highest(low: Term, high: Term, added: Term) -> Term:
    """The highest score afterwards."""
    return z3.If(low + added > high, low + added, high)


def bound(first: Term, most: Term) -> Term:
    """How far apart scores may be: as they were at first, or one bundle."""
    return z3.If(first > most, first, most)


def steps(scope: Scope) -> tuple[Step, ...]:
    """Induction over the lookups of a burst, over any number of brokers from two on."""
    order = hypothesis(
        "the broker of the lowest score gets the bundle (even distribution is off, PLC-43)",
        LOW <= NEXT,
        NEXT <= HIGH,
        0 <= LOW,
    )
    bundle = hypothesis("no bundle of the burst is above the largest", 0 <= ADDED, ADDED <= MOST)
    begins = hypothesis("scores differ by no less than 0 at first", 0 <= FIRST, 0 <= MOST)
    apart_before = lemma(("at first", "one lookup more"), HIGH - LOW <= bound(FIRST, MOST))
    apart = highest(LOW, HIGH, ADDED) - lowest(LOW, NEXT, ADDED)
    return (
        Step(
            "at first",
            (begins, case("nothing was given yet", FIRST == HIGH - LOW)),
            HIGH - LOW <= bound(FIRST, MOST),
        ),
        Step("one lookup more", (order, bundle, begins, apart_before), apart <= bound(FIRST, MOST)),
        Step(
            "no broker falls",
            (order, bundle),
            z3.And(lowest(LOW, NEXT, ADDED) >= LOW, highest(LOW, HIGH, ADDED) >= HIGH),
        ),
    )


def uncounted_step(scope: Scope) -> Step:
    """Two bundles for the broker that was the lowest, because the first is not counted."""
    sizes = (1 <= LOW, LOW <= 20, LOW < HIGH, HIGH <= LOW + 20, ADDED == UNSEEN, MOST == UNSEEN)
    return Step("uncounted", sizes, LOW + 2 * ADDED - HIGH <= bound(HIGH - LOW, MOST))


def trial_of(model: Model) -> PreallocationTrial:
    """Both brokers report one bundle; then two new bundles are looked up."""
    rates = (number(model, LOW), number(model, HIGH), 0, 0)
    return PreallocationTrial(
        evenly=False,
        brokers=BROKERS,
        bundles=tuple(BundleRate(b, rate) for b, rate in zip(BUNDLES, rates, strict=True)),
        commands=(
            Reports(BROKERS[0], BUNDLES[:1]),
            Reports(BROKERS[1], BUNDLES[1:2]),
            LookUp(BUNDLES[2]),
            LookUp(BUNDLES[3]),
        ),
    )


def arguments(random: Random) -> tuple[int, int, int]:
    """A lowest score, the next one, and a bundle's rate."""
    low = random.randint(0, 30)
    return low, low + random.randint(0, 30), random.randint(0, 60)


def lowest_in_reference(low: int, following: int, added: int) -> int:
    """The lowest score after a lookup in the reference."""
    rates = {BUNDLES[0]: low, BUNDLES[1]: following, BUNDLES[2]: added}
    reported = {BROKERS[0]: frozenset(BUNDLES[:1]), BROKERS[1]: frozenset(BUNDLES[1:2])}
    leader = Leader(reported, known=frozenset(rates))
    [chosen, *_] = preallocation.list_allowed(BUNDLES[2], leader, rates, False)
    after = preallocation.give(BUNDLES[2], chosen, leader)
    return min(preallocation.score(broker, after, rates) for broker in BROKERS)


BURST: Final = Theorem(
    name="burst-of-lookups",
    chapter="placement",
    clauses=("PLC-42", "PLC-8"),
    statement="Without even distribution a burst of lookups leaves the brokers' scores no further "
    "apart than they were, or than the largest of its bundles.",
    bound="every number of brokers from two on, every length of the burst",
    steps=steps,
    mutant=ReferenceMutant(
        broken="preallocations-do-not-count",
        sentence="Bundles that were given and not reported do not count.",
        step=uncounted_step,
        trial=trial_of,
        question="placement.preallocation",
    ),
    cross_checks=(
        CrossCheck("lowest", arguments, lambda *v: run(lowest, *v), lowest_in_reference),
    ),
)

THEOREMS: Final = (BURST,)
