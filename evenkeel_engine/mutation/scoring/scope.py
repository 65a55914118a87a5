"""What a score is limited to: chapters, questions, clauses, editions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel_engine import spec
from evenkeel_engine.content import BASE_EDITIONS
from evenkeel_engine.kit.catalogue import CLAUSES, QUESTIONS
from evenkeel_engine.mutation.catalogue import MUTANTS
from evenkeel_engine.mutation.mutant import Mutant


@dataclass(frozen=True, slots=True)
class ScoreScope:
    """The names that were given; without any, all."""

    chapters: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    editions: tuple[str, ...] = ()

    @property
    def is_partial(self) -> bool:
        """Whether a mutant may survive for the only reason that not all is tried."""
        return bool(self.questions or self.clauses)

    def mutated_chapters(self) -> tuple[str, ...]:
        """The chapters of the mutants; empty: all."""
        selected = {question.partition(".")[0] for question in self.questions}
        selected |= {spec.find_clause(id_).chapter for id_ in self.clauses}
        return self.chapters or tuple(name for name in spec.CHAPTERS if name in selected)

    def list_mutants(self) -> list[Mutant]:
        """The mutants that are not sampled."""
        chapters = self.mutated_chapters() or spec.CHAPTERS
        found = [m for m in MUTANTS if m.chapter in chapters]
        return [m for m in found if not self.editions or m.edition.name in self.editions]

    def edition_names(self) -> tuple[str, ...]:
        """The editions that are tried."""
        return self.editions or tuple(BASE_EDITIONS)

    def questions_about(self, mutant: Mutant) -> list[str]:
        """The questions that are named; else those of the clauses that are; else of its chapter."""
        of_clause = {c.question for c in CLAUSES if c.id in self.clauses}
        of_chapter = {c.question for c in CLAUSES if c.entry.chapter == mutant.chapter}
        selected = self.questions or (of_clause if self.clauses else of_chapter)
        return [name for name in QUESTIONS if name in selected]


EVERYTHING: Final = ScoreScope()
