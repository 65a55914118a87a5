"""The reference as a subject, in this process; with or without a mutant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evenkeel_engine.content import Edition
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.subjects.base import Errored, Observed, Reply, Request


class ReferenceSubject:
    """Answers with the reference of an edition."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.name = f"reference {edition.name}"
        self.questions: frozenset[str] | None = None

    def replies(self, requests: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        """Answer each request when it is taken."""
        edition = self.edition
        for request in requests:
            yield request, Observed(request.question.observe(request.trial, edition))

    def close(self) -> None:
        """Nothing is held."""


class MutantSubject:
    """Answers with the reference with a mutant in it."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = f"mutant {mutant.name} in {mutant.edition.name}"
        self.questions: frozenset[str] | None = None

    def replies(self, requests: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        """Answer each request with the mutant; between replies the reference is unchanged."""
        for request in requests:
            yield request, self._reply(request)

    def _reply(self, request: Request) -> Reply:
        with self.mutant.apply():
            try:
                return Observed(request.question.observe(request.trial, self.mutant.edition))
            except Exception as error:  # a defect may fail in any way; that is its answer
                return Errored(f"{type(error).__name__}: {error}", definite=True)

    def close(self) -> None:
        """Nothing is held."""
