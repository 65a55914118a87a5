"""The reference as a subject, in this process; with or without a mutant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evenkeel_engine.content import Edition
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.subjects.base import Errored, Observed, Reply, Request, Skipped


class ReferenceSubject:
    """Answers with the reference of an edition. Of the questions that are asked turn by turn there
    can be others than the usual one, by `other`'s name.
    """

    def __init__(self, edition: Edition, other: str = "") -> None:
        self.edition = edition
        self.name = f"reference {edition.name} {other}".rstrip()
        self.questions = list_others().get(other) if other else None
        self._other = other

    def replies(self, requests: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        """Answer each request when it is taken."""
        edition, other = self.edition, self._other
        for request in requests:
            question, trial = request.question, request.trial
            if not other:
                yield request, Observed(question.observe(trial, edition))
            elif question.talk is not None and other in question.talk.others:
                yield request, Observed(question.talk.answer(trial, edition, other))
            else:
                yield request, Skipped("not supported")

    def close(self) -> None:
        """Nothing is held."""


def list_others() -> dict[str, frozenset[str]]:
    """By name, the questions that a reference other than the usual one answers."""
    talks = {name: one.talk.others for name, one in QUESTIONS.items() if one.talk is not None}
    return {
        other: frozenset(name for name, others in talks.items() if other in others)
        for other in sorted({other for others in talks.values() for other in others})
    }


class MutantSubject:
    """Answers with the reference with a mutant in it."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = f"mutant {mutant.name} in {mutant.edition.name}"
        self.questions: frozenset[str] | None = None

    def replies(self, requests: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        """Answer each request with the mutant; between replies the reference is unchanged."""
        yield from ((request, self._reply(request)) for request in requests)

    def _reply(self, request: Request) -> Reply:
        with self.mutant.apply():
            try:
                return Observed(request.question.observe(request.trial, self.mutant.edition))
            except Exception as error:  # a defect may fail in any way; that is its answer
                return Errored(f"{type(error).__name__}: {error}", definite=True)

    def close(self) -> None:
        """Nothing is held."""
