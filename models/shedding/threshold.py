"""Theorem: ThresholdShedder's scores stay between the least and the greatest usage seen (SHD-82).

Usages are whole numbers and the history counts for k tenths, so ten times the next score is
k·h + (10 − k)·u. The unit is left open, so this is as good as any usage.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.models.assumptions import Step, hypothesis, shown
from evenkeel.models.shedding.trial_parts import OTHER, SOURCE, round_of
from evenkeel.models.terms import Model, Scope, Term, number, run
from evenkeel.models.theorem import Mutant, Theorem, Twin
from evenkeel.properties.kit.observations import Broke, Refused
from evenkeel.properties.shedding.threshold import ThresholdTrial, answer_threshold
from evenkeel.properties.shedding.trial_parts import SheddingAnswer, cluster_of, shed_of
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import max_weighted_usage
from evenkeel.reference.shedding import threshold
from evenkeel.reference.shedding.cluster import BrokerId
from evenkeel.reference.shedding.threshold import Scores, ThresholdRules, next_score

H, U, K, LEAST, MOST, TEN = z3.Ints("h u k least most ten")
TENTHS: Final = 10
PERCENT: Final = 100

FULLER, EMPTIER = 66.0, 50.0
"""Usages of which one is eight points above the average: less than the threshold."""


def ten_times_next(h: Term, u: Term, k: Term) -> Term:
    """Ten times the next score."""
    return k * h + (TENTHS - k) * u


def ten_times_sum(h: Term, u: Term, k: Term) -> Term:
    """The broken rule: the usage counts whole."""
    return k * h + TENTHS * u


def within(score: Term, least: Term, most: Term) -> Term:
    """Ten times a score is between ten times the bounds."""
    return z3.And(TENTHS * least <= score, score <= TENTHS * most)


def steps(scope: Scope) -> tuple[Step, ...]:
    """From each round to the next; and where usage never changes, neither does the score."""
    weight = hypothesis("a weight in tenths, from 0 to 1", K >= 0, K <= TENTHS)
    seen = hypothesis("usages are between the least and the most", LEAST <= U, U <= MOST)
    named = hypothesis("`ten` is ten times the score", TEN == TENTHS * H)
    score = shown(("at first", "next"), within(TEN, LEAST, MOST))
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
            (weight, seen, named, score, shown("products", *products)),
            within(ten_times_next(H, U, K), LEAST, MOST),
        ),
        Step("constant", (weight,), ten_times_next(U, U, K) == TENTHS * U),
    )


def mutant_step(scope: Scope) -> Step:
    """The broken rule with a usage that does not change."""
    return Step("constant", (K >= 5, K <= TENTHS, U >= 1), ten_times_sum(U, U, K) == TENTHS * U)


def trial_of(model: Model) -> ThresholdTrial:
    """Two brokers whose usage does not change, with the history's weight of a model."""
    return threshold_trial(number(model, K))


def threshold_trial(tenths: int) -> ThresholdTrial:
    """The same reports twice; neither broker is above the threshold."""
    loads = [Traffic(throughput_in=60.0), Traffic(throughput_in=40.0)]
    traffic = {SOURCE: Traffic(throughput_in=100.0), OTHER: Traffic()}
    round_ = round_of({SOURCE: FULLER, OTHER: EMPTIER}, traffic, loads)
    config = ThresholdRules(history=tenths / TENTHS, min_throughput=0.0)
    return ThresholdTrial(config=config, rounds=(round_, round_))


def answer_by(rule: Callable[..., Term], trial: ThresholdTrial) -> SheddingAnswer:
    """A rule for the scores executed on a trial of this module."""
    rules, tenths = trial.config, round(trial.config.history * TENTHS)
    history: dict[BrokerId, float] = {}
    rounds = []
    for round_ in trial.rounds:
        cluster = cluster_of(round_, {})
        for broker, report in cluster.brokers.items():
            usage = round(max_weighted_usage(report.resources, rules.weights) * PERCENT)
            before = history.get(broker)
            known = TENTHS * usage
            if before is not None:
                known = run(rule, round(before * PERCENT), usage, tenths)
            history[broker] = known / TENTHS / PERCENT
        scores = Scores(history, sum(history.values()) / len(history))
        shed = threshold.above_threshold(scores, cluster, rules, PULSAR_4_0)
        rounds.append(shed_of(shed))
    return SheddingAnswer(tuple(rounds))


def sheds_nothing(trial: ThresholdTrial, answer: SheddingAnswer | Refused | Broke) -> bool:
    """What was not above the threshold does not come above it by waiting."""
    return isinstance(answer, SheddingAnswer) and not any(answer.rounds)


def arguments(random: Random) -> tuple[int, int, int]:
    """A score, a usage and a weight."""
    return random.randint(0, 200), random.randint(0, 200), random.randint(0, TENTHS)


def next_4_0(h: int, u: int, k: int) -> int:
    """Ten times the reference's next score, which is a whole number but for rounding."""
    score = next_score(float(h), float(u), ThresholdRules(history=k / TENTHS))
    return round(TENTHS * score)


WITHIN_WHAT_WAS_SEEN: Final = Theorem(
    name="scores-stay-within-the-usages-seen",
    chapter="shedding",
    clauses=("SHD-82",),
    statement="A broker's score is never below its least usage nor above its greatest one, and "
    "does not change while its usage does not.",
    bound="any number of rounds, any usages, history in tenths (inductive invariant)",
    steps=steps,
    mutant=Mutant(
        name="usage-counts-whole",
        sentence="The usage is added to the history without its weight.",
        step=mutant_step,
        trial=trial_of,
        broken=partial(answer_by, ten_times_sum),
        right=partial(answer_threshold, edition=PULSAR_4_0),
        promise=sheds_nothing,
    ),
    twins=(Twin("the next score", arguments, partial(run, ten_times_next), next_4_0),),
)

THEOREMS: Final = (WITHIN_WHAT_WAS_SEEN,)
