"""What a step of a theorem assumes, and why it may.

Three kinds. A *hypothesis* is what the theorem is about, or takes from outside: it is printed with
the theorem. A *case* is what the step is about, one action of many. What is *shown* is shown by
other steps, and that is checked: the assumption must be what those steps claim, for some values. So
an invariant names each action that keeps it, and an induction its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

import z3

from evenkeel.models.terms import Term


class Kind(Enum):
    """Why something may be assumed."""

    HYPOTHESIS = "hypothesis"
    CASE = "case"
    SHOWN = "shown"


@dataclass(frozen=True, slots=True)
class Given:
    """Something assumed, in words and as terms. `by`: the steps that show it."""

    kind: Kind
    sentence: str
    terms: tuple[Term, ...]
    by: tuple[str, ...] = ()
    of: Term = None
    """What was shown, if the terms are instances of it."""


def hypothesis(sentence: str, *terms: Term) -> Given:
    """What the theorem is about, or takes from outside."""
    return Given(Kind.HYPOTHESIS, sentence, terms)


def case(sentence: str, *terms: Term) -> Given:
    """What the step is about: which action is taken, and when it is possible."""
    return Given(Kind.CASE, sentence, terms)


def shown(by: str | tuple[str, ...], *terms: Term) -> Given:
    """What other steps of the theorem show: one of them, or each of several."""
    names = (by,) if isinstance(by, str) else by
    return Given(Kind.SHOWN, "shown by " + ", ".join(names), terms, names)


def instances(of: Term, *terms: Term) -> Given:
    """What is shown of anything, for some things; `inductive` says by which steps."""
    return Given(Kind.SHOWN, "invariant", terms, ("?",), of)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to be shown: the claim holds wherever all that is given does.

    In a theorem's own steps each assumption has its reason; a mutant's step, which is to fail, may
    have bare terms.
    """

    name: str
    givens: tuple[Given | Term, ...]
    claim: Term

    @property
    def assumptions(self) -> tuple[Term, ...]:
        """All that is given, as terms."""
        return tuple(
            term
            for each in self.givens
            for term in (each.terms if isinstance(each, Given) else (each,))
        )

    @property
    def named(self) -> tuple[Given, ...]:
        """What is given with its reason."""
        return tuple(each for each in self.givens if isinstance(each, Given))


def inductive(kept: Sequence[Step], *conclusions: Step) -> tuple[Step, ...]:
    """Steps that keep an invariant, its beginning among them, and steps that follow from it."""
    names = tuple(step.name for step in kept)

    def by_all(step: Step) -> Step:
        givens = (
            replace(each, by=names) if isinstance(each, Given) and each.by == ("?",) else each
            for each in step.givens
        )
        return replace(step, givens=tuple(givens))

    return tuple(by_all(step) for step in (*kept, *conclusions))


def hypotheses(steps: Sequence[Step]) -> tuple[str, ...]:
    """The hypotheses of all steps, each once."""
    found = (each for step in steps for each in step.named if each.kind is Kind.HYPOTHESIS)
    return tuple(dict.fromkeys(each.sentence for each in found))


def unshown(steps: Sequence[Step]) -> list[str]:
    """What is wrong with the assumptions that are said to be shown; empty if all is well."""
    return [*bare(steps), *unclaimed(steps), *circular(steps)]


def bare(steps: Sequence[Step]) -> Iterator[str]:
    """Assumptions without a reason."""
    for step in steps:
        for each in step.givens:
            if not isinstance(each, Given):
                yield f"{step.name}: why is {each} given?"


def unclaimed(steps: Sequence[Step]) -> Iterator[str]:
    """Assumptions that a step named for them does not claim."""
    claims = {step.name: tuple(parts(step.claim)) for step in steps}
    looked_at: set[object] = set()
    for step in steps:
        for each in step.named:
            key = each.by, tuple(term.hash() for term in each.terms)
            if key not in looked_at:  # most steps of an induction assume the same
                yield from (f"{step.name}: {wrong}" for wrong in not_shown(each, claims))
            looked_at.add(key)


def not_shown(each: Given, claims: Mapping[str, Sequence[Term]]) -> Iterator[str]:
    """What is wrong with one assumption that is said to be shown."""
    wanted = each.terms if each.of is None else (each.of,)
    for name in each.by:
        if name not in claims:
            yield f"there is no step {name!r}"
        elif not claimed(wanted, claims[name]):
            yield f"step {name!r} does not claim {wanted}"
    if each.of is not None:
        general = tuple(parts(each.of))
        for term in each.terms:
            if not in_place(tuple(parts(term)), general, lemma=True):
                yield f"{term} is no instance of what is shown"


def circular(steps: Sequence[Step]) -> Iterator[str]:
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


def parts(term: Term) -> Iterator[Term]:
    """The conjuncts of a term."""
    if z3.is_and(term):
        for child in term.children():
            yield from parts(child)
    else:
        yield term


def claimed(terms: Sequence[Term], claims: Sequence[Term]) -> bool:
    """The terms are among the claims, for some values of the unknowns of one side.

    What an action keeps is the invariant for the values after it; what a lemma is used for is an
    instance of the lemma.
    """
    wanted = [part for term in terms for part in parts(term)]
    return any(
        in_place(wanted, claims, lemma) or fits(wanted, claims, {}, lemma) for lemma in SIDES
    )


SIDES: Final = (False, True)
"""Whose unknowns may have values: those of what is wanted, or those of a lemma."""
FEW: Final = 6


def in_place(wanted: Sequence[Term], claims: Sequence[Term], lemma: bool) -> bool:
    """Claims that follow each other are what is wanted; mostly they are, made by one function."""
    return any(
        all_match(wanted, claims[at : at + len(wanted)], lemma)
        for at in range(len(claims) - len(wanted) + 1)
    )


def all_match(wanted: Sequence[Term], claims: Sequence[Term], lemma: bool) -> bool:
    """Each claim is what is wanted in its place."""
    values: dict[Term, Term] = {}
    pairs = zip(wanted, claims, strict=True)
    return all(matches(*(pair[::-1] if lemma else pair), values) for pair in pairs)


def fits(
    wanted: Sequence[Term], claims: Sequence[Term], values: dict[Term, Term], lemma: bool
) -> bool:
    """Some choice of claims, and of values the same in all of them, makes all that is wanted."""
    if not wanted:
        return True
    if len(wanted) > FEW:
        return False
    for claim in claims:
        further = dict(values)
        pattern, term = (claim, wanted[0]) if lemma else (wanted[0], claim)
        if matches(pattern, term, further) and fits(wanted[1:], claims, further, lemma):
            return True
    return False


def matches(pattern: Term, term: Term, values: dict[Term, Term]) -> bool:
    """The term is the pattern with values for its unknowns; they are added to `values`."""
    if is_unknown(pattern) and pattern.sort() == term.sort():
        return same(values, pattern, term)
    if z3.is_quantifier(pattern) or z3.is_quantifier(term):
        return bool(pattern.eq(term))
    pattern, term = turned(pattern), turned(term)
    if pattern.decl() != term.decl() or pattern.num_args() != term.num_args():
        return is_unknown_of(pattern, term) and same(values, pattern, term)
    if z3.is_eq(pattern):
        kept = dict(values)
        if match_all(pattern.children(), term.children(), values):
            return True
        values.clear()
        values.update(kept)
        return match_all(pattern.children(), term.children()[::-1], values)
    return match_all(pattern.children(), term.children(), values)


def same(values: dict[Term, Term], pattern: Term, term: Term) -> bool:
    """The unknown has this value, or had none until now."""
    found: Any = values.setdefault(pattern, term)
    return bool(found.eq(term))


def match_all(patterns: Sequence[Term], terms: Sequence[Term], values: dict[Term, Term]) -> bool:
    """Each term is its pattern."""
    return all(matches(one, other, values) for one, other in zip(patterns, terms, strict=True))


TURNED: Final = {z3.Z3_OP_GE: "__le__", z3.Z3_OP_GT: "__lt__"}


def turned(term: Term) -> Term:
    """With what is less on the left: Python turns `x < 0` round where 0 is a term."""
    sign = TURNED.get(term.decl().kind())
    return term if sign is None else getattr(z3.ArithRef, sign)(term.arg(1), term.arg(0))


def is_unknown(term: Term) -> bool:
    """A constant that the solver is free to choose."""
    return bool(z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED)


def is_unknown_of(pattern: Term, term: Term) -> bool:
    """An unknown function's value, of the same sort as the term: one step's other function."""
    unknown = pattern.decl().kind() == z3.Z3_OP_UNINTERPRETED
    return bool(unknown and pattern.sort() == term.sort())
