"""Theorem: smoothed scores and averages stay within what was seen (LOA-10, LOA-24 to LOA-29)."""

from __future__ import annotations

from random import Random
from typing import Final

import z3

from evenkeel.properties.load.history import HistoryTrial, Look
from evenkeel.reference.load import averages, history
from evenkeel.reference.load.averages import Average
from evenkeel.reference.load.history import Keeper, Seen
from evenkeel.reference.load.traffic import Traffic
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, number
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

LOW, HIGH, SCORE, USAGE, WEIGHT = z3.Reals("low high score usage weight")
SAMPLES, PERCENT, TENTHS = z3.Ints("samples percent tenths")
BROKER: Final = "broker-1:8080"


def take_look(score: Term, usage: Term, weight: Term) -> Term:
    """The score after one more look."""
    return weight * score + (1 - weight) * usage


def take_sample(samples: Term, average: Term, sample: Term) -> Term:
    """The average with one more sample, `samples` of them in all."""
    return ((samples - 1) * average + sample) / samples


def within(value: Term) -> Term:
    """Between the least and the largest that was seen."""
    return z3.And(value >= LOW, value <= HIGH)


def steps(scope: Scope) -> tuple[Step, ...]:
    """The first look, every further one, a constant usage, and averages of samples."""
    weights = hypothesis("a weight from 0 to 1", WEIGHT >= 0, WEIGHT <= 1)
    seen = hypothesis("every usage seen is between the least and the most", within(USAGE))
    score = lemma(("first look", "further looks"), within(SCORE))
    average = lemma(("first sample", "averages"), within(SCORE))
    constant = case("the usage was always the same", SCORE == USAGE)
    after = take_look(SCORE, USAGE, WEIGHT)
    return (
        Step("first look", (seen,), within(USAGE)),
        Step("further looks", (weights, score, seen), within(after)),
        Step("constant usage", (weights, constant), after == USAGE),
        Step("distance", (weights,), after - USAGE == WEIGHT * (SCORE - USAGE)),
        Step("first sample", (seen,), within(USAGE)),
        Step(
            "averages",
            (case("one sample more", SAMPLES >= 1), average, seen),
            within(take_sample(z3.ToReal(SAMPLES), SCORE, USAGE)),
        ),
    )


def from_zero_step(scope: Scope) -> Step:
    """A history that begins at zero holds a usage that never changed."""
    usage, weight = z3.ToReal(PERCENT) / 100, z3.ToReal(TENTHS) / 10
    small = (PERCENT >= 0, PERCENT <= 100, TENTHS >= 0, TENTHS <= 10)
    return Step("from zero", small, take_look(z3.RealVal(0), usage, weight) == usage)


def trial_of(model: Model) -> HistoryTrial:
    """One look at one broker with the usage of a model."""
    seen = Seen(BROKER, float(number(model, PERCENT)), 1, 1.0)
    return HistoryTrial(Keeper.THRESHOLD_SHEDDER, number(model, TENTHS) / 10, (Look((seen,)),))


def exact(value: Term) -> float:
    """The value of a term without unknowns; a float holds it without rounding."""
    fraction = z3.simplify(value).as_fraction()
    return float(fraction.numerator) / float(fraction.denominator)


def eighths(random: Random) -> tuple[float, float, float]:
    """A score, a usage and a weight that floats and their products hold exactly."""
    return random.randint(0, 800) / 8, random.randint(0, 800) / 8, random.randint(0, 8) / 8


def smoothed_by_rule(score: float, usage: float, weight: float) -> float:
    """The rule, executed."""
    return exact(take_look(*(z3.RealVal(value) for value in (score, usage, weight))))


def powers(random: Random) -> tuple[int, float, float]:
    """A number of samples by which floats divide exactly, an average and a sample."""
    return 2 ** random.randint(0, 9), random.randint(0, 800) / 8, random.randint(0, 800) / 8


def averaged_by_rule(samples: int, average: float, sample: float) -> float:
    """The rule, executed."""
    return exact(take_sample(z3.RealVal(samples), z3.RealVal(average), z3.RealVal(sample)))


def averaged_by_reference(samples: int, average: float, sample: float) -> float:
    """The reference's long-term average of n samples, including the new one."""
    before = Average(samples - 1, averages.LONG_TERM_SAMPLES, Traffic(average))
    return averages.with_sample(before, Traffic(sample)).traffic.msg_rate_in


WITHIN_WHAT_WAS_SEEN: Final = Theorem(
    name="within-what-was-seen",
    chapter="load",
    clauses=("LOA-10", "LOA-24", "LOA-25", "LOA-29"),
    statement="With a weight from 0 to 1 a smoothed score lies between the least and the largest "
    "usage since its first look, equals a usage that never changes, and comes nearer to a new one "
    "by the weight at each look. Averages lie between the least and the largest sample.",
    bound="any number of looks and samples, by induction; real numbers",
    steps=steps,
    mutant=ReferenceMutant(
        broken="history-begins-at-zero",
        sentence="A history that begins at 0 makes no difference.",
        step=from_zero_step,
        trial=trial_of,
        question="load.history",
    ),
    cross_checks=(
        CrossCheck("smoothing", eighths, smoothed_by_rule, history.smooth),
        CrossCheck("averaging", powers, averaged_by_rule, averaged_by_reference),
    ),
)

THEOREMS: Final = (WITHIN_WHAT_WAS_SEEN,)
