"""Z3 in the few forms that the theorems need.

Rules are written once, as functions from terms to terms. The solver sees them with symbolic
arguments; `run` evaluates the very same functions on numbers, so that a rule can be compared with
the reference and a broken rule can be executed. Z3 has no type hints: a term is `Any`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import z3

Term: TypeAlias = Any
Model: TypeAlias = Any
Indexed: TypeAlias = Callable[[Term], Term]
"""A sequence of any length: a term for each index."""


@dataclass(frozen=True, slots=True)
class Scope:
    """How far quantifiers reach: over all integers, or over the indices 0 to `limit`.

    A step is proved with `ANY`. Whether its assumptions can hold, and what a broken rule does, is
    looked for with `SMALL`, where every quantifier becomes a finite conjunction, so that the
    solver always ends and its models are short.
    """

    limit: int | None = None

    def size(self, count: Term) -> Term:
        """A sequence has a length that the scope covers."""
        return z3.BoolVal(True) if self.limit is None else count <= self.limit

    def for_all(self, lower: Term, upper: Term, body: Callable[[Term], Term]) -> Term:
        """The body holds for every i with `lower` ≤ i ≤ `upper`."""
        if self.limit is None:
            i = z3.FreshInt("i")
            return z3.ForAll([i], z3.Implies(z3.And(lower <= i, i <= upper), body(i)))
        return z3.And(
            [
                z3.Implies(z3.And(lower <= i, i <= upper), body(z3.IntVal(i)))
                for i in range(self.limit + 1)
            ]
        )

    def for_pairs(self, lower: Term, upper: Term, body: Callable[[Term, Term], Term]) -> Term:
        """The body holds for every i and j with `lower` ≤ i < j ≤ `upper`."""
        if self.limit is None:
            i, j = z3.FreshInt("i"), z3.FreshInt("j")
            return z3.ForAll([i, j], z3.Implies(z3.And(lower <= i, i < j, j <= upper), body(i, j)))
        return z3.And(
            [
                z3.Implies(z3.And(lower <= i, j <= upper), body(z3.IntVal(i), z3.IntVal(j)))
                for j in range(self.limit + 1)
                for i in range(j)
            ]
        )


ANY: Final = Scope()
SMALL: Final = Scope(4)


def sequence(name: str) -> Indexed:
    """An unknown sequence of integers."""
    function: Indexed = z3.Function(name, z3.IntSort(), z3.IntSort())
    return function


def real_sequence(name: str) -> Indexed:
    """An unknown sequence of real numbers."""
    function: Indexed = z3.Function(name, z3.IntSort(), z3.RealSort())
    return function


def make_list(values: Sequence[int]) -> Indexed:
    """A known sequence; beyond its end the last value is repeated."""

    def at(index: Term) -> Term:
        term: Term = z3.IntVal(values[-1])
        for place in range(len(values) - 2, -1, -1):
            term = z3.If(index <= place, z3.IntVal(values[place]), term)
        return term

    return at


def half(term: Term) -> Term:
    """Half of a number that is not negative, rounded down."""
    return term / 2


def either(first: Term, second: Term) -> Term:
    """One of the two, but not both."""
    return z3.Xor(first, second)


def evaluate(term: Term) -> Any:
    """The value of a term without unknowns: a bool or an int. Raises `ValueError` otherwise."""
    value = z3.simplify(term)
    if z3.is_true(value) or z3.is_false(value):
        return z3.is_true(value)
    if z3.is_int_value(value):
        return value.as_long()
    if z3.is_bv_value(value):
        return value.as_signed_long()
    raise ValueError(f"{value} is not a value")


def run(rule: Callable[..., Term], *arguments: int) -> Any:
    """A rule executed on numbers."""
    return evaluate(rule(*map(z3.IntVal, arguments)))


def number(model: Model, term: Term) -> int:
    """The value that a model gives an integer or bit-vector term."""
    return int(evaluate(model.eval(term, model_completion=True)))


def numbers(model: Model, at: Indexed, count: int) -> tuple[int, ...]:
    """The first `count` values that a model gives a sequence."""
    return tuple(number(model, at(z3.IntVal(i))) for i in range(count))
