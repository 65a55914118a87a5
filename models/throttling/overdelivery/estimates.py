"""Theorems: over-delivery by estimates, in bytes and in precise mode (THR-51, THR-52).

`held` stands for e · s, `real` for e · S, the bytes of a read as estimated and as they can be.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

import z3

from evenkeel.models.assumptions import Step, case, hypothesis
from evenkeel.models.terms import Model, Scope, Term, number, run
from evenkeel.models.theorem import Mutant, Theorem, Twin
from evenkeel.properties.kit.observations import Broke, Refused
from evenkeel.reference.throttling import overdelivery
from evenkeel.reference.throttling.reading import ceiling

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


class Bytes(NamedTuple):
    """A limit of so many bytes, of which some are taken, and an entry's size."""

    quota: int
    taken: int
    size: int


def never_step(scope: Scope) -> Step:
    """A read of one entry stays within the quota."""
    small = (1 <= R, R <= 1000, 0 <= TAKEN, TAKEN < R, 1 <= LARGEST, LARGEST <= 1000)
    return Step("bytes never exceeded", small, TAKEN + LARGEST <= R)


def bytes_of(model: Model) -> Bytes:
    """The trial of a model."""
    return Bytes(number(model, R), number(model, TAKEN), number(model, LARGEST))


def delivered(trial: Bytes) -> int:
    """What a period delivers: what is taken, and one entry more."""
    return trial.taken + trial.size


def within(trial: Bytes, bound: int | Refused | Broke) -> bool:
    """The bound covers what is delivered."""
    return isinstance(bound, int) and delivered(trial) <= bound


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
    mutant=Mutant(
        name="bytes-never-exceeded",
        sentence="A limit of R bytes means that at most R bytes are delivered in a period.",
        step=never_step,
        trial=bytes_of,
        broken=lambda trial: trial.quota,
        right=lambda trial: overdelivery.most_bytes(
            trial.quota, trial.size, trial.size, trial.quota, 1, 1
        ),
        promise=within,
    ),
    twins=(Twin("rounded up", divisions, lambda *v: run(round_up, *v), ceiling),),
)

THEOREMS: Final = (ESTIMATES,)
