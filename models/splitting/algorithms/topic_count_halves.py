"""Theorems: where `topic_count_equally_divide` cuts, as documented and in Pulsar (SPL-5, SPL-7).

The topics' hashes are an unknown sequence in ascending order, equal ones allowed, of unknown
length n. The two middle ones are h(n // 2 - 1) and h(n // 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.models import samples
from evenkeel.models.bundles.boundaries.terms import contains
from evenkeel.models.splitting.algorithms.cuts_strictly_inside import (
    L,
    U,
    between,
    bundle_of,
    can_part,
    is_bundle,
    middle,
    strictly_between,
)
from evenkeel.models.splitting.trial_parts import topic_count_trial
from evenkeel.properties.splitting.positions import PositionsTrial
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel.reference.splitting.algorithms import topic_count_positions
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis
from evenkeel_engine.proofs.terms import Model, Scope, Term, half, number, numbers, run, sequence
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

HASH: Final = sequence("hash")
N, K = z3.Ints("n k")
HALF: Final = half(N)
LEFT: Final = HASH(HALF - 1)
RIGHT: Final = HASH(HALF)


def pulsar_cut(left: Term, right: Term) -> Term:
    """Half-way, rounded down, whatever lies between."""
    return middle(left, right)


def topics(scope: Scope) -> tuple[Term, ...]:
    """Two topics or more, in ascending order of hash, all in the bundle."""
    return (
        is_bundle(L, U),
        N >= 2,
        scope.size(N),
        scope.for_pairs(0, N - 1, lambda i, j: HASH(i) <= HASH(j)),
        scope.for_all(0, N - 1, lambda i: contains(L, U, HASH(i))),
    )


def parts(position: Term) -> Term:
    """Topic K is left of the position exactly if it is one of the first n // 2."""
    return (HASH(K) < position) == (K < HALF)


def is_unparted(position: Term) -> Term:
    """The position does not have the left middle topic left and the right one right."""
    return z3.Not(z3.And(LEFT < position, position <= RIGHT))


def documented_steps(scope: Scope) -> tuple[Step, ...]:
    """Halves are made wherever any legal cut can make them."""
    cut, position = between(LEFT, RIGHT), z3.Int("position")
    sorted_ = hypothesis("a bundle's topics in the order of their hashes", *topics(scope))
    possible = (sorted_, case("a hash parts the middle ones", can_part(LEFT, RIGHT)))
    impossible = (sorted_, case("none does", z3.Not(can_part(LEFT, RIGHT))))
    topic = case("any topic", 0 <= K, K < N)
    anywhere = case("any cut", strictly_between(L, position, U))
    return (
        Step("halves", (*possible, topic), parts(cut)),
        Step("inside", possible, strictly_between(L, cut, U)),
        Step("else no cut", (*impossible, anywhere), is_unparted(position)),
    )


def pulsar_steps(scope: Scope) -> tuple[Step, ...]:
    """Pulsar parts the middle topics only with a hash between them; the exact bad inputs."""
    cut = pulsar_cut(LEFT, RIGHT)
    apart = two_apart(LEFT, RIGHT)
    sorted_ = hypothesis("a bundle's topics in the order of their hashes", *topics(scope))
    topic = case("any topic", 0 <= K, K < N)
    parted = case("the middle ones are two hashes apart", apart)
    at_lower_end = z3.And(LEFT == L, z3.Not(apart))
    return (
        Step("halves", (sorted_, topic, parted), parts(cut)),
        Step("else not", (sorted_, case("they are not", z3.Not(apart))), is_unparted(cut)),
        Step(
            "inside",
            (sorted_,),
            z3.Not(strictly_between(L, cut, U)) == z3.Or(at_lower_end, LEFT == TOP_HASH),
        ),
    )


def two_apart(left: Term, right: Term) -> Term:
    """A hash lies between the two."""
    return right - left >= 2


def pulsar_step(scope: Scope) -> Step:
    """Pulsar's cut makes halves wherever a cut can."""
    premise = (*topics(scope), can_part(LEFT, RIGHT), 0 <= K, K < N)
    return Step("halves", premise, parts(pulsar_cut(LEFT, RIGHT)))


def documented_step(scope: Scope) -> Step:
    """The documented cut does not part two neighbours."""
    neighbours = (can_part(LEFT, RIGHT), z3.Not(two_apart(LEFT, RIGHT)))
    return Step("else not", (*topics(scope), *neighbours), is_unparted(between(LEFT, RIGHT)))


def trial_of(model: Model) -> PositionsTrial:
    """The bundle and the topics of a model."""
    return topic_count_trial(bundle_of(model), numbers(model, HASH, number(model, N)))


def arguments(random: Random) -> tuple[tuple[int, ...]]:
    """Hashes in any order, often equal or neighbours."""
    return (samples.hashes(random, samples.bundle(random)),)


def documented_by_rule(hashes: Sequence[int]) -> tuple[int, ...]:
    """The documented rule, executed."""
    ordered, half_ = sorted(hashes), len(hashes) // 2
    if len(ordered) < 2 or not run(can_part, ordered[half_ - 1], ordered[half_]):
        return ()
    return (run(between, ordered[half_ - 1], ordered[half_]),)


def pulsar_by_rule(hashes: Sequence[int]) -> tuple[int, ...]:
    """Pulsar's rule, executed."""
    ordered, half_ = sorted(hashes), len(hashes) // 2
    if len(ordered) < 2:
        return ()
    return (run(pulsar_cut, ordered[half_ - 1], ordered[half_]),)


TOPIC_COUNT_HALVES: Final = Theorem(
    name="topic-count-halves",
    chapter="splitting",
    clauses=("SPL-2", "SPL-5"),
    statement="If the two middle hashes s and e are different and not the last two, the documented "
    "cut max(s + floor((e - s) / 2), s + 1) lies strictly inside the bundle and has the first "
    "n // 2 of n topics on its left, the rest on its right; else no position inside has.",
    bound="any number of topics, every bundle, hashes equal or not",
    steps=documented_steps,
    mutant=ReferenceMutant(
        broken="PULSAR_4_0",
        sentence="Between neighbours the cut is at the left one, which goes right with the other.",
        step=pulsar_step,
        trial=trial_of,
        question="splitting.positions",
    ),
    cross_checks=(
        CrossCheck(
            "documented cut",
            arguments,
            documented_by_rule,
            partial(topic_count_positions, edition=DOCUMENTED),
        ),
    ),
)

TOPIC_COUNT_IN_PULSAR: Final = Theorem(
    name="topic-count-in-pulsar",
    chapter="splitting",
    clauses=("SPL-7",),
    statement="Pulsar's cut s + floor((e - s) / 2) has the first n // 2 topics on its left exactly "
    "if e - s >= 2. It does not lie strictly inside [L, U) exactly if s = L and e - s <= 1, or if "
    "s = e = 0xffffffff.",
    bound="any number of topics, every bundle, hashes equal or not",
    steps=pulsar_steps,
    mutant=ReferenceMutant(
        broken="DOCUMENTED",
        sentence="Neighbours are parted, too: the cut is at the right one.",
        step=documented_step,
        trial=trial_of,
        question="splitting.positions",
        right=PULSAR_4_0,
    ),
    cross_checks=(
        CrossCheck(
            "Pulsar's cut",
            arguments,
            pulsar_by_rule,
            partial(topic_count_positions, edition=PULSAR_4_0),
        ),
    ),
)

THEOREMS: Final = (TOPIC_COUNT_HALVES, TOPIC_COUNT_IN_PULSAR)
