"""Theorem: the initial division of the hash space is legal and equal, for every count (BUN-12)."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.properties.bundles.boundaries import CreationTrial
from evenkeel.reference.bundles.boundaries import initial_boundaries
from evenkeel.reference.bundles.ranges import HASH_COUNT, TOP_HASH
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

MOST: Final = HASH_COUNT - 1
"""Beyond this count the last bundle would be empty. A count in Pulsar is below 2^31."""

N: Final = z3.Int("n")
K: Final = z3.Int("k")


def size_of(count: Term) -> Term:
    """The size of all bundles but the last: 2^32 divided by the count, rounded down."""
    return z3.IntVal(HASH_COUNT) / count


def boundary(count: Term, index: Term) -> Term:
    """Boundary `index` of `count` equal bundles: the last one is 0xffffffff."""
    return z3.If(index == count, TOP_HASH, size_of(count) * index)


def steps(scope: Scope) -> tuple[Step, ...]:
    """The product of the size and the index is what makes this hard for a solver.

    `size` is the size, defined as a quotient. Two facts about it come
    first; each later step names those that it needs.
    """
    size, rest = z3.Ints("size rest")
    divided = hypothesis(
        "a count from 1 to 2^32 − 1; the size is the quotient of 2^32 and the count",
        scope.size(N),
        1 <= N,
        MOST >= N,
        size * N + rest == HASH_COUNT,
        0 <= rest,
        rest < N,
    )
    positive = size >= 1
    room = size * N - size < TOP_HASH
    sized = lemma("every bundle has room", positive)
    inner = (sized, case("any inner bundle", 0 <= K, K + 1 < N))

    def at(index: Term) -> Term:
        return z3.If(index == N, TOP_HASH, size * index)

    hashes_of_last = TOP_HASH - at(N - 1) + 1
    return (
        Step("the size is the quotient", (divided,), size == size_of(N)),
        Step("every bundle has room", (divided,), positive),
        Step("the last one has room", (divided, sized), room),
        Step("the ends", (divided,), z3.And(at(z3.IntVal(0)) == 0, at(N) == TOP_HASH)),
        Step("inner boundaries increase", inner, at(K) < at(K + 1)),
        Step(
            "the last boundary increases",
            (divided, lemma("the last one has room", room)),
            at(N - 1) < at(N),
        ),
        Step("equal sizes", inner, at(K + 1) - at(K) == size),
        Step("the last takes the remainder", (divided,), hashes_of_last == size + rest),
    )


def mutant_step(scope: Scope) -> Step:
    """Inner boundaries are multiples of the size."""
    inner = (N >= 1, scope.size(N), 0 <= K, K < N)
    return Step("equal sizes", inner, (z3.IntVal(TOP_HASH) / N * K) == boundary(N, K))


def arguments(random: Random) -> tuple[int, int]:
    """A count and an index of a boundary, often the last."""
    count = random.choice((1, 2, 3, 4, 9, 128, random.randint(1, 5000)))
    return count, random.choice((0, count, count - 1, random.randint(0, count)))


INITIAL_DIVISION: Final = Theorem(
    name="initial-division",
    chapter="bundles",
    clauses=("BUN-12", "BUN-10"),
    statement="For every n from 1 to 2^32 - 1 the boundaries i * floor(2^32 / n), and 2^32 - 1 at "
    "the end, strictly increase from 0 to 2^32 - 1; all bundles but the last hold "
    "floor(2^32 / n) hashes, the last one 2^32 mod n more.",
    bound="every count from 1 to 2^32 - 1 (a count in Pulsar is below 2^31), every index",
    steps=steps,
    mutant=ReferenceMutant(
        broken="divide-top",
        sentence="Inner boundaries are multiples of floor((2^32 - 1) / n).",
        step=mutant_step,
        trial=lambda model: CreationTrial(number(model, N), None, 4),
        question="bundles.creation",
    ),
    cross_checks=(
        CrossCheck(
            "boundary of equal bundles",
            arguments,
            partial(run, boundary),
            lambda count, index: initial_boundaries(count)[index],
        ),
    ),
)

THEOREMS: Final = (INITIAL_DIVISION,)
