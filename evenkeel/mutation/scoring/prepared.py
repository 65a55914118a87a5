"""Trials, the reference's answers and what it ran for them: made once for all mutants.

A mutant shows only on trials for which the reference runs the changed function, and there
only if the answer is another. Both are known before the mutant runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias

from evenkeel.harness.seeded import Block, asks
from evenkeel.properties.catalogue import MUTANTS, QUESTIONS
from evenkeel.properties.mutant import Mutant
from evenkeel.properties.question import Observation
from evenkeel.reference.edition import EDITIONS

KEPT: Final = 1000
"""How many blocks a process keeps; those of a chapter are asked for again and again."""

Place: TypeAlias = tuple[str, str]
"""Where a mutant is: a module and a function in it."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A trial, what the reference observes, and the places that it ran."""

    index: int
    trial: Any
    expected: Observation
    ran: frozenset[Place]


def place_of(mutant: Mutant) -> Place:
    """Where a mutant is."""
    return mutant.module.__name__, mutant.function


@cache
def places(chapter: str) -> dict[Place, Mutant]:
    """Where the mutants of a chapter are, with one of them each."""
    return {place_of(mutant): mutant for mutant in MUTANTS if mutant.chapter == chapter}


@lru_cache(maxsize=KEPT)
def trials(block: Block) -> tuple[Any, ...]:
    """A block's trials."""
    return tuple(ask.trial for ask in asks(block))


@lru_cache(maxsize=KEPT)
def prepared(block: Block, chapter: str, edition: str) -> tuple[Prepared, ...]:
    """A block's trials with what the reference of an edition answers and runs."""
    question, ran, seen = QUESTIONS[block.question], set[Place](), []
    with noting(chapter, ran.add):
        for index, trial in enumerate(trials(block), block.start):
            ran.clear()
            expected = question.observe(trial, EDITIONS[edition])
            seen.append(Prepared(index, trial, expected, shared(frozenset(ran))))
    return tuple(seen)


@cache
def shared(ran: frozenset[Place]) -> frozenset[Place]:
    """One object for equal sets: there are few of them."""
    return ran


@contextmanager
def noting(chapter: str, note: Callable[[Place], None]) -> Iterator[None]:
    """Within this block every function in which the chapter has a mutant notes that it ran."""
    with ExitStack() as stack:
        for place, mutant in places(chapter).items():
            stack.enter_context(mutant.replaced_by(noted(place, mutant.original(), note)))
        yield


def noted(
    place: Place, original: Callable[..., Any], note: Callable[[Place], None]
) -> Callable[..., Any]:
    """The function as it is, but for the note."""

    def function(*arguments: Any, **named: Any) -> Any:
        note(place)
        return original(*arguments, **named)

    return function
