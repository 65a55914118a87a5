"""Theorems: binary search finds the bundle of a hash (BUN-15 to BUN-18).

Two searches. The reference's is `bisect_right` over all boundaries, less one, clamped to the last
bundle. Apache Pulsar's is `java.util.Arrays.binarySearch` over all boundaries, and where it finds
nothing, the place before the insertion point. Both are loops; each is shown to keep an invariant,
to shrink the part that is still to be searched, and to stop at the right bundle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import z3

from evenkeel.models import samples
from evenkeel.models.bundles.boundaries.terms import Divided, any_boundaries
from evenkeel.models.terms import is_hash
from evenkeel.properties.bundles.lookup import HashLookupTrial
from evenkeel.reference.bundles.lookup import PastLastBundle, bundle_index
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, evaluate, half, make_list, number
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

Round = Callable[[Divided, Term, Term, Term], tuple[Term, Term]]
"""One pass of a search loop: the part still to be searched, before and after."""

Search = Callable[[Divided, Term, int], Term]
"""A whole search in at most n rounds: the index of the bundle."""

P: Final = any_boundaries()
H: Final = z3.Int("h")
LO, HI = z3.Ints("lo hi")


# ---------------------------------------------------------------------------- bisect_right


def bisect_right_round(p: Divided, hash_: Term, lo: Term, hi: Term) -> tuple[Term, Term]:
    """Left of the middle if the hash is below the boundary there, else right of it."""
    middle = half(lo + hi)
    left = hash_ < p.at(middle)
    return z3.If(left, lo, middle + 1), z3.If(left, middle, hi)


def bisect_left_round(p: Divided, hash_: Term, lo: Term, hi: Term) -> tuple[Term, Term]:
    """The broken round: left also where the hash equals the boundary."""
    middle = half(lo + hi)
    left = hash_ <= p.at(middle)
    return z3.If(left, lo, middle + 1), z3.If(left, middle, hi)


def clamp(p: Divided, place: Term) -> Term:
    """The bundle before a place among the boundaries, at most the last one."""
    return z3.If(place - 1 < p.count - 1, place - 1, p.count - 1)


def bisect_with(round_: Round) -> Search:
    """The search `while lo < hi`, from all boundaries."""

    def search(p: Divided, hash_: Term, rounds: int) -> Term:
        lo, hi = z3.IntVal(0), p.count + 1
        for _ in range(rounds):
            further = round_(p, hash_, lo, hi)
            lo, hi = (z3.If(lo < hi, new, old) for new, old in zip(further, (lo, hi), strict=True))
        return clamp(p, lo)

    return search


def bisect_invariant(lo: Term, hi: Term) -> Term:
    """Boundaries before `lo` are not above the hash, boundaries from `hi` on are."""
    return z3.And(
        z3.And(0 <= lo, lo <= hi, hi <= P.count + 1),
        z3.Implies(lo > 0, P.at(lo - 1) <= H),
        z3.Implies(hi <= P.count, H < P.at(hi)),
    )


def bisect_steps(scope: Scope) -> tuple[Step, ...]:
    """The invariant holds at the start, is preserved, the loop ends, and where it ends is right."""
    legal = hypothesis("legal boundaries (BUN-2), any hash", *P.legal(scope), is_hash(H))
    invariant = lemma(("start", "round"), bisect_invariant(LO, HI))
    inside = (legal, invariant, case("the loop continues", LO < HI))
    lo, hi = bisect_right_round(P, H, LO, HI)
    return (
        Step("start", (legal,), bisect_invariant(z3.IntVal(0), P.count + 1)),
        Step("round", inside, bisect_invariant(lo, hi)),
        Step("progress", inside, z3.And(0 <= hi - lo, hi - lo < HI - LO)),
        Step(
            "end",
            (legal, invariant, case("the loop is over", z3.Not(LO < HI))),
            P.holds(clamp(P, LO), H),
        ),
    )


# ----------------------------------------------------------------------------- binarySearch


def pulsar_round(p: Divided, hash_: Term, low: Term, high: Term) -> tuple[Term, Term]:
    """One pass of Java's loop where the boundary in the middle is not the hash."""
    middle = half(low + high)
    right = p.at(middle) < hash_
    return z3.If(right, middle + 1, low), z3.If(right, high, middle - 1)


def before_insertion(low: Term) -> Term:
    """The index from -(low + 1), the answer of a vain search: -(answer + 2)."""
    return low - 1


def pulsar_search_with(found: Callable[[Term], Term]) -> Search:
    """Java's search: where a boundary equals the hash, what `found` makes of its index."""

    def search(p: Divided, hash_: Term, rounds: int) -> Term:
        low, high = z3.IntVal(0), p.count
        hit: Term = z3.IntVal(-1)
        for _ in range(rounds):
            middle = half(low + high)
            here = z3.And(hit < 0, low <= high, p.at(middle) == hash_)
            hit = z3.If(here, middle, hit)
            further = pulsar_round(p, hash_, low, high)
            going = z3.And(hit < 0, low <= high)
            old = (low, high)
            low, high = (z3.If(going, new, was) for new, was in zip(further, old, strict=True))
        return z3.If(hit >= 0, found(hit), before_insertion(low))

    return search


pulsar_search: Final = pulsar_search_with(lambda hit: hit)


def pulsar_invariant(low: Term, high: Term) -> Term:
    """Boundaries before `low` are below the hash, boundaries after `high` above it."""
    return z3.And(
        z3.And(0 <= low, low <= high + 1, high <= P.count),
        z3.Implies(low > 0, P.at(low - 1) < H),
        z3.Implies(high < P.count, H < P.at(high + 1)),
    )


def pulsar_outcome(index: Term) -> Term:
    """The right bundle, or for the last hash, and for no other, one past the last bundle."""
    return z3.If(H == TOP_HASH, index == P.count, P.holds(index, H))


def pulsar_steps(scope: Scope) -> tuple[Step, ...]:
    """As for `bisect_right`, with two ways to end."""
    legal = hypothesis("legal boundaries (BUN-2), any hash", *P.legal(scope), is_hash(H))
    invariant = (legal, lemma(("start", "round"), pulsar_invariant(LO, HI)))
    middle = half(LO + HI)
    low, high = pulsar_round(P, H, LO, HI)
    going = (*invariant, case("the loop continues", LO <= HI, P.at(middle) != H))
    hit = case("the boundary is the hash", LO <= HI, P.at(middle) == H)
    over = case("the loop is over", z3.Not(LO <= HI))
    return (
        Step("start", (legal,), pulsar_invariant(z3.IntVal(0), P.count)),
        Step("round", going, pulsar_invariant(low, high)),
        Step("progress", going, z3.And(-1 <= high - low, high - low < HI - LO)),
        Step("hit", (*invariant, hit), pulsar_outcome(middle)),
        Step("miss", (*invariant, over), pulsar_outcome(before_insertion(LO))),
    )


# ---------------------------------------------------------------------------------- mutants


def rounds_for(count: int) -> int:
    """Enough rounds to search the boundaries of n bundles."""
    return (count + 1).bit_length() + 1


def mutant_step(search: Search, scope: Scope) -> Step:
    """A search finds the bundle of every hash but the first and the last one."""
    found = search(P, H, rounds_for(scope.limit or 1))
    legal = (*P.legal(scope), 0 < H, H < TOP_HASH)
    return Step("found", legal, P.holds(found, H))


def trial_of(model: Model) -> HashLookupTrial:
    """The boundaries and the hash of a model."""
    return HashLookupTrial(P.values(model), number(model, H))


def found_by(search: Search, boundaries: Sequence[int], hash_: int) -> int:
    """A search executed on numbers."""
    count = len(boundaries) - 1
    p = Divided(make_list(boundaries), z3.IntVal(count))
    return int(evaluate(search(p, z3.IntVal(hash_), rounds_for(count))))


def pulsar_index(boundaries: Sequence[int], hash_: int) -> int:
    """The reference's index in Pulsar's edition; past the last bundle where it breaks."""
    try:
        return bundle_index(boundaries, hash_, PULSAR_4_0)
    except PastLastBundle:
        return len(boundaries) - 1


BISECTION_FINDS_THE_BUNDLE: Final = Theorem(
    name="bisection-finds-the-bundle",
    chapter="bundles",
    clauses=("BUN-15", "BUN-16", "BUN-17"),
    statement="bisect_right over the boundaries, less one and at most n - 1, ends and names the "
    "bundle that holds the hash, for every hash, 0xffffffff included.",
    bound="any number of bundles and rounds (loop invariant and measure); every hash",
    steps=bisect_steps,
    mutant=ReferenceMutant(
        broken="lookup-below",
        sentence="The search goes left where the hash equals the boundary.",
        step=partial(mutant_step, bisect_with(bisect_left_round)),
        trial=trial_of,
        question="bundles.hash_lookup",
    ),
    cross_checks=(
        CrossCheck(
            "index of the bundle",
            samples.boundaries_and_hash,
            partial(found_by, bisect_with(bisect_right_round)),
            partial(bundle_index, edition=DOCUMENTED),
        ),
    ),
)

PULSAR_MISSES_THE_LAST_HASH_ONLY: Final = Theorem(
    name="pulsar-misses-the-last-hash-only",
    chapter="bundles",
    clauses=("BUN-15", "BUN-16", "BUN-18"),
    statement="Pulsar's search ends and names the bundle that holds the hash for every hash but "
    "0xffffffff, for which it names bundle n, which does not exist, for every number n of bundles.",
    bound="any number of bundles and rounds (loop invariant and measure); every hash",
    steps=pulsar_steps,
    mutant=ReferenceMutant(
        broken="lookup-below",
        sentence="Where a boundary equals the hash, the bundle below it is taken.",
        step=partial(mutant_step, pulsar_search_with(lambda hit: z3.If(hit > 0, hit - 1, hit))),
        trial=trial_of,
        question="bundles.hash_lookup",
        right=PULSAR_4_0,
    ),
    cross_checks=(
        CrossCheck(
            "index of the bundle in Pulsar",
            samples.boundaries_and_hash,
            partial(found_by, pulsar_search),
            pulsar_index,
        ),
    ),
)

THEOREMS: Final = (BISECTION_FINDS_THE_BUNDLE, PULSAR_MISSES_THE_LAST_HASH_ONLY)
