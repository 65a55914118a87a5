"""Theorems: what an excess leaves of later periods, and that nothing is lost (THR-55, THR-56)."""

from __future__ import annotations

from random import Random
from typing import Final

import z3

from evenkeel.models.throttling.overdelivery.steps import lower_count
from evenkeel.properties.throttling.counter import CounterTrial, Take
from evenkeel.properties.throttling.trial_parts import Advance, Look
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling.counter import Counter
from evenkeel_engine.proofs.assumptions import Step, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

R, X, J, TAKEN, CHARGED, SUM = z3.Ints("R x j taken charged sum")
PERIOD: Final = 1000


def still_owed(excess: Term, quota: Term, ends: Term) -> Term:
    """What of R + x is still taken after j ends of periods: max(0, R + x − j R)."""
    rest = quota + excess - ends * quota
    return z3.If(rest > 0, rest, z3.IntVal(0))


def left(taken: Term, quota: Term) -> Term:
    """What is left of a quota."""
    return z3.If(taken < quota, quota - taken, z3.IntVal(0))


def steps(scope: Scope) -> tuple[Step, ...]:
    """Induction over ends of periods; and one action's balance."""
    sorts = hypothesis("a quota of 1 or more, an excess of 0 or more", R >= 1, X >= 0, J >= 0)
    taken = hypothesis("nothing below 0 is taken or charged", R >= 1, TAKEN >= 0, CHARGED >= 0)
    owed = lemma(("at first", "one end more"), TAKEN == still_owed(X, R, J))
    removed = TAKEN - lower_count(TAKEN, R)
    least = z3.If(TAKEN < R, TAKEN, R)
    return (
        Step("at first", (sorts,), R + X == still_owed(X, R, z3.IntVal(0))),
        Step("one end more", (sorts, owed), lower_count(TAKEN, R) == still_owed(X, R, J + 1)),
        Step("an end removes min(R, a)", (taken,), removed == least),
        Step(
            "charges and ends balance",
            (taken,),
            lower_count(TAKEN + CHARGED, R) - TAKEN
            == CHARGED - z3.If(TAKEN + CHARGED < R, TAKEN + CHARGED, R),
        ),
    )


def reset_step(scope: Scope) -> Step:
    """A counter that is set to 0 leaves the same quota."""
    sizes = (1 <= R, R <= 20, 0 <= X, X <= 60)
    return Step("reset", sizes, left(z3.IntVal(0), R) == left(still_owed(X, R, z3.IntVal(1)), R))


def trial_of(model: Model) -> CounterTrial:
    """R + x taken, one period's end, a look."""
    quota, excess = number(model, R), number(model, X)
    commands = (Take(quota + excess), Advance(PERIOD), Look())
    return CounterTrial(True, quota, PERIOD, commands)


def arguments(random: Random) -> tuple[int, int, int]:
    """An excess, a quota, a number of ends."""
    return random.randint(0, 60), random.randint(1, 15), random.randint(0, 8)


def owed_in_reference(excess: int, quota: int, ends: int) -> int:
    """What is still taken in the reference."""
    counter = Counter(quota, 1, True, quota + excess)
    for _ in range(ends):
        counter = counters.period_ends(counter, 1)
    return counter.taken


PAID_OFF: Final = Theorem(
    name="paid-off",
    chapter="throttling",
    clauses=("THR-55", "THR-56", "THR-9"),
    statement="After R + x taken, j ends of periods leave max(0, R + x - j R) taken; each end "
    "removes min(R, a), and nothing else changes what is taken but charges.",
    bound="every R, x, j",
    steps=steps,
    mutant=ReferenceMutant(
        broken="excess-forgotten",
        sentence="The counter is reset at the end of the period.",
        step=reset_step,
        trial=trial_of,
        question="throttling.counter",
    ),
    cross_checks=(
        CrossCheck("owed", arguments, lambda *v: run(still_owed, *v), owed_in_reference),
    ),
)

THEOREMS: Final = (PAID_OFF,)
