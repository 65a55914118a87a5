"""What a judge finds in one case about all clauses of its question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from evenkeel.properties.clause import (
    HOLDS,
    UNDECIDED,
    UNEXERCISED,
    Finding,
    Violation,
)
from evenkeel.properties.plain import plain


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
        self.add(clause, None if holds else Violation(template.format(*map(plain, values)), kind))

    def add(self, clause: str, violation: Violation | None) -> None:
        """A clause held here, or was violated; the first violation counts."""
        if violation is None:
            self.by_clause.setdefault(clause, HOLDS)
        elif not isinstance(self.by_clause.get(clause), Violation):
            self.by_clause[clause] = violation

    @property
    def all_hold(self) -> bool:
        """Whether every clause that was exercised is known to hold."""
        found = self.by_clause
        return not self.gave_up and list(found.values()).count(HOLDS) == len(found)

    @property
    def violated(self) -> set[str]:
        """The clauses that were."""
        return {id_ for id_, found in self.by_clause.items() if isinstance(found, Violation)}

    @property
    def is_violated(self) -> bool:
        """Whether a clause was."""
        return any(isinstance(found, Violation) for found in self.by_clause.values())

    def finding(self, clause: str) -> Finding:
        """What the whole trial says about a clause."""
        found = self.by_clause.get(clause, UNEXERCISED)
        return UNDECIDED if self.gave_up and not isinstance(found, Violation) else found
