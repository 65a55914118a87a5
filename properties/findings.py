"""What a walk through a list of commands finds, shared by all clauses of its question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from evenkeel.properties.clause import HOLDS, UNEXERCISED, Case, Finding, Violation

R = TypeVar("R")


class OncePerCase(Generic[R]):
    """A function of a case whose last result is kept: all clauses of a question look at one case
    after the other, and share what is long to work out.
    """

    def __init__(self, function: Callable[[Case[Any, Any]], R]) -> None:
        self._function = function
        self._case: Case[Any, Any] | None = None
        self._result: R | None = None

    def __call__(self, case: Case[Any, Any]) -> R:
        """The function's result for this case."""
        if self._case is not case or self._result is None:
            self._result = self._function(case)
            self._case = case
        return self._result


@dataclass(slots=True)
class Findings:
    """What was found, one entry for each clause that was exercised."""

    by_clause: dict[str, Finding] = field(default_factory=dict)

    def note(self, clause: str, holds: bool, sentence: str = "", kind: str = "") -> None:
        """A clause held here, or was violated."""
        self.add(clause, None if holds else Violation(sentence, kind))

    def add(self, clause: str, violation: Violation | None) -> None:
        """A clause held here, or was violated; the first violation counts."""
        if violation is None:
            self.by_clause.setdefault(clause, HOLDS)
        elif not isinstance(self.by_clause.get(clause), Violation):
            self.by_clause[clause] = violation

    def finding(self, clause: str) -> Finding:
        """What the whole trial says about a clause."""
        return self.by_clause.get(clause, UNEXERCISED)
