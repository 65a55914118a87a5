"""The reference as a subject, in this process; with or without a mutant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evenkeel.harness.subjects.base import Ask, Errored, Observed, Reply
from evenkeel.mutation.mutant import Mutant
from evenkeel.reference.edition import Edition


class ReferenceSubject:
    """Answers with the reference of an edition."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.name = f"reference {edition.name}"
        self.questions: frozenset[str] | None = None

    def replies(self, asks: Iterable[Ask]) -> Iterator[tuple[Ask, Reply]]:
        """Answer each ask as it comes."""
        edition = self.edition
        for ask in asks:
            yield ask, Observed(ask.question.observe(ask.trial, edition))

    def close(self) -> None:
        """Nothing is held."""


class MutantSubject:
    """Answers with the reference with a mutant in it."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = f"mutant {mutant.name} in {mutant.edition.name}"
        self.questions: frozenset[str] | None = None

    def replies(self, asks: Iterable[Ask]) -> Iterator[tuple[Ask, Reply]]:
        """Answer each ask under the change; whoever judges has the reference without it."""
        for ask in asks:
            yield ask, self._reply(ask)

    def _reply(self, ask: Ask) -> Reply:
        with self.mutant.applied():
            try:
                return Observed(ask.question.observe(ask.trial, self.mutant.edition))
            except Exception as error:  # a defect may fail in any way; that is its answer
                return Errored(f"{type(error).__name__}: {error}", definite=True)

    def close(self) -> None:
        """Nothing is held."""
