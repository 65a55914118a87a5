"""Theorems: the token bucket's arithmetic (THR-15, THR-17, THR-20).

Products of two unknowns appear as one unknown: `flow` is elapsed · rate, `made` is tokens · period,
`spent` is time used · rate.
"""

from __future__ import annotations

from random import Random
from typing import Final

import z3

from evenkeel.properties.throttling.bucket import BucketTrial, Pass, Tokens
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel.reference.throttling import bucket as buckets
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

FLOW, MADE, SPENT, P, RATE = z3.Ints("flow made spent P r")
TOKENS, NEW, PENDING, CAPACITY, CONSUMED = z3.Ints("tokens new pending capacity consumed")
WORD: Final = 2**64
HALF: Final = 2**63
MINUTE: Final = 60_000_000_000


def wrap_long(product: Term) -> Term:
    """What 64 bits keep of a product."""
    return (product + HALF) % WORD - HALF


def fill_bucket(tokens: Term, new: Term, pending: Term, capacity: Term) -> Term:
    """The balance after a refill."""
    change = tokens + new - pending
    return z3.If(change < capacity, change, capacity)


def steps(scope: Scope) -> tuple[Step, ...]:
    """When a refill fits into 64 bits, what rounding keeps, and the capacity."""
    fits = z3.And(-HALF <= FLOW, FLOW < HALF)
    rounding = hypothesis(
        "a rate and a period of 1 or more; `made` and `spent` are quotients, rounded down",
        RATE >= 1,
        P >= 1,
        FLOW >= 0,
        MADE <= FLOW,
        FLOW < MADE + P,
        SPENT <= MADE,
        MADE < SPENT + RATE,
    )
    remaining = FLOW - SPENT
    return (
        Step("64 bits", (), (wrap_long(FLOW) == FLOW) == fits),
        Step(
            "no time is lost, less than a nanosecond won",
            (rounding,),
            z3.And(remaining >= FLOW - MADE, remaining < FLOW - MADE + RATE),
        ),
        Step(
            "within the capacity",
            (case("a refill brings something", NEW >= 1, PENDING >= 0, CONSUMED >= 0),),
            fill_bucket(TOKENS, NEW, PENDING, CAPACITY) - CONSUMED <= CAPACITY,
        ),
        Step(
            "consumption is subtracted whole",
            (case("it fits", NEW >= 0, PENDING >= 0, TOKENS + NEW - PENDING <= CAPACITY),),
            fill_bucket(TOKENS, NEW, PENDING, CAPACITY) == TOKENS + NEW - PENDING,
        ),
    )


def wrapping_step(scope: Scope) -> Step:
    """A refill of a minute and a nanosecond brings at least the rate."""
    flow = (MINUTE + 1) * RATE
    return Step("a minute's refill", (1 <= RATE, RATE < 2**40), wrap_long(flow) >= MINUTE * RATE)


def trial_of(model: Model) -> BucketTrial:
    """An empty bucket with the model's rate a minute, looked at after a minute."""
    rate = number(model, RATE)
    return BucketTrial(rate, MINUTE, 1, None, 0, False, (Pass(MINUTE + 1), Tokens()))


def flows(random: Random) -> tuple[int]:
    """A product, often near an end of 64 bits."""
    near = random.choice((0, HALF, WORD, 3 * HALF)) + random.randint(-2, 2)
    return (random.choice((near, random.randrange(0, 2**70))),)


def product_in_reference(flow: int) -> int:
    """The reference's product."""
    return buckets.product(flow, 1, PULSAR_4_0)


def fills(random: Random) -> tuple[int, int, int, int]:
    """Tokens, inflow, pending, capacity."""
    return (
        random.randint(-20, 20),
        random.randint(1, 30),
        random.randint(0, 20),
        random.randint(0, 25),
    )


def filled_in_reference(tokens: int, new: int, pending: int, capacity: int) -> int:
    """The reference's balance after a refill that brings exactly these tokens."""
    bucket = buckets.Bucket(1, 1, capacity, 1, tokens, 0, pending=pending)
    if new == pending:
        return min(tokens, capacity)
    return buckets.balance(bucket, new, DOCUMENTED)[1] if new > 1 else filled_of_one(bucket)


def filled_of_one(bucket: buckets.Bucket) -> int:
    """The same where one token comes, which one nanosecond alone does not bring."""
    slow = buckets.Bucket(1, 2, bucket.capacity, 1, bucket.tokens, 0, 0, bucket.pending)
    return buckets.balance(slow, 2, DOCUMENTED)[1]


REFILL: Final = Theorem(
    name="refill",
    chapter="throttling",
    clauses=("THR-15", "THR-17", "THR-20"),
    statement="A refill's product is exact if and only if it is below 2^63; the time left over is "
    "kept whole and gains less than a nanosecond; the balance never exceeds the capacity, and what "
    "was consumed is subtracted whole below it.",
    bound="every rate, period, time, capacity and balance; products as unknowns",
    steps=steps,
    mutant=ReferenceMutant(
        broken="PULSAR_4_0",
        sentence="In 64 bits a minute's refill brings a minute's tokens at every rate below 2^40.",
        step=wrapping_step,
        trial=trial_of,
        question="throttling.bucket",
    ),
    cross_checks=(
        CrossCheck("64 bits", flows, lambda *v: run(wrap_long, *v), product_in_reference),
        CrossCheck("filled", fills, lambda *v: run(fill_bucket, *v), filled_in_reference),
    ),
)

THEOREMS: Final = (REFILL,)
