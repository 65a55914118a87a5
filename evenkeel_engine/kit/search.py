"""Search for a run of a rule program that explains an observation, else for the clauses to blame.

A program goes step by step (a round, a command; one step for a single decision). Runs are tried
depth first by repeating them with other choices; equal states after a step are merged, so that
choices of one round do not multiply with those of the next.

Blame: the smallest sets of clauses without which a run gets past the step (`blame`). The search
continues after them, so that a later step can violate another clause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from evenkeel_engine.kit.blame import Stuck, record_blame
from evenkeel_engine.kit.clause import HOLDS, Findings, Violation
from evenkeel_engine.kit.run import (
    MOST_BLAMING,
    MOST_RUNS,
    Contradiction,
    Failed,
    Program,
    Run,
    State,
    StepRun,
    TooMany,
    Ways,
    generate_runs,
)

MOST_STATES: Final = 2_000
"""At most this many states a step may end in."""

MOST_IN_ALL: Final = 100_000
"""At most this many runs are tried to find the blame for one observation, over all its programs."""


@dataclass(slots=True)
class Past:
    """The results of the runs of one step from one state.

    `states`: where runs end, each with the clauses that the first such run exercised; `failed`:
    the contradictions of the others, with their runs; `whole`: whether these are all runs.
    """

    states: dict[State, dict[str, None]] = field(default_factory=dict)
    failed: list[Failed] = field(default_factory=list)
    whole: bool = False

    def go(
        self,
        step: StepRun,
        place: int,
        state: State,
        disabled: frozenset[str],
        tries: Iterator[int],
    ) -> Iterator[State]:
        """Each new state, as runs reach it. Raises `TooMany` if no tries are left."""
        for run in generate_runs(disabled, MOST_RUNS):
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


def explain(
    programs: Program | Iterable[Program],
    disabled: frozenset[str],
    advisory: frozenset[str] = frozenset(),
) -> Findings:
    """The findings about every clause for the observation that a program follows. Of several: of
    the first that explains everything; if none does, of one that is undecided, or that needs
    departures from practice only, or that blames the fewest clauses.

    `disabled`: clauses that the edition does not have. `advisory`: SHOULDs, from which a subject
    may depart; if either a SHOULD or a MUST may be violated, only the SHOULD is reported. If it is
    certain that none explains everything, one departure is the least that can be said.
    """
    unexplained: list[Search] = []
    tries = iter(range(MOST_IN_ALL))
    for program in (programs,) if isinstance(programs, Program) else programs:
        search = Search(program, disabled, tries)
        if (exercised := search.find_explanation()) is not None:
            return Findings(dict.fromkeys(exercised, HOLDS))
        unexplained.append(search)  # blame is computed only if the others fail, too
    certain = not any(search.gave_up for search in unexplained)
    best: Findings | None = None
    for search in unexplained:
        if best and blame_of(best, advisory) == (1, 1) and search.needs_must(advisory):
            continue  # it would blame no less
        found = search.collect_findings(advisory, best)
        if not found.is_violated and not found.gave_up:
            return found
        alone = len(found.violated) == 1 and found.violated <= advisory
        if certain and alone and not found.gave_up:
            return found
        if best is None or blame_of(best, advisory) > blame_of(found, advisory):
            best = found
    assert best is not None  # there is a program
    if best.violated <= advisory:
        return best
    several = (search.program for search in unexplained if search.program.steps > 1)
    return find_departures(several, disabled, advisory, best) or best


def blame_of(findings: Findings, advisory: frozenset[str]) -> tuple[int, int]:
    """How much is to blame: MUSTs count more than anything else."""
    return len(findings.violated - advisory), len(findings.violated)


def find_departures(
    programs: Iterable[Program],
    disabled: frozenset[str],
    advisory: frozenset[str],
    violated: Findings,
) -> Findings | None:
    """Findings by which departures from practice alone explain everything, although a single step
    violates a MUST: an earlier departure that shows in no step before can be the cause. None: they
    do not explain it.
    """
    for program in programs:
        if Search(program, disabled | advisory).find_explanation(MOST_BLAMING) is None:
            continue
        needed = advisory
        for clause in sorted(advisory):
            fewer = needed - {clause}
            if Search(program, disabled | fewer).find_explanation(MOST_BLAMING) is not None:
                needed = fewer
        exercised = Search(program, disabled | needed).find_explanation(MOST_BLAMING)
        if exercised is not None and needed:
            found = violated.by_clause.values()
            reason = next(one.sentence for one in found if isinstance(one, Violation))
            departed = Violation(f"a subject that departs from it may do so: {reason}")
            return Findings(
                dict.fromkeys(exercised, HOLDS) | dict.fromkeys(sorted(needed), departed)
            )
    return None


class Search:
    """The runs of a program; those that fail show which clauses are to blame.

    `states`: the states before the step at `place`, each with what the accepted run exercised on
    its way; `known`: the results of the runs of a step, by its place and the state before it;
    `tries`: those left to find the blame; `gave_up`: whether an explanation may have been missed.
    """

    __slots__ = ("disabled", "gave_up", "known", "place", "program", "states", "tries")

    def __init__(
        self, program: Program, disabled: frozenset[str], tries: Iterator[int] | None = None
    ) -> None:
        self.program, self.disabled = program, disabled
        self.tries = iter(range(MOST_IN_ALL)) if tries is None else tries
        self.place, self.gave_up = 0, False
        self.states: Ways = [(program.begin, frozenset())]
        self.known: dict[tuple[int, State], Past] = {}

    def find_explanation(self, most: int = MOST_RUNS) -> frozenset[str] | None:
        """The clauses exercised by the first run that explains all steps; it is mostly found at
        once, and is the one that `collect_findings` would find.

        None: there is none, or none within `most` runs.
        """
        while self.place < self.program.steps:
            if not self.go_straight():
                return self.depth_first(most)
        [(_, exercised)] = self.states
        return exercised

    def needs_must(self, advisory: frozenset[str]) -> bool:
        """Whether departures from practice certainly do not explain what nothing explained."""
        departing = Search(self.program, self.disabled | advisory)
        explained = departing.find_explanation(MOST_BLAMING) is not None
        return not (explained or departing.gave_up or self.gave_up)

    def go_straight(self) -> bool:
        """Take a step whose first run explains it and leaves nothing open, or is the last."""
        program, place = self.program, self.place
        [(state, before)] = self.states
        run = Run((), self.disabled)
        try:
            after = program.step(run, place, state)
        except (Contradiction, TooMany):
            return False
        if run.taken and place + 1 < program.steps:
            return False
        exercised = before if run.exercised.keys() <= before else before.union(run.exercised)
        self.states, self.place = [(after, exercised)], place + 1
        return True

    def depth_first(self, most: int) -> frozenset[str] | None:
        """The explanation of the remaining steps."""
        [(begin, before)] = self.states
        tries = iter(range(most))
        on_the_way: list[dict[str, None]] = []
        begun = [self.begin_step(self.place, begin, tries)]
        reached: list[set[State]] = [set() for _ in range(self.place, self.program.steps)]
        try:
            while len(on_the_way) < len(reached):
                past, ends = begun[-1]
                known = reached[len(on_the_way)]
                for after in ends:
                    if after not in known:
                        known.add(after)
                        on_the_way.append(past.states[after])
                        begun.append(self.begin_step(self.place + len(on_the_way), after, tries))
                        break
                else:
                    if not on_the_way:
                        return None
                    begun.pop()
                    on_the_way.pop()
        except TooMany:
            self.gave_up = True
            return None
        return before.union(*on_the_way)

    def begin_step(
        self, place: int, state: State, tries: Iterator[int]
    ) -> tuple[Past, Iterator[State]]:
        """The runs of a step, to be tried in order."""
        past = self.known[place, state] = Past()
        return past, past.go(self.program.step, place, state, self.disabled, tries)

    def run_step(self, place: int, state: State) -> Past:
        """The results of all runs of a step. Raises `TooMany`."""
        past = self.known.get((place, state))
        if past is None or not past.whole:
            past = Past()
            for _ in past.go(self.program.step, place, state, self.disabled, self.tries):
                if len(past.states) > MOST_STATES:
                    raise TooMany
        return past

    def collect_findings(self, advisory: frozenset[str], best: Findings | None = None) -> Findings:
        """The findings by all runs of each step: the clauses to blame where no run continues. Those
        of a few steps only, if that blames no less than `best` already.
        """
        findings = Findings()
        least = max(blame_of(best, advisory), (0, 2)) if best else None
        while self.place < self.program.steps:
            searched = self.known and (self.place, self.states[0][0]) in self.known
            if len(self.states) == 1 and not searched and self.go_straight():
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
            if least and blame_of(findings, advisory) >= least:
                return findings
        for clause in self.states[0][1]:
            findings.add(clause, None)
        return findings

    def advance(self, advisory: frozenset[str], findings: Findings) -> Ways:
        """The states after one step, each with what was exercised on the way to it."""
        after: dict[State, frozenset[str]] = {}
        failed: list[Failed] = []
        for state, before in self.states:
            found = self.run_step(self.place, state)
            for one, exercised in found.states.items():
                if one not in after:
                    after[one] = before.union(exercised) if exercised else before
            failed += found.failed
        if after:
            return list(after.items())
        stuck = Stuck(
            self.program.step, self.place, [state for state, _ in self.states], self.tries
        )
        return record_blame(stuck, self.states, (self.disabled, advisory), failed, findings)
