"""All questions and clauses of all chapters, found by their modules rather than listed.

A component is a module `properties/<chapter>/<component>.py`, or a package if one module would be
too long. It holds its questions in `QUESTIONS`, and its judges.

Looking up one question imports its component alone; listing the questions imports all of them. The
clause ids of imported judges and functions of the reference are checked against the specification.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from evenkeel_engine import content, spec
from evenkeel_engine.content import Edition, list_lineage
from evenkeel_engine.frame.clauses import STATED
from evenkeel_engine.kit import stated
from evenkeel_engine.kit.clause import Clause
from evenkeel_engine.kit.judge import Judge
from evenkeel_engine.kit.question import AnyQuestion, Observation, Verdict, judge

if TYPE_CHECKING:
    from evenkeel_engine.kit.stated import StatedFunction

    CLAUSES: tuple[Clause, ...]
    STATED_BY: Mapping[str, tuple[StatedFunction, ...]]

_HOME: Final = content.name("properties")
_SHARED: Final = "_parts"
"""The suffix of modules that several components of a chapter share."""


def component_names(chapter: str) -> list[str]:
    """The names of a chapter's components, in order."""
    names = (found.name for found in iter_modules(import_module(f"{_HOME}.{chapter}").__path__))
    return sorted(name for name in names if not name.endswith(_SHARED))


def load_component(chapter: str, name: str) -> ModuleType:
    """The module of a component, or its package."""
    return import_module(f"{_HOME}.{chapter}.{name}")


def load_components(chapter: str) -> list[ModuleType]:
    """The modules of a chapter's components, by name."""
    return [load_component(chapter, name) for name in component_names(chapter)]


def judges_of(home: ModuleType) -> list[Judge]:
    """Every judge of a component, in the order in which they are defined."""
    parts = iter_modules(getattr(home, "__path__", ()))
    modules = [home, *(import_module(f"{home.__name__}.{found.name}") for found in parts)]
    every = (one for module in modules for one in vars(module).values() if isinstance(one, Judge))
    own = {question.name for question in home.QUESTIONS}
    return list(dict.fromkeys(one for one in every if one.question in own))


def find_judges() -> Iterator[Judge]:
    """Every judge of every component."""
    for chapter in spec.CHAPTERS:
        for package in load_components(chapter):
            yield from judges_of(package)


@cache
def find_home(question: str) -> ModuleType:
    """The component that defines a question. Raises `KeyError`."""
    chapter, _, name = question.partition(".")
    if chapter in spec.CHAPTERS:
        # Mostly both have the same name: then no other component is imported.
        for folder in sorted(component_names(chapter), key=lambda folder: folder != name):
            package = load_component(chapter, folder)
            if any(one.name == question for one in package.QUESTIONS):
                return package
    raise KeyError(question)


class Questions(Mapping[str, AnyQuestion]):
    """Every question by its name, in the order of chapters and components."""

    def __getitem__(self, name: str) -> AnyQuestion:
        return next(one for one in find_home(name).QUESTIONS if one.name == name)

    def __iter__(self) -> Iterator[str]:
        return (name for chapter in spec.CHAPTERS for name in names_in(chapter))

    def __len__(self) -> int:
        return sum(len(names_in(chapter)) for chapter in spec.CHAPTERS)


QUESTIONS: Final = Questions()


@cache
def names_in(chapter: str) -> tuple[str, ...]:
    """The names of a chapter's questions."""
    return tuple(one.name for package in load_components(chapter) for one in package.QUESTIONS)


@cache
def clauses_in(package: ModuleType) -> tuple[Clause, ...]:
    """The clauses that a component's judges check. Raises `spec.UnknownClause` for unknown ids."""
    judges = judges_of(package)
    stated.require_known(STATED)
    return tuple(
        Clause(entry, judge.question, judge.judge) for judge in judges for entry in judge.entries
    )


@cache
def all_clauses() -> tuple[Clause, ...]:
    """Every clause with every judge that checks it."""
    packages = (package for chapter in spec.CHAPTERS for package in load_components(chapter))
    return tuple(clause for package in packages for clause in clauses_in(package))


def __getattr__(name: str) -> Any:  # slow to import, and few callers need them
    if name == "CLAUSES":
        return all_clauses()
    if name == "STATED_BY":
        return stated.stated_by()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def clauses_for(
    question: str, edition: Edition, only: Collection[str] | None = None
) -> tuple[Clause, ...]:
    """The clauses of a question that an edition has; only these clauses, if given."""
    return tuple(
        clause
        for clause in clauses_in(find_home(question))
        if clause.question == question
        and clause.entry.holds_in(*list_lineage(edition.name))
        and (only is None or clause.id in only)
    )


def questions_of(
    chapters: Collection[str],
    clauses: Collection[str],
    edition: Edition,
    questions: Collection[str] = (),
) -> list[AnyQuestion]:
    """The questions that match: by name, chapter and clause, each ignored if empty."""
    only, asked = frozenset(clauses) or None, set(questions)
    within = [chapter for chapter in spec.CHAPTERS if not chapters or chapter in chapters]
    names = sorted(asked, key=find_place) if asked else chain.from_iterable(map(names_in, within))
    return [
        QUESTIONS[name]
        for name in names
        if name.partition(".")[0] in within and clauses_for(name, edition, only)
    ]


def find_place(question: str) -> tuple[int, str, int]:
    """The sort key of a question: chapter, component, place in it. Raises `KeyError`."""
    package = find_home(question)
    names = [one.name for one in package.QUESTIONS]
    return spec.CHAPTERS.index(question.partition(".")[0]), package.__name__, names.index(question)


def find_objections(
    question: str, edition: Edition, trial: Any, observation: Observation
) -> list[str]:
    """The objections of an edition's clauses to an observation, in words."""
    breaches = list_breaches(QUESTIONS[question], edition, trial, observation)
    return [f"{one.clause}: {one.sentence}" for one in breaches]


def list_breaches(
    question: AnyQuestion, edition: Edition, trial: Any, observation: Observation
) -> list[Verdict]:
    """The failed verdicts of an edition's clauses on an observation."""
    clauses = clauses_for(question.name, edition)
    return [one for one in judge(question, clauses, trial, observation, edition) if one.failed]
