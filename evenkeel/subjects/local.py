"""The reference as a subject, in this process; with or without a planted change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evenkeel.properties.planted import Planted
from evenkeel.reference.edition import Edition
from evenkeel.subjects.base import Ask, Errored, Observed, Reply


class ReferenceSubject:
    """Answers with the reference of an edition."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.name = f"reference {edition.name}"

    def replies(self, asks: Iterable[Ask]) -> Iterator[tuple[Ask, Reply]]:
        """Answer each ask as it comes."""
        edition = self.edition
        for ask in asks:
            yield ask, Observed(ask.question.observe(ask.trial, edition))

    def close(self) -> None:
        """Nothing is held."""


class PlantedSubject:
    """Answers with the reference after one function of it was changed."""

    def __init__(self, planted: Planted) -> None:
        self.planted = planted
        self.name = f"{planted.name} planted in {planted.edition.name}"
        self._changed = planted.make(planted.original())

    def replies(self, asks: Iterable[Ask]) -> Iterator[tuple[Ask, Reply]]:
        """Answer each ask under the change; whoever judges has the reference without it."""
        for ask in asks:
            yield ask, self._reply(ask)

    def _reply(self, ask: Ask) -> Reply:
        with self.planted.replaced_by(self._changed):
            try:
                return Observed(ask.question.observe(ask.trial, self.planted.edition))
            except Exception as error:  # a defect may fail in any way; that is its answer
                return Errored(f"{type(error).__name__}: {error}", definite=True)

    def close(self) -> None:
        """Nothing is held."""
