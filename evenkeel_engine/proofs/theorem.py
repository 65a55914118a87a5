"""Theorems: statements that are proved for all values, and how a proof is made trustworthy.

A theorem is checked in four ways. Each of its steps must follow: the negated claim is
unsatisfiable together with the assumptions. What a step assumes must be a hypothesis, which is
printed with the theorem, or proved by other steps (`assumptions.py`). No step may be vacuous: its
assumptions can be fulfilled. And a broken rule must be refuted: with a mutant in its place the same
kind of claim is refuted, and the solver's model becomes a trial. The answer of the reference with
that mutant violates a clause, and the answer of the reference none. Beyond that,
`cross_check` compares the theorem's rules with the reference on random values, so that what is
proved is what runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any

import z3

from evenkeel_engine import spec
from evenkeel_engine.content import EDITIONS, PROMISED, Edition
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge
from evenkeel_engine.mutation.catalogue import BY_NAME
from evenkeel_engine.proofs.assumptions import Step, find_unproved, list_hypotheses
from evenkeel_engine.proofs.terms import ANY, SMALL, Model, Scope, Term


@dataclass(frozen=True, slots=True)
class ReferenceMutant:
    """A deliberately broken rule that the reference can have, and which a question's judge detects.

    `broken` names a mutant written by hand (`properties/<chapter>/mutants.toml`), or an edition
    whose rule is another one. `step` makes the claim that the broken rule does not fulfil, and
    `trial` turns a model in which it fails into a trial of the question. The theorem's own rule
    holds in the edition `right`, by which both answers are judged.
    """

    broken: str
    sentence: str
    step: Callable[[Scope], Step]
    trial: Callable[[Model], object]
    question: str
    right: Edition = PROMISED

    @property
    def name(self) -> str:
        """The name of the mutant, or of the edition."""
        return self.broken

    def counter_trial(self, trial: object) -> CounterTrial:
        """The reference's answers to the trial, broken and right, as judged. Raises `KeyError`."""
        question = QUESTIONS[self.question]
        right = question.observe(trial, self.right)
        if self.broken in EDITIONS:
            broken = question.observe(trial, EDITIONS[self.broken])
        else:
            with BY_NAME[self.broken].apply():
                broken = question.observe(trial, self.right)
        clauses = clauses_for(self.question, self.right)
        broken_fails, right_fails = (
            any(verdict.failed for verdict in judge(question, clauses, trial, one, self.right))
            for one in (broken, right)
        )
        return CounterTrial(trial, broken, right, broken_fails, not right_fails)


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """A rule and the function of the reference that must equal it on random `arguments`."""

    name: str
    arguments: Callable[[Random], tuple[Any, ...]]
    rule: Callable[..., object]
    reference: Callable[..., object]


@dataclass(frozen=True, slots=True)
class Theorem:
    """A statement, the clauses it belongs to, and how far it reaches (`bound`).

    Raises `spec.UnknownClause` if the specification does not have one of the clauses.
    """

    name: str
    chapter: str
    clauses: tuple[str, ...]
    statement: str
    bound: str
    steps: Callable[[Scope], tuple[Step, ...]]
    mutant: ReferenceMutant
    cross_checks: tuple[CrossCheck, ...]

    def __post_init__(self) -> None:
        for id_ in self.clauses:
            spec.find_clause(id_)


class Status(StrEnum):
    """The outcome of a proof. Only the first is a success; then the gravest failures come first."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNPROVED = "rests on unproved assumptions"
    VACUOUS = "vacuous"
    MUTANT_SURVIVED = "mutant survived"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Query:
    """One question to the solver. `failure` is None where the answer was the expected one."""

    kind: str
    name: str
    milliseconds: float
    failure: Status | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class CounterTrial:
    """A trial built from the solver's model, and the two answers to it."""

    trial: object
    broken: object
    right: object
    broken_fails: bool
    right_passes: bool

    @property
    def convincing(self) -> bool:
        """The broken rule fails and the reference passes."""
        return self.broken_fails and self.right_passes


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome of proving a theorem: every check, and the mutant's trial if one was found."""

    theorem: Theorem
    checks: tuple[Query, ...]
    counter_trial: CounterTrial | None
    hypotheses: tuple[str, ...] = ()
    """The theorem's hypotheses in words, each once; its steps prove the rest."""
    unproved: tuple[str, ...] = ()
    """Assumptions that are neither hypotheses nor proved by the steps that are named for them."""

    @property
    def status(self) -> Status:
        """Proved only if every check succeeded; else the gravest failure."""
        failures = {check.failure for check in self.checks}
        if self.unproved:
            failures.add(Status.UNPROVED)
        return next((status for status in Status if status in failures), Status.PROVED)

    @property
    def proved(self) -> bool:
        """Every step follows, none is vacuous, and the mutant is refuted."""
        return self.status is Status.PROVED

    @property
    def milliseconds(self) -> float:
        """The time that all checks took."""
        return sum(check.milliseconds for check in self.checks)


def prove(theorem: Theorem, timeout: float = 10.0) -> Proof:
    """Check a theorem in all four ways; each question to the solver has `timeout` seconds.

    A question that the solver does not answer makes the theorem unknown, never proved.
    """
    steps = theorem.steps(ANY)
    follows = [check_claim(step, timeout) for step in steps]
    possible = [check_assumptions(step, timeout) for step in theorem.steps(SMALL)]
    refuted, counter_trial = check_mutant(theorem.mutant, timeout)
    checks = (*follows, *possible, refuted)
    return Proof(
        theorem, checks, counter_trial, list_hypotheses(steps), tuple(find_unproved(steps))
    )


def check_claim(step: Step, timeout: float) -> Query:
    """Nothing fulfils the assumptions but not the claim."""
    result, model, took = solve([*step.terms, z3.Not(step.claim)], timeout)
    if result == z3.sat:
        return Query("claim", step.name, took, Status.REFUTED, str(model))
    return Query("claim", step.name, took, None if result == z3.unsat else Status.UNKNOWN)


def check_assumptions(step: Step, timeout: float) -> Query:
    """Something fulfils the assumptions."""
    result, _, took = solve(step.terms, timeout)
    if result == z3.sat:
        return Query("assumptions", step.name, took)
    failure = Status.VACUOUS if result == z3.unsat else Status.UNKNOWN
    return Query("assumptions", step.name, took, failure)


def check_mutant(mutant: ReferenceMutant, timeout: float) -> tuple[Query, CounterTrial | None]:
    """The broken rule is refuted, and its failure can be shown by running it."""
    step = mutant.step(SMALL)
    result, model, took = solve([*step.terms, z3.Not(step.claim)], timeout)
    if result != z3.sat:
        failure = Status.MUTANT_SURVIVED if result == z3.unsat else Status.UNKNOWN
        return Query("mutant", mutant.name, took, failure), None
    if not (counter := mutant.counter_trial(mutant.trial(model))).convincing:
        return Query("mutant", mutant.name, took, Status.MUTANT_SURVIVED, str(counter)), counter
    return Query("mutant", mutant.name, took), counter


def solve(constraints: Sequence[Term], timeout: float) -> tuple[Any, Model | None, float]:
    """The solver's verdict, its model if there is one, and the milliseconds it took.

    The simple solver goes straight to the theories: on the products of unknowns in theorem
    `initial-division` it needs a few milliseconds where the general one needs one or two seconds.
    """
    solver = z3.SimpleSolver()
    solver.set("timeout", max(1, int(timeout * 1000)))
    start = time.perf_counter()
    solver.add(*constraints)
    result = solver.check()
    took = (time.perf_counter() - start) * 1000
    return result, solver.model() if result == z3.sat else None, took


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Arguments on which a rule of a theorem and the reference differ."""

    check: str
    arguments: tuple[Any, ...]
    rule: object
    reference: object


def cross_check(theorem: Theorem, seed: int, count: int) -> tuple[Mismatch, ...]:
    """Compare each rule of the theorem with the reference on `count` random arguments."""
    random = Random(seed)
    mismatches = []
    for check in theorem.cross_checks:
        for _ in range(count):
            arguments = check.arguments(random)
            ruled, referred = check.rule(*arguments), check.reference(*arguments)
            if ruled != referred:
                mismatches.append(Mismatch(check.name, arguments, ruled, referred))
    return tuple(mismatches)
