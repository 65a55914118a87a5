"""Theorem: ThresholdShedder's scores stay between the least and the greatest usage seen (SHD-82).

Usages are whole numbers and the history counts for k tenths, so ten times the next score is
k·h + (10 − k)·u. The unit is left open, so this is as good as any usage.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.models.shedding.trial_parts import OTHER, SOURCE, round_of
from evenkeel.properties.shedding.threshold import ThresholdTrial
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.threshold import ThresholdRules, next_score
from evenkeel_engine.proofs.assumptions import Step, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

H, U, K, LEAST, MOST, TEN = z3.Ints("h u k least most ten")
TENTHS: Final = 10
PERCENT: Final = 100

FULLER, EMPTIER = 80.0, 50.0
"""Usages of which one is 15 points above the average, and half of them less than the threshold."""


def ten_times_next(h: Term, u: Term, k: Term) -> Term:
    """Ten times the next score."""
    return k * h + (TENTHS - k) * u


def within(score: Term, least: Term, most: Term) -> Term:
    """Ten times a score is between ten times the bounds."""
    return z3.And(TENTHS * least <= score, score <= TENTHS * most)


def steps(scope: Scope) -> tuple[Step, ...]:
    """From each round to the next; and where usage never changes, neither does the score."""
    weight = hypothesis("a weight in tenths, from 0 to 1", K >= 0, K <= TENTHS)
    seen = hypothesis("usages are between the least and the most", LEAST <= U, U <= MOST)
    named = hypothesis("`ten` is ten times the score", TEN == TENTHS * H)
    score = lemma(("at first", "next"), within(TEN, LEAST, MOST))
    products = (
        K * (H - LEAST) >= 0,
        K * (MOST - H) >= 0,
        (TENTHS - K) * (U - LEAST) >= 0,
        (TENTHS - K) * (MOST - U) >= 0,
    )
    return (
        Step("at first", (seen,), within(TENTHS * U, LEAST, MOST)),
        Step("products", (weight, seen, named, score), z3.And(*products)),
        Step(
            "next",
            (weight, seen, named, score, lemma("products", *products)),
            within(ten_times_next(H, U, K), LEAST, MOST),
        ),
        Step("constant", (weight,), ten_times_next(U, U, K) == TENTHS * U),
    )


def mutant_step(scope: Scope) -> Step:
    """The broken rule: the first usage is added to a history of 0."""
    first = ten_times_next(z3.IntVal(0), U, K)
    weight = (K >= 5, K <= TENTHS, U >= 1, LEAST <= U, U <= MOST)
    return Step("at first", weight, within(first, LEAST, MOST))


def trial_of(model: Model) -> ThresholdTrial:
    """Two brokers, one of which is above the threshold, with the history's weight of a model."""
    loads = [Traffic(throughput_in=60.0), Traffic(throughput_in=40.0)]
    traffic = {SOURCE: Traffic(throughput_in=100.0), OTHER: Traffic()}
    round_ = round_of({SOURCE: FULLER, OTHER: EMPTIER}, traffic, loads)
    config = ThresholdRules(history=number(model, K) / TENTHS, min_throughput=0.0)
    return ThresholdTrial(config=config, rounds=(round_,))


def arguments(random: Random) -> tuple[int, int, int]:
    """A score, a usage and a weight."""
    return random.randint(0, 200), random.randint(0, 200), random.randint(0, TENTHS)


def next_4_0(h: int, u: int, k: int) -> int:
    """Ten times the reference's next score, which is a whole number but for rounding."""
    return round(TENTHS * next_score(float(h), float(u), ThresholdRules(history=k / TENTHS)))


WITHIN_WHAT_WAS_SEEN: Final = Theorem(
    name="scores-stay-within-the-usages-seen",
    chapter="shedding",
    clauses=("SHD-82",),
    statement="A broker's score is never below its least usage nor above its greatest one, and "
    "does not change while its usage does not.",
    bound="any number of rounds, any usages, history in tenths (inductive invariant)",
    steps=steps,
    mutant=ReferenceMutant(
        broken="threshold-history-from-zero",
        sentence="The first usage is added to a history of 0.",
        step=mutant_step,
        trial=trial_of,
        question="shedding.threshold",
        right=PULSAR_4_0,
    ),
    cross_checks=(CrossCheck("the next score", arguments, partial(run, ten_times_next), next_4_0),),
)

THEOREMS: Final = (WITHIN_WHAT_WAS_SEEN,)
