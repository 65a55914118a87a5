"""Theorems: how far apart the thresholds must be for merges and splits to last (SCA-39)."""

from __future__ import annotations

from random import Random
from typing import Final

import z3

from evenkeel.properties.scaling.loop import LoopTrial
from evenkeel.reference.scaling import deciding
from evenkeel.reference.scaling.deciding import Report, Snapshot
from evenkeel.reference.scaling.layout import HASHES, initial
from evenkeel.reference.scaling.loop import Load, Phase
from evenkeel.reference.scaling.settings import Rates, ReportRules, ScaleRules
from evenkeel_engine.proofs.assumptions import Step, hypothesis
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

SPLIT, MERGE = z3.Reals("split merge")
A, B, TRUE_A, TRUE_B = z3.Reals("a b true_a true_b")
S, M, HALF = z3.Ints("split_threshold merge_threshold half")
MINUTES: Final = 20


def lasts(one: Term, two: Term, split: Term) -> Term:
    """Both together are not split: they are not above the threshold."""
    return one + two <= split


def is_unwritten(true: Term, written: Term) -> Term:
    """A rate that differs by a quarter of the written one at most, which is not written again."""
    return z3.And(4 * (true - written) <= written, 4 * (written - true) <= written)


def steps(scope: Scope) -> tuple[Step, ...]:
    """By what is written, and by what is true."""
    cold = hypothesis("two cold segments", A >= 0, B >= 0, A < MERGE, B < MERGE)
    twice = hypothesis("splits from twice what merges are below", SPLIT >= 2 * MERGE)
    more = hypothesis("splits from two and a half times that", 2 * SPLIT >= 5 * MERGE)
    hidden = hypothesis("a quarter unwritten", is_unwritten(TRUE_A, A), is_unwritten(TRUE_B, B))
    return (
        Step("what is written is true", (cold, twice), lasts(A, B, SPLIT)),
        Step("a quarter is unwritten", (cold, more, hidden), lasts(TRUE_A, TRUE_B, SPLIT)),
    )


def stays_split(one: Term, two: Term, merge: Term) -> Term:
    """Two halves are not merged: one of them is not cold."""
    return z3.Or(one >= merge, two >= merge)


def halves_steps(scope: Scope) -> tuple[Step, ...]:
    """By what is written, by what is true, and that no other threshold will do."""
    halves = hypothesis("two halves", A >= 0, B >= 0)
    twice = hypothesis("splits from twice what merges are below", SPLIT >= 2 * MERGE)
    more = hypothesis("splits from eight thirds of that", 3 * SPLIT >= 8 * MERGE)
    above = hypothesis("both together above", A + B > SPLIT)
    hidden = hypothesis("a quarter unwritten", TRUE_A > SPLIT, is_unwritten(A + B, TRUE_A))
    closer = hypothesis("thresholds closer than that", SPLIT > MERGE, SPLIT < 2 * MERGE)
    between = (SPLIT + 2 * MERGE) / 2
    undone = z3.And(between > SPLIT, z3.Not(stays_split(between / 2, between / 2, MERGE)))
    return (
        Step("what is written is true", (halves, above, twice), stays_split(A, B, MERGE)),
        Step("a quarter is unwritten", (halves, hidden, more), stays_split(A, B, MERGE)),
        Step("some load is split and merged in turn", (closer,), undone),
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


def stays_split_in_reference(one: int, two: int, merge: int) -> bool:
    """Whether the reference would not merge the two for being cold."""
    rules = ScaleRules(merge_msg_in=float(merge), merge_window=0)
    rates = (Report(Rates(msg_rate_in=float(one)), 0), Report(Rates(msg_rate_in=float(two)), 0))
    snapshot = Snapshot(initial(2), dict(enumerate(rates)), (), 0)
    return not all(deciding.is_cold(snapshot, half, rules) for half in snapshot.layout.live)


CLOSER: Final = ReferenceMutant(
    broken="sums-do-not-hold-segments",
    sentence="The threshold for splits is above that for merges, and no more.",
    step=closer_step,
    trial=trial_of,
    question="scaling.loop",
)

MERGES_LAST: Final = Theorem(
    name="merges-last",
    chapter="scaling",
    clauses=("SCA-39", "SCA-24", "SCA-21"),
    statement="A merged segment is not split for the load that it was merged with, if the "
    "threshold for splits is at least twice that for merges; if a quarter of a rate may be "
    "unwritten, at least two and a half times.",
    bound="every rate and threshold, of one of the four",
    steps=steps,
    mutant=CLOSER,
    cross_checks=(CrossCheck("lasts", arguments, lambda *v: run(lasts, *v), lasts_in_reference),),
)

SPLITS_LAST: Final = Theorem(
    name="splits-last",
    chapter="scaling",
    clauses=("SCA-39", "SCA-43", "SCA-24", "SCA-21"),
    statement="The halves of a segment are not merged for the load that it was split with, if the "
    "threshold for splits is at least twice that for merges; if a quarter of a rate may be "
    "unwritten, at least eight thirds. For any closer ones some load is split and merged in turn.",
    bound="every rate and threshold, of one of the four; however the halves differ",
    steps=halves_steps,
    mutant=CLOSER,
    cross_checks=(
        CrossCheck(
            "stays split", arguments, lambda *v: run(stays_split, *v), stays_split_in_reference
        ),
    ),
)

THEOREMS: Final = (MERGES_LAST, SPLITS_LAST)
