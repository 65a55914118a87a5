"""Blame for a step that no run gets past: the smallest sets of clauses without which one does.

A clause that the observation does not meet whatever is decided comes first, and alone. If then
departures from practice (SHOULD) explain the step, they are to blame, however many it takes. A MUST
is reported as violated only if all SHOULDs together are not enough. A clause that holds by itself
is never to blame.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from evenkeel_engine.kit.clause import Findings, Violation
from evenkeel_engine.kit.run import (
    MOST_BLAMING,
    Contradiction,
    Failed,
    Run,
    State,
    StepRun,
    TooMany,
    Ways,
    generate_runs,
)

MOST_SETS: Final = 100
"""At most this many sets of clauses of one size are tried."""

LARGEST_BLAME: Final = 3
"""The largest sets of clauses that are tried. After that, departures are left out one by one until
none can be; if they are not enough, so are all clauses that the step touched.
"""

FEW: Final = 20
"""At most this many runs are tried to find a sentence."""

Clauses: TypeAlias = frozenset[str]

Free = tuple[Clauses, Clauses]
"""The clauses that are disabled, and those that a subject may depart from."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """A step that no run gets past, from any of these states; and the tries left to explain it."""

    step: StepRun
    place: int
    states: Sequence[State]
    tries: Iterator[int]

    def reach(self, disabled: Clauses) -> Reached:
        """The states that a few runs reach with these clauses disabled."""
        reached = Reached()
        for state in self.states:
            try:
                for run in generate_runs(disabled, MOST_BLAMING):
                    if next(self.tries, None) is None:
                        raise TooMany
                    try:
                        reached.ends[self.step(run, self.place, state)] = None
                    except Contradiction as error:
                        reached.failed.append((error, run))
                    reached.touched.update(run.touched)
            except TooMany:
                reached.whole = False
        return reached

    def find_certain(self, disabled: Clauses) -> dict[str, Failed]:
        """The clauses that end every run before anything is decided, each with such a run."""
        found: dict[str, Failed] = {}
        while (failed := self.find_first(disabled.union(found))) is not None:
            found[failed[0].clause] = failed
        return found

    def find_first(self, disabled: Clauses) -> Failed | None:
        """How the first run ends from every state, if one clause ends it from all of them before
        anything is chosen, whichever others are left out; None if not.
        """
        ended: dict[str, Failed] = {}
        for state in self.states:
            failed = self.find_unchosen(state, disabled)
            if failed is not None:
                others = failed[1].touched.keys() - {failed[0].clause}
                failed = self.find_unchosen(state, disabled.union(others))
            if failed is None:
                return None
            ended[failed[0].clause] = failed
        return next(iter(ended.values())) if len(ended) == 1 else None

    def find_unchosen(self, state: State, disabled: Clauses) -> Failed | None:
        """How the first run ends, if it does before anything is chosen, but for what is assumed."""
        run = Run((), disabled)
        try:
            self.step(run, self.place, state)
        except Contradiction as error:
            if error.assumed:
                return self.find_unchosen(state, disabled | {error.clause})
            return None if run.taken else (error, run)
        return None

    def find_alone(
        self, clause: str, sets: Sequence[Clauses], disabled: Clauses
    ) -> Sequence[Failed]:
        """How a clause is violated alone, with others disabled that end the runs: by a few runs."""
        for one in (one for one in sets if clause in one and len(one) > 1):
            for state in self.states:
                with suppress(TooMany):
                    for run in generate_runs(disabled | (one - {clause}), FEW):
                        try:
                            self.step(run, self.place, state)
                        except Contradiction as error:
                            if error.clause == clause:
                                return [(error, run)]
        return []


@dataclass(slots=True)
class Reached:
    """What runs of a step reach and touch, how they fail, and whether these were all runs."""

    ends: dict[State, None] = field(default_factory=dict)
    failed: list[Failed] = field(default_factory=list)
    touched: dict[str, None] = field(default_factory=dict)
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Blame:
    """The smallest sets without which a step is taken, where it ends, and whether these are all."""

    sets: Sequence[Clauses]
    ends: Collection[State]
    whole: bool


def record_blame(
    stuck: Stuck, states: Ways, free: Free, failed: Sequence[Failed], findings: Findings
) -> Ways:
    """Record which clauses are to blame for a step that no run passes; the states after it."""
    disabled, advisory = free
    certain = stuck.find_certain(disabled)
    for clause in sorted(certain):
        findings.add(clause, make_violation(clause, (), [certain[clause]]))
    disabled = disabled.union(certain)
    rest = stuck.reach(disabled) if certain else Reached(failed=[*failed])
    found = Blame((), rest.ends, rest.whole)
    if not rest.ends:
        found = find_blame(stuck, (disabled, advisory), rest.failed)
    if not (found.whole and rest.whole):  # a later step might hold after a state not reached
        findings.gave_up = f"step {stuck.place + 1}: too many ways to get past it were left open"
    names = sorted({clause for one in found.sets for clause in one})
    for clause in names:
        own = [(error, run) for error, run in rest.failed if error.clause == clause]
        alone = own or stuck.find_alone(clause, found.sets, disabled)
        findings.add(clause, make_violation(clause, found.sets, alone or rest.failed))
    seen = frozenset().union(*(exercised for _, exercised in states)) - {*certain, *names}
    return [(state, seen) for state in found.ends]


def find_blame(stuck: Stuck, free: Free, failed: Sequence[Failed]) -> Blame:
    """Departures from practice if they are enough; else the smallest sets with MUSTs."""
    disabled, advisory = free
    touched = {clause: None for _, run in failed for clause in run.touched}
    if advisory.isdisjoint(list_suspects(touched, disabled)):
        found = find_smallest(stuck, disabled, touched)
        return found if found.ends else find_larger(stuck, free, failed, found.sets[0])
    departing = stuck.reach(disabled | advisory)
    if departing.ends or not departing.whole:
        found = find_smallest(stuck, disabled, touched, advisory)
        if departing.ends and not found.ends:
            found = keep_needed(stuck, disabled, sorted(advisory))
        if found.ends:
            return found
    if (found := find_smallest(stuck, disabled, touched)).ends:
        return found
    binding = find_smallest(stuck, disabled | advisory, departing.touched or touched)
    if binding.ends:
        return keep_needed(stuck, disabled | binding.sets[0], sorted(advisory), binding.sets[0])
    return find_larger(stuck, free, failed, found.sets[0])


def find_larger(stuck: Stuck, free: Free, failed: Sequence[Failed], touched: Clauses) -> Blame:
    """A set of more clauses than are tried together, of which none can be left out. MUSTs are left
    out before SHOULDs, and those before clauses that ended a run; these alone are to blame if all
    are not enough.
    """
    disabled, advisory = free
    ended = frozenset(error.clause for error, _ in failed)
    every: set[str] = set()
    more = set(touched)
    while more:
        every |= more
        more = {*list_suspects(stuck.reach(disabled | every).touched, disabled | every)}
    in_order = sorted(every, key=lambda one: (one not in advisory, one not in ended, one))
    found = keep_needed(stuck, disabled, in_order[::-1])
    return found if found.ends else Blame([ended], (), found.whole)


def keep_needed(
    stuck: Stuck, disabled: Clauses, clauses: Sequence[str], others: Clauses = frozenset()
) -> Blame:
    """The clauses that are needed, tried in this order; `others` are disabled already."""
    left = frozenset(clauses)
    reached = stuck.reach(disabled | left)
    for gone in (left - reached.touched.keys(), *(frozenset({one}) for one in clauses)):
        if gone & left:
            fewer = stuck.reach(disabled | (left - gone))
            if fewer.ends:
                left, reached = left - gone, fewer
    return Blame([others | left], reached.ends, reached.whole)


def find_smallest(
    stuck: Stuck, disabled: Clauses, touched: Iterable[str], among: Clauses | None = None
) -> Blame:
    """The smallest sets of clauses (of these only, if given) without which the step can be taken.

    A set that does not suffice grows by the clauses that take part once it is disabled.
    """
    everyone = dict.fromkeys(touched)
    tried = {frozenset({one}): None for one in list_suspects(everyone, disabled, among)}
    whole = True
    for _ in range(LARGEST_BLAME):
        found: list[Clauses] = []
        ends: dict[State, None] = {}
        grown: dict[Clauses, None] = {}
        whole = whole and len(tried) <= MOST_SETS
        for one in list(tried)[:MOST_SETS]:
            reached = stuck.reach(disabled | one)
            whole = whole and reached.whole
            if reached.ends:
                found.append(one)
                ends.update(reached.ends)
            everyone.update(reached.touched)
            more = list_suspects(reached.touched, disabled | one, among)
            grown.update({one | {other}: None for other in more})
        if found:
            return Blame(found, ends, whole)
        tried = grown
    return Blame([frozenset(list_suspects(everyone, disabled, among))], (), whole)


def list_suspects(
    touched: Iterable[str], disabled: Clauses, among: Clauses | None = None
) -> list[str]:
    """The clauses that took part and are not disabled; only these, if given."""
    return [
        clause
        for clause in touched
        if clause not in disabled and (among is None or clause in among)
    ]


def make_violation(
    clause: str, sets: Sequence[frozenset[str]], failed: Sequence[Failed]
) -> Violation:
    """The sentence for a clause that is to blame, alone or with others.

    The reason is that of a failed run which this clause ended; else of one in which the clause
    decided something before.
    """
    own = [(error, run) for error, run in failed if error.clause == clause]
    noted = [(error, run) for error, run in failed if run.find_reason(clause)]
    error, run = (own or noted or list(failed))[0]
    because = run.find_reason(clause)
    parts = [error.sentence or f"{error.clause} does not allow it", because]
    others = sorted({" and ".join(sorted(one)) for one in sets if clause not in one})
    company = sorted({other for one in sets if clause in one for other in one if other != clause})
    if company:
        verb = "is" if len(company) == 1 else "are"
        parts.append(f"{' and '.join(company)} {verb} broken with it")
    if others:
        parts.append(f"or else {' or '.join(others)} is broken")
    return Violation("; ".join(part for part in parts if part), error.kind, run.list_facts(because))
