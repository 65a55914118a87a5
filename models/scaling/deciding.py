"""Theorem: how far apart the thresholds must be for a merge to last (SCA-39)."""

from __future__ import annotations

from random import Random
from typing import Final

import z3

from evenkeel.models.assumptions import Step, hypothesis
from evenkeel.models.terms import Model, Scope, Term, number, run
from evenkeel.models.theorem import CrossCheck, ReferenceMutant, Theorem
from evenkeel.properties.scaling.loop import LoopTrial
from evenkeel.reference.scaling import deciding
from evenkeel.reference.scaling.deciding import Report, Snapshot
from evenkeel.reference.scaling.layout import HASHES, initial
from evenkeel.reference.scaling.loop import Load, Phase
from evenkeel.reference.scaling.settings import Rates, ReportRules, ScaleRules

SPLIT, MERGE = z3.Reals("split merge")
A, B, TRUE_A, TRUE_B = z3.Reals("a b true_a true_b")
S, M, HALF = z3.Ints("split_threshold merge_threshold half")
MINUTES: Final = 20


def lasts(one: Term, two: Term, split: Term) -> Term:
    """Both together are not split: they are not above the threshold."""
    return one + two <= split


def unwritten(true: Term, written: Term) -> Term:
    """A rate that differs by a quarter of the written one at most, which is not written again."""
    return z3.And(4 * (true - written) <= written, 4 * (written - true) <= written)


def steps(scope: Scope) -> tuple[Step, ...]:
    """By what is written, and by what is true."""
    cold = hypothesis("two cold segments", A >= 0, B >= 0, A < MERGE, B < MERGE)
    twice = hypothesis("splits from twice what merges are below", SPLIT >= 2 * MERGE)
    more = hypothesis("splits from two and a half times that", 2 * SPLIT >= 5 * MERGE)
    hidden = hypothesis("a quarter unwritten", unwritten(TRUE_A, A), unwritten(TRUE_B, B))
    return (
        Step("what is written is true", (cold, twice), lasts(A, B, SPLIT)),
        Step("a quarter is unwritten", (cold, more, hidden), lasts(TRUE_A, TRUE_B, SPLIT)),
    )


def closer_step(scope: Scope) -> Step:
    """Thresholds as 5.0 accepts them: that for splits is above that for merges."""
    sizes = (M < S, S <= 1000, HALF >= 0, HALF < M)
    return Step("closer thresholds", sizes, lasts(HALF, HALF, S))


def trial_of(model: Model) -> LoopTrial:
    """A topic with twice the rate of the halves."""
    config = ScaleRules(split_msg_in=float(number(model, S)), merge_msg_in=float(number(model, M)))
    load = Load(0, HASHES - 1, 2.0 * number(model, HALF))
    return LoopTrial(config, ReportRules(), 1, (Phase(MINUTES, (load,)),), 0, 0, 10_000, ())


def arguments(random: Random) -> tuple[int, int, int]:
    """Two rates and a threshold."""
    return random.randint(0, 50), random.randint(0, 50), random.randint(1, 100)


def lasts_in_reference(one: int, two: int, split: int) -> bool:
    """Whether the reference would not split the two together."""
    layout = initial(2)
    rates = (Report(Rates(msg_rate_in=float(one)), 0), Report(Rates(msg_rate_in=float(two)), 0))
    snapshot = Snapshot(layout, dict(enumerate(rates)), (), 0)
    first, second = layout.live
    return deciding.stays_below(snapshot, (first, second), ScaleRules(split_msg_in=float(split)))


MERGES_LAST: Final = Theorem(
    name="merges-last",
    chapter="scaling",
    clauses=("SCA-39", "SCA-24", "SCA-21"),
    statement="A merged segment is not split for the load that it was merged with, if the "
    "threshold for splits is at least twice that for merges; if a quarter of a rate may be "
    "unwritten, at least two and a half times.",
    bound="every rate and threshold, of one of the four",
    steps=steps,
    mutant=ReferenceMutant(
        broken="sums-do-not-hold-segments",
        sentence="The threshold for splits is above that for merges, and no more.",
        step=closer_step,
        trial=trial_of,
        question="scaling.loop",
    ),
    cross_checks=(CrossCheck("lasts", arguments, lambda *v: run(lasts, *v), lasts_in_reference),),
)

THEOREMS: Final = (MERGES_LAST,)
