"""Clauses as predicates: what a subject's answer is held against.

A check is a pure function of a `Case` and says one of three things: the clause holds, it was not
exercised by this trial (so that a pass is never vacuous), or it is violated, with a sentence that
says why this answer is impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeAlias, TypeVar

from evenkeel import spec
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.edition import Edition

T = TypeVar("T")
A = TypeVar("A")
R = TypeVar("R")


class Outcome(Enum):
    """The ways in which a clause is not violated; undecided where the judge gave up."""

    HOLDS = "holds"
    UNEXERCISED = "unexercised"
    UNDECIDED = "undecided"

    __hash__ = object.__hash__  # the enumeration's own is many times slower


HOLDS = Outcome.HOLDS
UNDECIDED = Outcome.UNDECIDED
UNEXERCISED = Outcome.UNEXERCISED


@dataclass(frozen=True, slots=True)
class Violation:
    """Why the answer is impossible. `kind` is a short word that tells apart what a sentence with
    numbers in it would not; failures are grouped by clause and kind.
    """

    sentence: str
    kind: str = ""


Finding: TypeAlias = Outcome | Violation


class Case(Generic[T, A]):
    """A trial, what the subject observed, and what the reference of the edition observes.

    `expected` is worked out when a check first asks for it: checks that follow a list of
    commands step by step often never do.
    """

    __slots__ = ("_expect", "_expected", "_found", "edition", "observation", "trial")

    def __init__(
        self,
        trial: T,
        observation: A | Refused | Broke,
        edition: Edition,
        expect: Callable[[T, Edition], A | Refused | Broke],
    ) -> None:
        self.trial = trial
        self.observation = observation
        self.edition = edition
        self._expect = expect
        self._expected: A | Refused | Broke | None = None
        self._found: Any = None

    def found(self, judge: Callable[[Case[T, A]], R]) -> R:
        """What the question's judge finds, worked out once for all its clauses."""
        if self._found is None:
            self._found = judge(self)
        found: R = self._found
        return found

    @property
    def expected(self) -> A | Refused | Broke:
        """What the reference of the edition observes on the trial."""
        if self._expected is None:
            self._expected = self._expect(self.trial, self.edition)
        return self._expected


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered rule with one check of it on one question. A rule may have several checks."""

    entry: spec.Entry
    question: str
    check: Callable[[Case[Any, Any]], Finding]

    @property
    def id(self) -> str:
        """The clause's id in the specification."""
        return self.entry.id


class ClauseBook:
    """The checks of one chapter, in the order in which they are written."""

    def __init__(self, chapter: str) -> None:
        self.chapter = chapter
        self._clauses: list[Clause] = []

    def __iter__(self) -> Iterator[Clause]:
        return iter(self._clauses)

    def check(
        self, id_: str, question: str
    ) -> Callable[[Callable[[Case[T, A]], Finding]], Callable[[Case[T, A]], Finding]]:
        """Register a function as a check of the clause `id_` on `question`.

        Raises `spec.UnknownClause` at import where the specification has no such clause.
        """
        entry = spec.clause(id_)

        def register(function: Callable[[Case[T, A]], Finding]) -> Callable[[Case[T, A]], Finding]:
            self._clauses.append(Clause(entry, question, function))
            return function

        return register


def unless(condition: bool, sentence: str, kind: str = "") -> Finding:
    """HOLDS if the condition does, else a violation."""
    return HOLDS if condition else Violation(sentence, kind)


def describe(observation: object) -> str:
    """An observation in a few words, for sentences."""
    if isinstance(observation, Refused):
        return f"refused ({observation.reason})"
    if isinstance(observation, Broke):
        return f"broke ({observation.reason})"
    return f"answered {observation}"


def shape(observation: object) -> str:
    """Whether a subject answered, refused or broke."""
    if isinstance(observation, Refused):
        return "refused"
    return "broke" if isinstance(observation, Broke) else "answered"


def as_expected(case: Case[T, A], what: str) -> Finding:
    """The observation is the reference's; of refusals and failures only the sort counts."""
    if shape(case.observation) != shape(case.expected):
        return Violation(
            f"{what}: must be {describe(case.expected)}, but the subject "
            f"{describe(case.observation)}",
            f"{shape(case.observation)} instead of {shape(case.expected)}",
        )
    if isinstance(case.expected, Refused | Broke) or case.observation == case.expected:
        return HOLDS
    return Violation(
        f"{what}: must be {case.expected}, but the subject {describe(case.observation)}"
    )
