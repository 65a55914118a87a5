"""Theorem: planned splits never bring a namespace above its maximum (SPL-36, SPL-78).

A manager goes through any number of candidates of a namespace. `added` is how many bundles the
splits planned so far will add. Each candidate has one position or more; the modular manager counts
one for each. What does not fit is left for later.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import z3

from evenkeel.properties.splitting.due_modular import ModularDueTrial, ModularRound
from evenkeel.properties.splitting.due_parts import BundleLoad, NamespaceCount
from evenkeel.reference.bundles.ranges import HashRange, range_name
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting.due import BundleName, modular_due
from evenkeel.reference.splitting.settings import SplitRules
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

COUNT, MOST, ADDED, POSITIONS = z3.Ints("count most added positions")
BROKER: Final = "b1"


def room(count: Term, most: Term, added: Term) -> Term:
    """How many bundles the namespace may still gain."""
    return most - count - added


def count_gained(positions: Term, left: Term) -> Term:
    """How many bundles a candidate adds: its positions, as many as there is room for."""
    return z3.If(left <= 0, 0, z3.If(positions < left, positions, left))


def within(count: Term, most: Term, added: Term) -> Term:
    """At most the maximum, or nothing was added: a namespace may have too many from before."""
    return z3.Or(added == 0, z3.And(added > 0, count + added <= most))


def steps(scope: Scope) -> tuple[Step, ...]:
    """Before the first candidate, and from each to the next."""
    more = ADDED + count_gained(POSITIONS, room(COUNT, MOST, ADDED))
    some = hypothesis("a namespace has a bundle", COUNT >= 1)
    invariant = lemma(("at first", "next candidate"), within(COUNT, MOST, ADDED))
    planned = (some, invariant, case("a candidate", POSITIONS >= 1))
    at_maximum = (*planned, case("as many as there may be", COUNT + ADDED >= MOST))
    return (
        Step("at first", (some,), within(COUNT, MOST, z3.IntVal(0))),
        Step("next candidate", planned, within(COUNT, MOST, more)),
        Step("skipped at the maximum", at_maximum, more == ADDED),
    )


def mutant_step(scope: Scope) -> Step:
    """The first candidate of the broken rule."""
    small = (COUNT >= 1, scope.size(COUNT), MOST >= 1, scope.size(MOST))
    more = count_gained(z3.IntVal(1), room(COUNT, MOST, z3.IntVal(0)) + 1)
    return Step("next candidate", small, within(COUNT, MOST, more))


def hot_trial(count: int, most: int, hot: int) -> ModularDueTrial:
    """A namespace of `count` bundles, and reports of `hot` bundles with too many topics."""
    names = [f"t/ns/{range_name(1000 * i, 1000 * (i + 1))}" for i in range(hot)]
    loads = tuple(BundleLoad(name, BROKER, 2000, 1, 1, 1.0, 1.0, 1.0, 1.0) for name in names)
    config = SplitRules(
        max_topics=1000,
        max_sessions=1000,
        max_msg_rate=30000,
        max_bandwidth_mbytes=100,
        max_bundles=most,
        split_enabled=True,
        hit_count_threshold=3,
        max_splits_per_cycle=10,
    )
    round_ = ModularRound(loads, (NamespaceCount("t/ns", count),))
    return ModularDueTrial(config, True, 2, (round_,))


def trial_of(model: Model) -> ModularDueTrial:
    """The count and the maximum of a model, with more hot bundles than there is room for."""
    count, most = number(model, COUNT), number(model, MOST)
    return hot_trial(count, most, max(most - count, 0) + 2)


def arguments(random: Random) -> tuple[int, int, int]:
    """A count, a maximum and a number of candidates."""
    return random.randint(1, 6), random.randint(0, 6), random.randrange(6)


def due_by_rule(count: int, most: int, candidates: int) -> int:
    """How many of the candidates, with one position each, are due: the rule executed."""
    added = 0
    for _ in range(candidates):
        added += run(count_gained, 1, run(room, count, most, added))
    return added


def due_by_reference(count: int, most: int, candidates: int) -> int:
    """How many of the candidates the reference takes."""
    bundles: Sequence[BundleName] = [
        BundleName("t/ns", HashRange(1000 * i, 1000 * (i + 1))) for i in range(candidates)
    ]
    return len(modular_due(bundles, {"t/ns": count}, most, DOCUMENTED))


NEVER_ABOVE_THE_MAXIMUM: Final = Theorem(
    name="never-above-the-maximum",
    chapter="splitting",
    clauses=("SPL-36", "SPL-78"),
    statement="If each split is planned with at most as many positions as max - count - added, "
    "count + added <= max at all times, unless nothing was added at all; at the maximum nothing "
    "is.",
    bound="any number of candidates and positions (inductive invariant), one manager",
    steps=steps,
    mutant=ReferenceMutant(
        broken="split-at-the-maximum",
        sentence="A split is planned also where the namespace is at its maximum.",
        step=mutant_step,
        trial=trial_of,
        question="splitting.due_modular",
    ),
    cross_checks=(CrossCheck("bundles that are due", arguments, due_by_rule, due_by_reference),),
)

THEOREMS: Final = (NEVER_ABOVE_THE_MAXIMUM,)
