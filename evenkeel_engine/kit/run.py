"""One run of a rule program: its decisions, its choices, its requirements of the observation.

A rule program follows a trial as a right subject would, next to the observation. `rule` is a
decision and the clauses that demand its two outcomes; where rounding or the documents leave it open
it is a choice point, and so is `pick`. `require` is what must hold of the observation. A run that
cannot have produced the observation ends with `Contradiction`; `search` tries the others.

A clause is exercised where its decision was reached and its other outcome would have been a
violation. So decide where it shows: put the conditions of one visible outcome together with
`every`, and make no decision that has no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from evenkeel_engine.kit.approx import Ternary
from evenkeel_engine.kit.clause import DECLINED, Findings, Violation
from evenkeel_engine.kit.formatting import display

Sentence: TypeAlias = str | Callable[[], str]
"""A sentence, or a function that formats it, if formatting takes time."""


class Contradiction(Exception):
    """This run cannot have produced the observation: `clause` forbids it, `sentence` says why.

    `assumed`: the program departs from the clause; the observation may not.
    """

    def __init__(self, clause: str, sentence: Sentence, kind: str, assumed: bool = False) -> None:
        super().__init__(clause)
        self.clause = clause
        self._sentence = sentence
        self.kind = kind
        self.assumed = assumed

    @property
    def sentence(self) -> str:
        """Why the clause forbids it."""
        return format_sentence(self._sentence)


def format_sentence(sentence: Sentence) -> str:
    """The sentence as text."""
    return sentence if isinstance(sentence, str) else sentence()


def fill(template: str, *values: object) -> Sentence:
    """The template with these values as a sentence; it is formatted when it is needed."""
    return lambda: template.format(*map(display, values))


class Run:
    """One run; its choices are those of `plan`, then always the first.

    `disabled` are clauses that do not apply: those that are left out to find the blame, and those
    that the edition does not have.
    """

    __slots__ = ("disabled", "exercised", "notes", "plan", "taken", "touched")

    def __init__(self, plan: Sequence[int], disabled: frozenset[str]) -> None:
        self.plan = plan
        self.disabled = disabled
        self.taken: list[tuple[int, int]] = []
        self.exercised: dict[str, None] = {}
        self.touched: dict[str, None] = {}
        self.notes: list[tuple[str | None, Sentence]] = []

    def pick(self, options: int) -> int:
        """The index of one of this many options, all of them right."""
        if options == 1:
            return 0
        place = len(self.taken)
        chosen = self.plan[place] if place < len(self.plan) else 0
        self.taken.append((chosen, options))
        return chosen

    def rule(
        self,
        value: Ternary,
        so: str | None = None,
        not_so: str | None = None,
        why: Sentence | None = None,
    ) -> bool:
        """Decide: `so` is the clause that demands the outcome if `value` holds, `not_so` if not.

        `why` says what is compared, for the sentence of a violation ("usage 0.9, bound 0.85").
        Without a clause the outcome is that of the value.
        """
        if value is None:
            return self.pick(2) == 0
        clause = so if value else not_so
        if clause is not None:
            self.touched[clause] = None
            if clause in self.disabled:
                return value if self.pick(2) == 0 else not value
            self.exercised[clause] = None
            if why is not None:
                self.notes.append((clause, why))
        return value

    def require(self, clause: str, holds: Ternary, why: Sentence = "", kind: str = "") -> None:
        """Require something of the observation; an undecided value passes, and exercises nothing.

        Call it only if a wrong observation could fail it. What follows it must bear a wrong one:
        the program runs again without the clause, to find which is to blame.
        """
        self.touched[clause] = None
        if holds is None or clause in self.disabled:
            return
        self.exercised[clause] = None
        if not holds:
            raise Contradiction(clause, why, kind)

    def depart(self, clause: str, why: Sentence, kind: str = "") -> None:
        """Follow a subject that departs from `clause` in all that it does, as another may."""
        self.touched[clause] = None
        if clause not in self.disabled:
            raise Contradiction(clause, why, kind, assumed=True)

    def note(self, template: str, *values: object) -> None:
        """Note what was computed, for a violation later in this step; it is formatted only then."""
        self.notes.append((None, fill(template, *values)))

    def list_facts(self, but: str = "") -> tuple[str, ...]:
        """All that was noted, in order; without `but`, which is said already."""
        noted = dict.fromkeys(format_sentence(why) for _, why in self.notes)
        return tuple(fact for fact in noted if fact and fact != but)

    def find_reason(self, clause: str) -> str:
        """The reason of the last decision that this clause demanded; empty if there is none."""
        reasons = (why for one, why in reversed(self.notes) if one == clause)
        return format_sentence(next(reasons, ""))


class MonitorRun:
    """The run of a monitor: nothing is left open, so it has no choices, and it continues after a
    violation.

    `findings` is what was found so far, the first violation of each clause; `disabled` are clauses
    that do not apply; `facts` says what is computed at this moment, for a violation.
    """

    __slots__ = ("disabled", "facts", "findings")

    def __init__(self, disabled: frozenset[str]) -> None:
        self.disabled = disabled
        self.findings = Findings()
        self.facts: Callable[[], Iterable[str]] = tuple

    def require(self, clause: str, holds: Ternary, why: Sentence = "", kind: str = "") -> None:
        """Require something of the observation; undecided passes, and exercises nothing."""
        if holds is None or clause in self.disabled:
            return
        if holds:
            self.findings.add(clause, None)
        elif not isinstance(self.findings.by_clause.get(clause), Violation):
            self.findings.add(clause, Violation(format_sentence(why), kind, tuple(self.facts())))

    def decline(self, clause: str) -> None:
        """The subject does not promise what this clause would hold it to."""
        if clause not in self.disabled:
            self.findings.by_clause.setdefault(clause, DECLINED)

    def give_up(self, why: str) -> None:
        """Give up: no clause is reported as holding."""
        self.findings.gave_up = why


AnyRun: TypeAlias = Run | MonitorRun
"""What has `require` and `disabled`."""

MOST_RUNS: Final = 20_000
"""At most this many runs of one step are tried; then the verdict is undecided."""

MOST_BLAMING: Final = 400
"""At most this many runs are tried to decide whether a set of clauses is to blame."""

State = Hashable
StepRun = Callable[[Run, int, Any], State]
Failed = tuple[Contradiction, Run]

Ways = list[tuple[State, frozenset[str]]]
"""The states that runs can be in, each once, with the clauses exercised on the way to it."""


@dataclass(frozen=True, slots=True)
class Program:
    """A judge's rule program for one case: `step(run, place, state)` returns the state after it.

    Runs in equal states are one, so a state has a hash: frozen records and tuples, no lists.
    """

    begin: State
    steps: int
    step: StepRun

    def __post_init__(self) -> None:
        try:
            hash(self.begin)
        except TypeError as error:  # else only a violation would show it
            raise TypeError(f"a judge's state needs a hash: {error}") from None


class TooMany(Exception):
    """The limit of runs or states was reached."""


def generate_runs(disabled: frozenset[str], most: int) -> Iterator[Run]:
    """Every run, to be executed before the next is taken. Raises `TooMany` after `most`."""
    plan: list[int] | None = []
    count = 0
    while plan is not None:
        count += 1
        if count > most:
            raise TooMany
        run = Run(plan, disabled)
        yield run
        taken = run.taken
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        plan = [*(chosen for chosen, _ in taken[:-1]), taken[-1][0] + 1] if taken else None
