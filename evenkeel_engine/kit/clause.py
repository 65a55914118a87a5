"""Cases, and findings about clauses in them.

A judge is a pure function of a `Case`. For each clause it returns one of four findings: it holds,
it was not exercised by this trial (so that a pass is never vacuous), it is violated, with a
sentence that says why this answer is impossible, or it is undecided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, TypeAlias, TypeVar

from evenkeel_engine import spec
from evenkeel_engine.content import Edition
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.observations import Broke, Refused

DETAIL = 120
"""Characters of a breakage's detail in a sentence."""

T = TypeVar("T")
A = TypeVar("A")


class Outcome(Enum):
    """The findings but a violation; undecided if the judge gave up, declined if not promised."""

    HOLDS = "holds"
    UNEXERCISED = "unexercised"
    UNDECIDED = "undecided"
    DECLINED = "declined"

    __hash__ = object.__hash__  # the enumeration's own is many times slower


HOLDS = Outcome.HOLDS
UNDECIDED = Outcome.UNDECIDED
DECLINED = Outcome.DECLINED
UNEXERCISED = Outcome.UNEXERCISED


@dataclass(frozen=True, slots=True)
class Violation:
    """Why the answer is impossible. `kind` is a short word without numbers, unlike the sentence;
    failures are grouped by clause and kind. `facts`: what the judge had computed by then, with
    its bounds, a sentence each.
    """

    sentence: str
    kind: str = ""
    facts: tuple[str, ...] = ()


Finding: TypeAlias = Outcome | Violation


class Case(Generic[T, A]):
    """A trial, what the subject observed, and what the reference of the edition observes.

    `expected` is computed when it is first read: judges that follow a list of commands step by step
    often never do. `disabled`: clauses that do not apply in this case.
    """

    __slots__ = ("_expect", "_expected", "disabled", "edition", "observation", "trial")

    def __init__(
        self,
        trial: T,
        observation: A | Refused | Broke,
        edition: Edition,
        expect: Callable[[T, Edition], A | Refused | Broke],
        disabled: frozenset[str] = frozenset(),
    ) -> None:
        self.trial = trial
        self.disabled = disabled
        self.observation = observation
        self.edition = edition
        self._expect = expect
        self._expected: A | Refused | Broke | None = None

    @property
    def expected(self) -> A | Refused | Broke:
        """What the reference of the edition observes on the trial."""
        if self._expected is None:
            self._expected = self._expect(self.trial, self.edition)
        return self._expected


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """A clause of the specification with the one judge of a question that checks it."""

    entry: spec.Entry
    question: str
    judge: Callable[[Case[Any, Any]], Findings]

    @property
    def id(self) -> str:
        """The clause's id in the specification."""
        return self.entry.id


def describe(observation: object) -> str:
    """An observation in a few words, for sentences of verdicts."""
    if isinstance(observation, Refused):
        return f"refused ({observation.reason})"
    if isinstance(observation, Broke):
        return f"broke ({observation.reason})"
    return f"answered {display(observation)}"


def in_full(observation: object) -> str:
    """The same with the detail of a breakage, for verdicts on the observation as a whole."""
    detail = " ".join(observation.detail.split()) if isinstance(observation, Broke) else ""
    if not isinstance(observation, Broke) or not detail:
        return describe(observation)
    short = detail if len(detail) <= DETAIL else f"{detail[: DETAIL - 1]}…"
    return f"broke ({observation.reason}: {short})"


def name_shape(observation: object) -> str:
    """Whether a subject answered, refused or broke."""
    if isinstance(observation, Refused):
        return "refused"
    return "broke" if isinstance(observation, Broke) else "answered"


@dataclass(slots=True)
class Findings:
    """The findings, one entry for each clause that was exercised.

    `gave_up` says why the judge gave up, if it did: then no clause is reported as holding.
    """

    by_clause: dict[str, Finding] = field(default_factory=dict)
    gave_up: str = ""

    def add(self, clause: str, violation: Violation | None) -> None:
        """Add one result for a clause; the first violation counts."""
        if violation is None:
            self.by_clause.setdefault(clause, HOLDS)
        elif not isinstance(self.by_clause.get(clause), Violation):
            self.by_clause[clause] = violation

    @property
    def all_hold(self) -> bool:
        """Whether every clause that was exercised is known to hold."""
        found = self.by_clause
        return not self.gave_up and list(found.values()).count(HOLDS) == len(found)

    @property
    def violated(self) -> set[str]:
        """The clauses that were violated."""
        return {id_ for id_, found in self.by_clause.items() if isinstance(found, Violation)}

    @property
    def is_violated(self) -> bool:
        """Whether any clause was violated."""
        return any(isinstance(found, Violation) for found in self.by_clause.values())

    def conclude_finding(self, clause: str) -> Finding:
        """The finding about a clause over the whole trial."""
        found = self.by_clause.get(clause, UNEXERCISED)
        return UNDECIDED if self.gave_up and not isinstance(found, Violation) else found
