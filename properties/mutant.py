"""Mutants and equivalent mutants: one-function changes of the reference, by name.

A defect must be killed by some clause; an equivalent mutant answers differently where the
specification leaves the choice open, and must satisfy every clause. Both stand beside the clauses
of their chapter (`properties/<chapter>/mutant.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from evenkeel.reference.edition import DOCUMENTED, Edition


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one function of the reference.

    `module.function` is replaced by `make(original)`. `defect` names the entry of the catalogue
    of real defects that it renders (`SP2`), or a number of ours (`F1`);
    `story` says what a user of such a balancer would see. Judged, and otherwise right, in
    `edition`.
    """

    name: str
    chapter: str
    module: ModuleType
    function: str
    make: Callable[[Callable[..., Any]], Callable[..., Any]]
    story: str
    defect: str = ""
    correct: bool = False
    edition: Edition = DOCUMENTED

    def original(self) -> Callable[..., Any]:
        """The function as the reference has it."""
        function: Callable[..., Any] = getattr(self.module, self.function)
        return function

    @contextmanager
    def replaced_by(self, changed: Callable[..., Any]) -> Iterator[None]:
        """Within this block the reference has `changed` in the function's place."""
        original = self.original()
        setattr(self.module, self.function, changed)
        try:
            yield
        finally:
            setattr(self.module, self.function, original)


def mutants_of(module: ModuleType | None) -> Iterator[Mutant]:
    """The mutants of a module: those of its list, and those that stand in it by themselves."""
    if module is not None:
        yield from getattr(module, "MUTANTS", ())
        yield from (one for one in vars(module).values() if isinstance(one, Mutant))
