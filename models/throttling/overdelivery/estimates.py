"""Theorems: over-delivery by estimates, in bytes and in precise mode (THR-51, THR-52).

`held` stands for e · s, `real` for e · S, the bytes of a read as estimated and as they can be.
"""

from __future__ import annotations

from random import Random
from typing import Final

import z3

from evenkeel.properties.throttling.sizing import EntriesForBytesTrial
from evenkeel.reference.throttling.reading import ceiling
from evenkeel.reference.throttling.sizing import Ledger, Position
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

R, TAKEN, SIZE, LARGEST, E, HELD, REAL = z3.Ints("R taken size largest e held real")
REST, V, Q = z3.Ints("rest v q")


def round_up(dividend: Term, divisor: Term) -> Term:
    """Division rounded up."""
    return (dividend + divisor - 1) / divisor


def steps(scope: Scope) -> tuple[Step, ...]:
    """One read, of one entry or of several; and precise mode with an exact average."""
    open_quota = case("a quota that is not used up", TAKEN >= 0, TAKEN < R, SIZE >= 1, LARGEST >= 1)
    several = case("several entries", E >= 2, HELD <= R - TAKEN, REAL - HELD >= 0)
    return (
        Step("one entry", (open_quota,), TAKEN + LARGEST <= R + (LARGEST - 1)),
        Step("several entries", (open_quota, several), TAKEN + REAL <= R + (REAL - HELD)),
        Step(
            "rounded up",
            (
                hypothesis(
                    "`q` is the rest divided by the average, rounded up",
                    REST >= 1,
                    V >= 1,
                    Q >= 0,
                    Q * V >= REST,
                    (Q - 1) * V < REST,
                ),
            ),
            Q * V <= REST + V - 1,
        ),
    )


def unlimited_step(scope: Scope) -> Step:
    """The broken rule: a read of as many entries as requested, however many bytes are left."""
    small = (1 <= R, R <= 1000, TAKEN == 0, 1 <= SIZE, SIZE <= 1000, 2 <= E, E <= 10)
    sizes = (HELD == E * SIZE, REAL == HELD)
    return Step("several entries", (*small, *sizes), TAKEN + REAL <= R + (REAL - HELD))


def trial_of(model: Model) -> EntriesForBytesTrial:
    """A read of as many entries as in a model, of their size, with its quota of bytes."""
    entries, size = number(model, E), number(model, SIZE)
    ledger = Ledger(entries, entries * size)
    return EntriesForBytesTrial(
        max_entries=entries,
        max_bytes=number(model, R),
        ledgers=(ledger,),
        writable=True,
        position=Position(0, 0),
        publish_size=size,
        dispatch_size=None,
    )


def divisions(random: Random) -> tuple[int, int]:
    """A dividend and a divisor."""
    return random.randint(0, 100), random.randint(1, 12)


ESTIMATES: Final = Theorem(
    name="estimates",
    chapter="throttling",
    clauses=("THR-51", "THR-52"),
    statement="One read exceeds a quota of bytes by at most S - 1 (one entry) or e (S - s) (e "
    "entries estimated at s); with an exact average a precise read exceeds its quota by less than "
    "one entry.",
    bound="every R, s, S, e; products as unknowns",
    steps=steps,
    mutant=ReferenceMutant(
        broken="bytes-do-not-limit-entries",
        sentence="A read asks for as many entries as it likes, however few bytes are left.",
        step=unlimited_step,
        trial=trial_of,
        question="throttling.entries_for_bytes",
    ),
    cross_checks=(CrossCheck("rounded up", divisions, lambda *v: run(round_up, *v), ceiling),),
)

THEOREMS: Final = (ESTIMATES,)
