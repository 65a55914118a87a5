"""What a walk through a list of commands finds, shared by all clauses of its question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from evenkeel.properties.clause import (
    HOLDS,
    UNDECIDED,
    UNEXERCISED,
    Case,
    Finding,
    Violation,
)

T = TypeVar("T")
R = TypeVar("R")


class OncePer(Generic[T, R]):
    """A function of an object (a trial, a case) whose last result is kept, for all who ask for it
    one after the other.
    """

    def __init__(self, function: Callable[[T], R]) -> None:
        self._function = function
        self._object: T | None = None
        self._result: R | None = None

    def __call__(self, object_: T) -> R:
        """The function's result for this very object."""
        if self._object is not object_ or self._result is None:
            self._result = self._function(object_)
            self._object = object_
        return self._result

    def forget(self) -> None:
        """Forget the last result."""
        self._object = self._result = None


class OncePerCase(OncePer[Case[Any, Any], R]):
    """A function of a case that is worked out once: all clauses of a question look at one case
    after the other, and share what is long to work out.
    """


@dataclass(slots=True)
class Findings:
    """What was found, one entry for each clause that was exercised.

    `gave_up` says why the judge gave up, if it did: then nothing is said to hold.
    """

    by_clause: dict[str, Finding] = field(default_factory=dict)
    gave_up: str = ""

    def note(
        self, clause: str, holds: bool, sentence: str | Callable[[], str] = "", kind: str = ""
    ) -> None:
        """A clause held here, or was violated. A sentence that is long to write may be a function
        that writes it.
        """
        if holds:
            self.by_clause.setdefault(clause, HOLDS)
        else:
            self.add(clause, Violation(sentence if isinstance(sentence, str) else sentence(), kind))

    def check(self, clause: str, holds: bool, kind: str, template: str, *values: object) -> None:
        """A clause held here, or was violated: the sentence is the template with these values."""
        self.add(clause, None if holds else Violation(template.format(*values), kind))

    def add(self, clause: str, violation: Violation | None) -> None:
        """A clause held here, or was violated; the first violation counts."""
        if violation is None:
            self.by_clause.setdefault(clause, HOLDS)
        elif not isinstance(self.by_clause.get(clause), Violation):
            self.by_clause[clause] = violation

    def unsettled(self) -> Findings:
        """Only the violations: of a trial that is not followed to its end, nothing else is said."""
        broken: dict[str, Finding] = {
            clause: found
            for clause, found in self.by_clause.items()
            if isinstance(found, Violation)
        }
        return Findings(broken)

    @property
    def is_violated(self) -> bool:
        """Whether a clause was."""
        return any(isinstance(found, Violation) for found in self.by_clause.values())

    def finding(self, clause: str) -> Finding:
        """What the whole trial says about a clause."""
        found = self.by_clause.get(clause, UNEXERCISED)
        return UNDECIDED if self.gave_up and not isinstance(found, Violation) else found
