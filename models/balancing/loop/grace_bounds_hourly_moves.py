"""Theorem: grace bounds how often a bundle is moved within an hour, whatever happens (BAL-8).

Rounds are `interval` apart, and a bundle moves again in a later round, when `grace` is over: so
after max(⌈grace / interval⌉, 1) × interval at least. `count` moves span at least `count` - 1 times
that; so within an hour there are at most ⌈hour / that⌉.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.models.balancing.loop.small_bundles_not_shed_back import swinging_trial
from evenkeel.properties.balancing.loop.judge import may_move_again as may_move_again_by_clause
from evenkeel.properties.balancing.loop.judge import most_unloads
from evenkeel.reference.shedding.cluster import MINUTE
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

GRACE, INTERVAL, ROUNDS, SINCE = z3.Ints("grace interval rounds since")
COUNT, SPAN, APART, MOST, HOUR, WHOLE = z3.Ints("count span apart most hour whole")


def may_move_again(since: Term, grace: Term) -> Term:
    """Whether a bundle may move so long after it moved last."""
    return since >= grace


def least_apart(grace: Term, interval: Term) -> Term:
    """The time between two moves of a bundle, at least: the rounds that a grace period takes."""
    return z3.If(grace > 0, most_in(grace, interval), 1) * interval


def most_in(hour: Term, apart: Term) -> Term:
    """How often something happens within this time at most: the quotient, rounded up."""
    return (hour + apart - 1) / apart


def most_moves(hour: Term, grace: Term, interval: Term) -> Term:
    """BAL-8's bound."""
    return most_in(hour, least_apart(grace, interval))


def steps(scope: Scope) -> tuple[Step, ...]:
    """Whole rounds; the first move, one move more; and how many fit into an hour."""
    return (*apart_steps(), *count_steps())


def apart_steps() -> tuple[Step, ...]:
    """Two moves of a bundle are whole rounds apart, and so by its grace period at least."""
    settings = hypothesis(
        "an interval above 0, a grace period of 0 or more", INTERVAL > 0, GRACE >= 0
    )
    rounds = hypothesis("rounds are one interval apart", SINCE == ROUNDS * INTERVAL)
    quotient = hypothesis(
        "`whole` is the grace period divided by the interval, rounded up, and 1 at least",
        z3.Or(z3.And(GRACE == 0, WHOLE == 1), (WHOLE - 1) * INTERVAL < GRACE),
        GRACE <= WHOLE * INTERVAL,
        WHOLE >= 1,
    )
    later = case("it moves again, in a later round", may_move_again(SINCE, GRACE), SINCE > 0)
    return (
        Step("quotient", (settings, quotient), WHOLE * INTERVAL > 0),
        Step(
            "more rounds", (settings, rounds, quotient, later), (ROUNDS - WHOLE + 1) * INTERVAL > 0
        ),
        Step(
            "whole rounds",
            (settings, lemma("more rounds", (ROUNDS - WHOLE + 1) * INTERVAL > 0)),
            ROUNDS >= WHOLE,
        ),
        Step(
            "rounds are time",
            (settings, lemma("whole rounds", ROUNDS >= WHOLE)),
            (ROUNDS - WHOLE) * INTERVAL >= 0,
        ),
        Step(
            "apart",
            (rounds, lemma("rounds are time", (ROUNDS - WHOLE) * INTERVAL >= 0)),
            SINCE >= WHOLE * INTERVAL,
        ),
    )


def count_steps() -> tuple[Step, ...]:
    """How many moves that are so far apart fit into an hour."""
    positive = lemma("quotient", APART > 0)
    spans = lemma(("at first", "one more"), SPAN >= (COUNT - 1) * APART)
    hour = hypothesis("an hour is more than no time", HOUR > 0)
    ceiling = lemma("rounded up", MOST * APART >= HOUR, (MOST - 1) * APART < HOUR)
    more = (MOST - COUNT + 1) * APART > 0
    return (
        Step("at first", (positive,), 0 * APART >= (z3.IntVal(1) - 1) * APART),
        Step(
            "one more",
            (positive, spans, lemma("apart", SINCE >= APART)),
            SPAN + SINCE >= (COUNT + 1 - 1) * APART,
        ),
        Step(
            "in an hour",
            (positive, spans, hour, ceiling, case("all within an hour", SPAN < HOUR)),
            more,
        ),
        Step("at most", (positive, lemma("in an hour", more)), COUNT <= MOST),
        Step(
            "rounded up",
            (
                positive,
                hour,
                hypothesis("`most` is an hour divided, rounded up", MOST == most_in(HOUR, APART)),
            ),
            z3.And(MOST * APART >= HOUR, (MOST - 1) * APART < HOUR),
        ),
    )


def mutant_step(scope: Scope) -> Step:
    """The broken rule, a bundle may always move; a round a minute, and some minutes of grace."""
    small = (INTERVAL == 1, GRACE >= 2, GRACE <= 5, SINCE == ROUNDS * INTERVAL, ROUNDS >= 1)
    return Step("apart", small, SINCE >= least_apart(GRACE, INTERVAL))


def about_over(random: Random) -> tuple[int, int]:
    """A time since a bundle was moved, and a grace period, in minutes."""
    grace = random.randrange(40)
    return max(grace + random.randint(-2, 2), 0), grace


def free_by_clause(since: int, grace: int) -> bool:
    """Whether a bundle may move by BAL-4, as it is judged in DOCUMENTED."""
    return may_move_again_by_clause(since * MINUTE, grace * MINUTE, exact=False)


def grace_and_interval(random: Random) -> tuple[int, int, int]:
    """An hour, a grace period and the time between two rounds, in minutes."""
    return 60, random.randrange(90), random.randint(1, 30)


def most_by_clause(hour: int, grace: int, interval: int) -> int:
    """BAL-8's bound as it is judged."""
    return most_unloads(grace * MINUTE, interval * MINUTE)


FEW_MOVES: Final = Theorem(
    name="grace-bounds-moves-in-an-hour",
    chapter="balancing",
    clauses=("BAL-4", "BAL-8"),
    statement="If a bundle moves only in rounds, once in each at most, and only when its grace "
    "period is over since it moved last, it moves at most "
    "⌈60 min / (max(⌈grace / interval⌉, 1) × interval)⌉ times in any hour, whatever the strategy "
    "and the load.",
    bound="any number of rounds, any grace period and interval (inductive invariant)",
    steps=steps,
    mutant=ReferenceMutant(
        broken="grace-unknown",
        sentence="The leader forgets when a bundle moved: it may move again at once.",
        step=mutant_step,
        trial=lambda model: swinging_trial(grace_minutes=number(model, GRACE)),
        question="balancing.loop",
    ),
    cross_checks=(
        CrossCheck(
            "whether a bundle may move", about_over, partial(run, may_move_again), free_by_clause
        ),
        CrossCheck("the bound", grace_and_interval, partial(run, most_moves), most_by_clause),
    ),
)

THEOREMS: Final = (FEW_MOVES,)
