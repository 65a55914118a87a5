"""Everything that can be asked, checked and mutated, over all chapters."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, Final

from evenkeel.properties import stated
from evenkeel.properties.balancing import clauses as balancing_clauses
from evenkeel.properties.balancing import mutants as balancing_mutants
from evenkeel.properties.balancing import questions as balancing_questions
from evenkeel.properties.bundles import clauses as bundle_clauses
from evenkeel.properties.bundles import mutants as bundle_mutants
from evenkeel.properties.bundles import questions as bundle_questions
from evenkeel.properties.clause import Clause
from evenkeel.properties.load import clauses as load_clauses
from evenkeel.properties.load import mutants as load_mutants
from evenkeel.properties.load import questions as load_questions
from evenkeel.properties.mutant import Mutant
from evenkeel.properties.ownership import clauses as ownership_clauses
from evenkeel.properties.ownership import mutants as ownership_mutants
from evenkeel.properties.ownership import questions as ownership_questions
from evenkeel.properties.placement import clauses as placement_clauses
from evenkeel.properties.placement import mutants as placement_mutants
from evenkeel.properties.placement import questions as placement_questions
from evenkeel.properties.question import Question
from evenkeel.properties.shedding import clauses as shedding_clauses
from evenkeel.properties.shedding import mutants as shedding_mutants
from evenkeel.properties.shedding import questions as shedding_questions
from evenkeel.properties.splitting import clauses as splitting_clauses
from evenkeel.properties.splitting import mutants as splitting_mutants
from evenkeel.properties.splitting import questions as splitting_questions
from evenkeel.properties.throttling import clauses as throttling_clauses
from evenkeel.properties.throttling import mutants as throttling_mutants
from evenkeel.properties.throttling import questions as throttling_questions
from evenkeel.reference.edition import Edition

QUESTIONS: Final[dict[str, Question[Any, Any]]] = {
    question.name: question
    for question in (
        *bundle_questions.QUESTIONS,
        *splitting_questions.QUESTIONS,
        *ownership_questions.QUESTIONS,
        *load_questions.QUESTIONS,
        *placement_questions.QUESTIONS,
        *shedding_questions.QUESTIONS,
        *balancing_questions.QUESTIONS,
        *throttling_questions.QUESTIONS,
    )
}
CLAUSES: Final[tuple[Clause, ...]] = (
    *bundle_clauses.CLAUSES,
    *splitting_clauses.CLAUSES,
    *ownership_clauses.CLAUSES,
    *load_clauses.CLAUSES,
    *placement_clauses.CLAUSES,
    *shedding_clauses.CLAUSES,
    *balancing_clauses.CLAUSES,
    *throttling_clauses.CLAUSES,
)
MUTANTS: Final[tuple[Mutant, ...]] = (
    *bundle_mutants.MUTANTS,
    *splitting_mutants.MUTANTS,
    *ownership_mutants.MUTANTS,
    *load_mutants.MUTANTS,
    *placement_mutants.MUTANTS,
    *shedding_mutants.MUTANTS,
    *balancing_mutants.MUTANTS,
    *throttling_mutants.MUTANTS,
)

STATED_BY: Final = stated.STATED_BY
"""The functions of the reference that state a clause, by id; an unknown id fails here."""


@cache
def clauses_for(
    question: str, edition: Edition, only: Collection[str] | None = None
) -> tuple[Clause, ...]:
    """The checks on a question that belong to an edition; of these clauses only, if given."""
    return tuple(
        clause
        for clause in CLAUSES
        if clause.question == question
        and clause.entry.holds_in(edition.name)
        and (only is None or clause.id in only)
    )


def questions_of(
    chapters: Collection[str],
    clauses: Collection[str],
    edition: Edition,
    questions: Collection[str] = (),
) -> list[Question[Any, Any]]:
    """Of these questions of these chapters, those that these clauses check; none given: all."""
    only = frozenset(clauses) or None
    return [
        question
        for question in QUESTIONS.values()
        if (not chapters or question.chapter in chapters)
        and (not questions or question.name in questions)
        and clauses_for(question.name, edition, only)
    ]
