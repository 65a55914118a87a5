"""Is there a run of a rule program that explains an observation? If not, who is to blame?

A program goes step by step (a round, a command; one step for a single decision). Runs are tried
depth first by doing them again with other choices; the states in which a step can end are merged,
so that choices of one round do not multiply with those of the next.

Blame: the smallest sets of clauses which, waived, let a run get past the step. The search goes on
behind them, so that a later step can break another clause.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, Final

from evenkeel.properties.clause import HOLDS, Violation
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.run import Contradiction, Run

MOST_RUNS: Final = 20_000
"""So many runs of one step are tried; then the verdict is undecided."""

MOST_STATES: Final = 2_000
"""So many states a step may end in."""

MOST_BLAMING: Final = 400
"""So many runs are tried to find out whether a set of clauses is to blame."""

MOST_SETS: Final = 100
"""So many sets of clauses of one size are tried."""

LARGEST_BLAME: Final = 3
"""Sets of so many clauses are tried; then all clauses that the step touched are to blame."""

State = Hashable
Free = tuple[frozenset[str], frozenset[str]]
"""The clauses that bind nobody, and those that a balancer may depart from."""
Step = Callable[[Run, int, Any], State]
Failed = tuple[Contradiction, Run]
Ways = list[tuple[State, frozenset[str]]]
"""Where runs can be, each state once, with what was exercised on the way to it."""


@dataclass(frozen=True, slots=True)
class Program:
    """A judge's rule program for one case: `step(run, place, state)` gives the state behind it."""

    begin: State
    steps: int
    step: Step


class TooMany(Exception):
    """The cap on runs or states was hit."""


@dataclass(slots=True)
class Past:
    """What the runs of one step from one state came to.

    `states`: where runs end, each with the clauses that the first such run exercised; `failed`:
    the contradictions of the others, with their runs; `whole`: whether these are all runs.
    """

    states: dict[State, dict[str, None]] = field(default_factory=dict)
    failed: list[Failed] = field(default_factory=list)
    whole: bool = False

    def go(
        self, step: Step, place: int, state: State, waived: frozenset[str], tries: Iterator[int]
    ) -> Iterator[State]:
        """Each state that a run comes to and none before it, as they are found.

        Raises `TooMany` where no more tries are left.
        """
        for run in runs(waived, MOST_RUNS):
            if next(tries, None) is None:
                raise TooMany
            try:
                after = step(run, place, state)
            except Contradiction as contradiction:
                self.failed.append((contradiction, run))
                continue
            if after not in self.states:
                self.states[after] = run.exercised
                yield after
        self.whole = True


def runs(waived: frozenset[str], most: int) -> Iterator[Run]:
    """Every run, each with the next plan: whoever takes one does it before taking the next.

    Raises `TooMany` behind `most`.
    """
    plan: list[int] | None = []
    count = 0
    while plan is not None:
        count += 1
        if count > most:
            raise TooMany
        run = Run(plan, waived)
        yield run
        taken = run.taken
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        plan = [*(chosen for chosen, _ in taken[:-1]), taken[-1][0] + 1] if taken else None


def behind(
    step: Step, place: int, states: Collection[State], waived: frozenset[str]
) -> tuple[dict[State, None], dict[str, None], bool]:
    """With these clauses waived: states behind a step, as a few runs find them, the clauses that
    took part, and whether these were all runs.
    """
    found: dict[State, None] = {}
    touched: dict[str, None] = {}
    every = True
    for state in states:
        try:
            for run in runs(waived, MOST_BLAMING):
                with suppress(Contradiction):
                    found[step(run, place, state)] = None
                touched.update(run.touched)
        except TooMany:
            every = False
    return found, touched, every


def explain(
    program: Program, waived: frozenset[str], advisory: frozenset[str] = frozenset()
) -> Findings:
    """What the observation that `program` follows says of every clause.

    `waived`: clauses that the edition does not have. `advisory`: those that a balancer may depart
    from; where one of them may be broken or else a binding one, nobody is accused of the latter.
    """
    return explain_one_of((program,), waived, advisory)


def explain_one_of(
    programs: Iterable[Program], waived: frozenset[str], advisory: frozenset[str] = frozenset()
) -> Findings:
    """What the first program that explains everything says; if none does, what one says of which
    nobody can tell, or which is departed from in practice only, or that blames the fewest clauses.
    """
    unexplained: list[Search] = []
    for program in programs:
        search = Search(program, waived)
        exercised = search.explanation()
        if exercised is not None:
            return Findings(dict.fromkeys(exercised, HOLDS))
        unexplained.append(search)  # who is to blame is asked if the others fail, too
    said = [search.findings(advisory) for search in unexplained]
    held = [one for one in said if not one.is_violated and not one.gave_up]
    open_ = [one for one in said if not one.is_violated]
    departing = [one for one in said if one.violated <= advisory]
    fewest = sorted(said, key=lambda one: len(one.violated))
    return (held or open_ or departing or fewest)[0]


class Search:
    """The runs of a program. Those that did not explain it tell who is to blame.

    `states`: where runs are before the step at `place`, each with what the accepted run exercised
    on its way; `known`: what the runs of a step came to, by its place and the state before it.
    """

    __slots__ = ("known", "place", "program", "states", "waived")

    def __init__(self, program: Program, waived: frozenset[str]) -> None:
        self.program, self.waived = program, waived
        self.place = 0
        self.states: Ways = [(program.begin, frozenset())]
        self.known: dict[tuple[int, State], Past] = {}

    def explanation(self) -> frozenset[str] | None:
        """What the first run exercises that explains all steps; it is mostly found at once, and is
        the one that `findings` would come to.

        None: there is none, or none that so many runs find.
        """
        while self.place < self.program.steps:
            if not self.go_straight():
                return self.depth_first()
        [(_, exercised)] = self.states
        return exercised

    def go_straight(self) -> bool:
        """Take a step whose first run explains it and leaves nothing open; else it must be
        searched. Behind the last step one explanation is enough.
        """
        program, place = self.program, self.place
        [(state, before)] = self.states
        run = Run((), self.waived)
        try:
            after = program.step(run, place, state)
        except (Contradiction, TooMany):
            return False
        if run.taken and place + 1 < program.steps:
            return False
        exercised = before if run.exercised.keys() <= before else before.union(run.exercised)
        self.states, self.place = [(after, exercised)], place + 1
        return True

    def depth_first(self) -> frozenset[str] | None:
        """The explanation, from here on."""
        [(begin, before)] = self.states
        tries = iter(range(MOST_RUNS))
        on_the_way: list[dict[str, None]] = []
        begun = [self.begun(self.place, begin, tries)]
        reached: list[set[State]] = [set() for _ in range(self.place, self.program.steps)]
        try:
            while len(on_the_way) < len(reached):
                past, ends = begun[-1]
                known = reached[len(on_the_way)]
                for after in ends:
                    if after not in known:
                        known.add(after)
                        on_the_way.append(past.states[after])
                        begun.append(self.begun(self.place + len(on_the_way), after, tries))
                        break
                else:
                    if not on_the_way:
                        return None
                    begun.pop()
                    on_the_way.pop()
        except TooMany:
            return None
        return before.union(*on_the_way)

    def begun(self, place: int, state: State, tries: Iterator[int]) -> tuple[Past, Iterator[State]]:
        """The runs of a step, to be tried one after the other."""
        past = self.known[place, state] = Past()
        return past, past.go(self.program.step, place, state, self.waived, tries)

    def past(self, place: int, state: State) -> Past:
        """What all runs of a step come to. Raises `TooMany`."""
        past = self.known.get((place, state))
        if past is None or not past.whole:
            past = Past()
            for _ in past.go(self.program.step, place, state, self.waived, repeat(0)):
                if len(past.states) > MOST_STATES:
                    raise TooMany
        return past

    def findings(self, advisory: frozenset[str]) -> Findings:
        """What there is no explanation for, by all runs of each step: who is to blame where no run
        goes on.
        """
        findings = Findings()
        while self.place < self.program.steps:
            if len(self.states) == 1 and not self.is_searched() and self.go_straight():
                continue
            try:
                self.states = self.advance(advisory, findings)
            except TooMany:
                findings.gave_up = (
                    f"step {self.place + 1}: too many ways to explain it were left open"
                )
                return findings
            self.place += 1
            if not self.states or findings.gave_up:
                return findings
        for clause in self.states[0][1]:
            findings.add(clause, None)
        return findings

    def is_searched(self) -> bool:
        """Whether runs of the next step were tried already."""
        return bool(self.known) and (self.place, self.states[0][0]) in self.known

    def advance(self, advisory: frozenset[str], findings: Findings) -> Ways:
        """The states behind one step, each with what was exercised on the way to it."""
        after: dict[State, frozenset[str]] = {}
        failed: list[Failed] = []
        for state, before in self.states:
            found = self.past(self.place, state)
            for one, exercised in found.states.items():
                if one not in after:
                    after[one] = before.union(exercised) if exercised else before
            failed += found.failed
        if after:
            return list(after.items())
        free = self.waived, advisory
        return blamed(self.program.step, self.place, self.states, free, failed, findings)


def blamed(
    step: Step,
    place: int,
    states: Ways,
    free: Free,
    failed: Sequence[Failed],
    findings: Findings,
) -> Ways:
    """Note who is to blame for a step that no run gets past; the states behind it all the same."""
    waived, advisory = free
    sets, after, every = blame(step, place, [state for state, _ in states], waived, failed)
    if not every:  # a later step might be fine behind a state that was not reached
        findings.gave_up = f"step {place + 1}: too many ways to get past it were left open"
    sets = [one for one in sets if one <= advisory] or sets
    names = sorted({clause for one in sets for clause in one})
    for clause in names:
        findings.add(clause, violation(clause, sets, failed))
    seen = frozenset().union(*(exercised for _, exercised in states)) - set(names)
    return [(state, seen) for state in after]


def blame(
    step: Step,
    place: int,
    states: Sequence[State],
    waived: frozenset[str],
    failed: Sequence[Failed],
) -> tuple[list[frozenset[str]], dict[State, None], bool]:
    """The smallest sets of clauses without which the step can be taken, where it ends then, and
    whether these are all the ends.

    A set that does not suffice grows by the clauses that take part once it is waived.
    """
    everyone = {clause: None for _, run in failed for clause in run.touched}
    tried: dict[frozenset[str], None] = {
        frozenset({one}): None for one in suspects(everyone, waived)
    }
    for _ in range(LARGEST_BLAME):
        found: list[frozenset[str]] = []
        after: dict[State, None] = {}
        grown: dict[frozenset[str], None] = {}
        whole = len(tried) <= MOST_SETS
        for one in list(tried)[:MOST_SETS]:
            reached, touched, every = behind(step, place, states, waived | one)
            whole = whole and every
            if reached:
                found.append(one)
                after.update(reached)
            everyone.update(touched)
            grown.update({one | {more}: None for more in suspects(touched, waived | one)})
        if found:
            return found, after, whole
        tried = grown
    return [frozenset(suspects(everyone, waived))], {}, True


def suspects(touched: Iterable[str], waived: frozenset[str]) -> list[str]:
    """The clauses that took part and bound somebody."""
    return [clause for clause in touched if clause not in waived]


def violation(clause: str, sets: Sequence[frozenset[str]], failed: Sequence[Failed]) -> Violation:
    """The sentence for a clause that is to blame, alone or with others.

    Of the runs that failed, one that this clause ended tells why; else one in which a decision of
    it went before.
    """
    own = [(error, run) for error, run in failed if error.clause == clause]
    noted = [(error, run) for error, run in failed if run.because(clause)]
    error, run = (own or noted or list(failed))[0]
    parts = [error.sentence or f"{error.clause} does not allow it", run.because(clause)]
    others = sorted({" and ".join(sorted(one)) for one in sets if clause not in one})
    company = sorted({other for one in sets if clause in one for other in one if other != clause})
    if company:
        verb = "is" if len(company) == 1 else "are"
        parts.append(f"{' and '.join(company)} {verb} broken with it")
    elif others:
        parts.append(f"or else {' or '.join(others)} is broken")
    return Violation("; ".join(part for part in parts if part), error.kind)
