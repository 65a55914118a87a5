"""Everything that can be asked, checked and mutated, over all chapters: discovered, not listed.

A component is a folder `properties/<chapter>/<component>/`: the package itself holds `QUESTIONS`,
its module `judge` the judges, its module `mutants` the mutants, in a list `MUTANTS` or each by
itself (read when first asked for; mutants of what several components share stand in the chapter's
own module `mutants`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from evenkeel import spec
from evenkeel.properties import stated
from evenkeel.properties.clause import Clause
from evenkeel.properties.judging.judge import Judge
from evenkeel.properties.mutant import Mutant, mutants_of
from evenkeel.properties.question import Question
from evenkeel.reference.edition import Edition

if TYPE_CHECKING:
    MUTANTS: tuple[Mutant, ...]

_HOME: Final = "evenkeel.properties"


def components(chapter: str) -> list[ModuleType]:
    """The packages of a chapter's components, by name."""
    package = import_module(f"{_HOME}.{chapter}")
    names = sorted(found.name for found in iter_modules(package.__path__) if found.ispkg)
    return [import_module(f"{package.__name__}.{name}") for name in names]


def part(package: ModuleType, name: str) -> ModuleType | None:
    """A module of a package; None if there is none of this name."""
    full = f"{package.__name__}.{name}"
    return import_module(full) if find_spec(full) else None


def judges() -> Iterator[Judge]:
    """Every judge of every component, in the order in which they stand."""
    for chapter in spec.CHAPTERS:
        for package in components(chapter):
            module = part(package, "judge")
            yield from (one for one in vars(module).values() if isinstance(one, Judge))


QUESTIONS: Final[dict[str, Question[Any, Any]]] = {
    question.name: question
    for chapter in spec.CHAPTERS
    for package in components(chapter)
    for question in package.QUESTIONS
}
CLAUSES: Final = tuple(
    Clause(entry, judge.question, judge.judge) for judge in judges() for entry in judge.entries
)
"""Every clause with every judge that speaks of it."""

STATED_BY: Final = stated.STATED_BY
"""The functions of the reference that state a clause, by id; an unknown id fails here."""


@cache
def mutants() -> tuple[Mutant, ...]:
    """Every mutant that is kept by hand, and every switch the other way."""
    other_way = import_module(f"{_HOME}.mutation.switches").mutants_of
    by_hand = (
        replace(mutant, chapter=chapter)
        for chapter in spec.CHAPTERS
        for package in (import_module(f"{_HOME}.{chapter}"), *components(chapter))
        for mutant in mutants_of(part(package, "mutants"))
    )
    return (*by_hand, *(one for chapter in spec.CHAPTERS for one in other_way(chapter)))


def __getattr__(name: str) -> Any:  # the mutants are many, and few who ask questions need them
    if name == "MUTANTS":
        return mutants()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
