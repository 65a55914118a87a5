"""A namespace's boundaries as terms: p(0) … p(n) for n bundles, where n is unknown.

The boundaries are an unknown function from indices to integers, so that nothing in a theorem
depends on how many bundles there are. `HashRange.__contains__`, `bundles_of` and
`check_boundaries` of the reference are the same rules on numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import z3

from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel_engine.proofs.terms import Indexed, Model, Scope, Term, number, numbers, sequence


def contains(lower: Term, upper: Term, hash_: Term) -> Term:
    """A range holds its lower end, not its upper one, except that 0xffffffff is included."""
    return z3.And(
        lower <= hash_, z3.Or(hash_ < upper, z3.And(upper == TOP_HASH, hash_ == TOP_HASH))
    )


@dataclass(frozen=True, slots=True)
class Divided:
    """Boundaries: `at(i)` for i from 0 to `count`, the number of bundles."""

    at: Indexed
    count: Term

    def ends(self) -> Term:
        """There is a bundle, the first boundary is 0 and the last 0xffffffff."""
        return z3.And(self.count >= 1, self.at(0) == 0, self.at(self.count) == TOP_HASH)

    def neighbours_increase(self, scope: Scope) -> Term:
        """Each boundary is below the next: what `check_boundaries` looks at."""
        return scope.for_all(0, self.count - 1, lambda i: self.at(i) < self.at(i + 1))

    def increase(self, scope: Scope) -> Term:
        """Each boundary is below all later ones."""
        return scope.for_pairs(0, self.count, lambda i, j: self.at(i) < self.at(j))

    def legal(self, scope: Scope) -> tuple[Term, ...]:
        """Boundaries that strictly increase from 0 to 0xffffffff.

        Theorem `neighbours-suffice` is why every other theorem may assume the order of any two.
        """
        return (scope.size(self.count), self.ends(), self.increase(scope))

    def index(self, i: Term) -> Term:
        """There is a bundle i."""
        return z3.And(0 <= i, i < self.count)

    def holds(self, i: Term, hash_: Term) -> Term:
        """There is a bundle i, and it holds the hash."""
        return z3.And(self.index(i), contains(self.at(i), self.at(i + 1), hash_))

    def values(self, model: Model) -> tuple[int, ...]:
        """The boundaries that a model gives."""
        return numbers(model, self.at, number(model, self.count) + 1)


def any_boundaries() -> Divided:
    """Unknown boundaries of an unknown number of bundles."""
    return Divided(sequence("p"), z3.Int("n"))
