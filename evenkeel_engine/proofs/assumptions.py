"""Assumptions of a proof step, and why they hold.

There are three kinds. A *hypothesis* is a premise of the theorem: it is printed with the theorem. A
*case* distinguishes what the step is about, one action of many. A *lemma* is proved by other steps,
which is checked: the assumption must be what those steps claim, for some values of the unknowns. So
an invariant names each action that preserves it, and an induction its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

import z3

from evenkeel_engine.proofs.terms import Term


class Ground(Enum):
    """Why something may be assumed."""

    HYPOTHESIS = "hypothesis"
    CASE = "case"
    LEMMA = "lemma"


@dataclass(frozen=True, slots=True)
class Assumption:
    """An assumption in words and as terms. `by`: the steps that prove it."""

    kind: Ground
    sentence: str
    terms: tuple[Term, ...]
    by: tuple[str, ...] = ()
    of: Term = None
    """What was proved, if the terms are instances of it."""


def hypothesis(sentence: str, *terms: Term) -> Assumption:
    """A premise of the theorem."""
    return Assumption(Ground.HYPOTHESIS, sentence, terms)


def case(sentence: str, *terms: Term) -> Assumption:
    """What the step is about: which action is taken, and when it is possible."""
    return Assumption(Ground.CASE, sentence, terms)


def lemma(by: str | tuple[str, ...], *terms: Term) -> Assumption:
    """A claim of other steps of the theorem: of one of them, or of each of several."""
    names = (by,) if isinstance(by, str) else by
    return Assumption(Ground.LEMMA, "proved by " + ", ".join(names), terms, names)


def instances(of: Term, *terms: Term) -> Assumption:
    """A general claim, for some values; `inductive` sets the steps that prove it."""
    return Assumption(Ground.LEMMA, "invariant", terms, ("?",), of)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to be proved: the claim holds wherever the assumptions do.

    In a theorem's own steps each assumption has its reason; a mutant's step, which is to fail, may
    have bare terms.
    """

    name: str
    assumptions: tuple[Assumption | Term, ...]
    claim: Term

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of all assumptions."""
        return tuple(
            term
            for each in self.assumptions
            for term in (each.terms if isinstance(each, Assumption) else (each,))
        )

    @property
    def named(self) -> tuple[Assumption, ...]:
        """The assumptions that have a reason."""
        return tuple(each for each in self.assumptions if isinstance(each, Assumption))


def inductive(preserving: Sequence[Step], *conclusions: Step) -> tuple[Step, ...]:
    """Steps that preserve an invariant, its beginning among them, and steps that use it."""
    names = tuple(step.name for step in preserving)

    def by_all(step: Step) -> Step:
        assumptions = (
            replace(each, by=names) if isinstance(each, Assumption) and each.by == ("?",) else each
            for each in step.assumptions
        )
        return replace(step, assumptions=tuple(assumptions))

    return tuple(by_all(step) for step in (*preserving, *conclusions))


def list_hypotheses(steps: Sequence[Step]) -> tuple[str, ...]:
    """The hypotheses of all steps, each once."""
    found = (each for step in steps for each in step.named if each.kind is Ground.HYPOTHESIS)
    return tuple(dict.fromkeys(each.sentence for each in found))


def find_unproved(steps: Sequence[Step]) -> list[str]:
    """Lemmas that are not proved, and assumptions without a reason; empty if all is well."""
    bare = [
        f"{step.name}: why is {each} assumed?"
        for step in steps
        for each in step.assumptions
        if not isinstance(each, Assumption)
    ]
    return [*bare, *find_unclaimed(steps), *find_circular(steps)]


def find_unclaimed(steps: Sequence[Step]) -> Iterator[str]:
    """Assumptions that a step named for them does not claim."""
    claims = {step.name: tuple(split_conjuncts(step.claim)) for step in steps}
    looked_at: set[object] = set()
    for step in steps:
        for each in step.named:
            key = each.by, tuple(term.hash() for term in each.terms)
            if key not in looked_at:  # most steps of an induction assume the same
                yield from (f"{step.name}: {wrong}" for wrong in not_claimed(each, claims))
            looked_at.add(key)


def not_claimed(each: Assumption, claims: Mapping[str, Sequence[Term]]) -> Iterator[str]:
    """What is wrong with one lemma."""
    sought = each.terms if each.of is None else (each.of,)
    for name in each.by:
        if name not in claims:
            yield f"there is no step {name!r}"
        elif not is_claimed(sought, claims[name]):
            yield f"step {name!r} does not claim {sought}"
    if each.of is not None:
        general = tuple(split_conjuncts(each.of))
        for term in each.terms:
            if not in_place(tuple(split_conjuncts(term)), general, of_lemma=True):
                yield f"{term} is no instance of what is proved"


def find_circular(steps: Sequence[Step]) -> Iterator[str]:
    """Steps that rest on each other in a circle, without a beginning."""
    grounded: set[str] = set()
    while True:
        new = {
            step.name
            for step in steps
            if step.name not in grounded
            and all(not each.by or not grounded.isdisjoint(each.by) for each in step.named)
        }
        if not new:
            break
        grounded |= new
    yield from (f"{step.name}: rests on itself" for step in steps if step.name not in grounded)


def split_conjuncts(term: Term) -> Iterator[Term]:
    """The conjuncts of a term."""
    if z3.is_and(term):
        for child in term.children():
            yield from split_conjuncts(child)
    else:
        yield term


def is_claimed(terms: Sequence[Term], claims: Sequence[Term]) -> bool:
    """The terms are among the claims, for some values of the unknowns of one side.

    An action preserves the invariant for the values after it; a lemma is used for an instance of
    it.
    """
    sought = [part for term in terms for part in split_conjuncts(term)]
    return any(
        in_place(sought, claims, of_lemma) or fits(sought, claims, {}, of_lemma)
        for of_lemma in SIDES
    )


SIDES: Final = (False, True)
"""The side whose unknowns may have values: what is sought, or the lemma."""
FEW: Final = 6


def in_place(sought: Sequence[Term], claims: Sequence[Term], of_lemma: bool) -> bool:
    """Consecutive claims are what is sought; mostly they are, built by one function."""
    for at in range(len(claims) - len(sought) + 1):
        values: dict[Term, Term] = {}
        pairs = zip(sought, claims[at : at + len(sought)], strict=True)
        if all(matches(*(pair[::-1] if of_lemma else pair), values) for pair in pairs):
            return True
    return False


def fits(
    sought: Sequence[Term], claims: Sequence[Term], values: dict[Term, Term], of_lemma: bool
) -> bool:
    """Some choice of claims, with the same values in all of them, is what is sought."""
    if not sought:
        return True
    if len(sought) > FEW:
        return False
    for claim in claims:
        further = dict(values)
        pattern, term = (claim, sought[0]) if of_lemma else (sought[0], claim)
        if matches(pattern, term, further) and fits(sought[1:], claims, further, of_lemma):
            return True
    return False


def matches(pattern: Term, term: Term, values: dict[Term, Term]) -> bool:
    """The term is the pattern with values for its unknowns; they are added to `values`."""
    # A constant that the solver is free to choose.
    free = z3.is_const(pattern) and pattern.decl().kind() == z3.Z3_OP_UNINTERPRETED
    if free and pattern.sort() == term.sort():
        return bind_unknown(values, pattern, term)
    if z3.is_quantifier(pattern) or z3.is_quantifier(term):
        return bool(pattern.eq(term))
    pattern, term = turn_term(pattern), turn_term(term)
    if pattern.decl() != term.decl() or pattern.num_args() != term.num_args():
        # An unknown function's value, of the same sort as the term: one step's other function.
        unknown = pattern.decl().kind() == z3.Z3_OP_UNINTERPRETED and pattern.sort() == term.sort()
        return bool(unknown) and bind_unknown(values, pattern, term)
    if z3.is_eq(pattern):
        before = dict(values)
        if match_all(pattern.children(), term.children(), values):
            return True
        values.clear()
        values.update(before)
        return match_all(pattern.children(), term.children()[::-1], values)
    return match_all(pattern.children(), term.children(), values)


def bind_unknown(values: dict[Term, Term], pattern: Term, term: Term) -> bool:
    """The unknown has this value, or had none until now."""
    found: Any = values.setdefault(pattern, term)
    return bool(found.eq(term))


def match_all(patterns: Sequence[Term], terms: Sequence[Term], values: dict[Term, Term]) -> bool:
    """Each term is its pattern."""
    return all(matches(one, other, values) for one, other in zip(patterns, terms, strict=True))


TURNED: Final = {z3.Z3_OP_GE: "__le__", z3.Z3_OP_GT: "__lt__"}


def turn_term(term: Term) -> Term:
    """With the smaller side on the left: Python reverses `x < 0` where 0 is a term."""
    sign = TURNED.get(term.decl().kind())
    return term if sign is None else getattr(z3.ArithRef, sign)(term.arg(1), term.arg(0))
