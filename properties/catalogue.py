"""Everything that can be asked, checked and mutated, over all chapters: discovered, not listed.

A component is a folder `properties/<chapter>/<component>/`: the package itself holds `QUESTIONS`,
its module `judge` the judges, its module `mutants` the list `MUTANTS` (read when first asked for).
A chapter that still has its questions, clauses and mutants in modules of its own is read as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from evenkeel import spec
from evenkeel.properties import stated
from evenkeel.properties.clause import Case, Clause, Finding
from evenkeel.properties.judging.judge import Judge
from evenkeel.properties.question import Question
from evenkeel.reference.edition import Edition

if TYPE_CHECKING:
    from evenkeel.properties.mutant import Mutant

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


def discovered(kind: str, attribute: str) -> Iterator[tuple[str, Any]]:
    """What every module of this kind lists under a name, with its chapter."""
    for chapter in spec.CHAPTERS:
        for package in (import_module(f"{_HOME}.{chapter}"), *components(chapter)):
            module = part(package, kind)
            for one in getattr(module, attribute, ()):
                yield chapter, one


def judges() -> Iterator[Judge]:
    """Every judge of every component, in the order in which they stand."""
    for chapter in spec.CHAPTERS:
        for package in components(chapter):
            module = part(package, "judge")
            yield from (one for one in vars(module).values() if isinstance(one, Judge))


def clauses_of(judge: Judge) -> Iterator[Clause]:
    """A judge's clauses, each with its check."""

    def check_of(id_: str) -> Callable[[Case[Any, Any]], Finding]:
        def judge_of(case: Case[Any, Any]) -> Finding:
            return case.found(judge.judge).finding(id_)

        return judge_of

    for entry in judge.entries:
        yield Clause(entry, judge.question, check_of(entry.id))


def in_order(questions: Iterable[tuple[str, Question[Any, Any]]]) -> dict[str, Question[Any, Any]]:
    """Questions by name, chapter by chapter."""
    by_chapter = sorted(questions, key=lambda found: spec.CHAPTERS.index(found[0]))
    return {question.name: question for _, question in by_chapter}


QUESTIONS: Final[dict[str, Question[Any, Any]]] = in_order(
    [
        *discovered("questions", "QUESTIONS"),
        *(
            (chapter, question)
            for chapter in spec.CHAPTERS
            for package in components(chapter)
            for question in package.QUESTIONS
        ),
    ]
)
CLAUSES: Final[tuple[Clause, ...]] = tuple(
    sorted(
        [
            *(clause for _, clause in discovered("clauses", "CLAUSES")),
            *(clause for judge in judges() for clause in clauses_of(judge)),
        ],
        key=lambda clause: spec.CHAPTERS.index(clause.entry.chapter),
    )
)

STATED_BY: Final = stated.STATED_BY
"""The functions of the reference that state a clause, by id; an unknown id fails here."""


@cache
def mutants() -> tuple[Mutant, ...]:
    """Every mutant that is kept by hand."""
    return tuple(
        replace(mutant, chapter=chapter) for chapter, mutant in discovered("mutants", "MUTANTS")
    )


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
