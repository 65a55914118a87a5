"""Questions: trial type, generator and reference answer; and the function that judges.

`judge_case` is the only place where an observation becomes verdicts, for all commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar, cast

from evenkeel_engine.content import Edition
from evenkeel_engine.frame.errors import Breakage, Refusal
from evenkeel_engine.kit.clause import HOLDS, UNEXERCISED, Case, Clause, Finding, Violation
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import NOTHING, Exempt
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.talk import Talk

T = TypeVar("T")
A = TypeVar("A")

Observation = object
"""A question's answer, `Refused` or `Broke`."""


class Sum(Protocol):
    """Numbers of several trials, which are added up, and printed at the end of a check."""

    def merge(self, other: Any) -> None:
        """Add those of other trials."""

    def tell(self) -> str:
        """The numbers in words; empty if there are none."""


@dataclass(frozen=True, slots=True)
class Question(Generic[T, A]):
    """An operation under test that can be asked of a subject.

    `labels` names the kinds of trial that a trial belongs to, so that a tally shows whether the
    generator reaches them. `commands` is the field of the trial that holds its commands or rounds;
    empty if a trial counts as a single decision. `parts` is such a field if it does, and there are
    several anyway. `cut` shortens a trial and its answer where no list holds the steps.
    `simulates` says that a trial is a run over hours, which takes as long as many commands.
    `one_decision`: the only list of an answer is the decision itself, not an entry for each round.
    `elsewhere` is the trial with every request put to another node of the subject than it was.
    `exempt` is what tests and sweeps do not demand of it. `talk`: it is asked turn by turn.
    `narrate` tells what happened, a line each, where that says more than a comparison of answers.
    `measure` is what a trial adds to the numbers of a run, which also say what no clause asks.
    """

    name: str
    trial_type: type[T]
    answer_type: type[A]
    generate: Callable[[Draw], T]
    answer: Callable[[T, Edition], A]
    labels: Callable[[T], Iterable[str]] = lambda _: ()
    commands: str = ""
    parts: str = ""
    cut: Callable[[T, A, int], tuple[T, A]] | None = None
    simulates: bool = False
    one_decision: bool = False
    elsewhere: Callable[[T], T] | None = None
    exempt: Exempt = NOTHING
    talk: Talk[Any, Any, Any, Any] | None = None
    narrate: Callable[[T, A], Sequence[str]] | None = None
    measure: Callable[[T, A], Sum] | None = None

    @property
    def sent(self) -> AnyQuestion:
        """What a subject is asked in one message: this question, or a turn of its talk."""
        return self if self.talk is None else _ask_turn(self)

    @property
    def steps(self) -> str:
        """The field of the trial that holds its commands, rounds or other steps."""
        return self.commands or self.parts

    @property
    def is_long(self) -> bool:
        """Whether a trial takes much longer than a single decision, so that fewer are made."""
        return bool(self.commands) or self.simulates

    def take_steps(self, trial: T, answer: A, steps: int) -> tuple[T, A]:
        """The first steps of a trial, with their results: the lists of the answer that are as long.

        Raises what the trial's type raises where it is none.
        """
        if self.cut is not None:
            return self.cut(trial, answer, steps)
        items = getattr(trial, self.steps)
        results = {
            one.name: value[:steps]
            for one in fields(cast(Any, answer))
            if isinstance(value := getattr(answer, one.name), tuple) and len(value) == len(items)
        }
        begun = replace(cast(Any, trial), **{self.steps: items[:steps]})
        return begun, replace(cast(Any, answer), **results)

    def count_commands(self, trial: T) -> int:
        """How many commands a trial has; 1 for a single decision."""
        return len(getattr(trial, self.commands)) if self.commands else 1

    @property
    def chapter(self) -> str:
        """The chapter that the question belongs to: the name's first part."""
        return self.name.partition(".")[0]

    def observe(self, trial: T, edition: Edition) -> A | Refused | Broke:
        """The reference's observation of a trial."""
        try:
            return self.answer(trial, edition)
        except Refusal as refusal:
            return Refused(type(refusal).__name__, str(refusal))
        except Breakage as breakage:
            return Broke(type(breakage).__name__, str(breakage))


AnyQuestion: TypeAlias = Question[Any, Any]


@cache
def _ask_turn(question: AnyQuestion) -> AnyQuestion:
    assert question.talk is not None  # `sent` has looked
    talk = question.talk
    turn = replace(question, trial_type=talk.turn_type, answer_type=talk.reply_type, talk=None)
    return replace(turn, answer=talk.answer_turns(), commands="")


FAILED: Final = frozenset({"violated", "errored"})
"""The statuses of a verdict that make a trial a failure."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of one clause on one observation.

    `status` is holds, violated, unexercised or errored; `sentence` explains the second and the
    fourth, and `facts` are what the judge had computed by then.
    """

    clause: str
    status: str
    sentence: str = ""
    kind: str = ""
    facts: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether it makes the trial a failure."""
        return self.status in FAILED

    @property
    def signature(self) -> str:
        """Failures with equal signatures are counted as one failure."""
        return f"{self.clause}:{self.kind}" if self.kind else self.clause


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdicts of the clauses on one observation, in their order, and those that failed."""

    verdicts: tuple[Verdict, ...]
    failed: tuple[Verdict, ...] = ()


def judge(
    question: AnyQuestion,
    clauses: Sequence[Clause],
    trial: object,
    observation: Observation,
    edition: Edition,
) -> tuple[Verdict, ...]:
    """Judge an observation by clauses of this question."""
    return judge_case(clauses, Case(trial, observation, edition, question.observe)).verdicts


def judge_case(clauses: Sequence[Clause], case: Case[Any, Any]) -> Judgement:
    """The same, with the verdicts that failed. The clauses of a question have one judge."""
    if not clauses:
        return Judgement(())
    try:
        findings = clauses[0].judge(case)
    except MemoryError:
        raise
    except Exception as error:  # a subject's answer may be anything; the verdict says so: no pass
        said = f"the check failed: {error!r}", type(error).__name__
        verdicts = tuple(Verdict(clause.id, "errored", *said) for clause in clauses)
        return Judgement(verdicts, verdicts)
    if findings.all_hold:
        return make_undisputed(tuple(clauses), frozenset(findings.by_clause))
    verdicts = tuple(verdict_on(clause, findings.conclude_finding(clause.id)) for clause in clauses)
    return Judgement(verdicts, tuple(one for one in verdicts if one.failed))


@cache
def make_undisputed(clauses: tuple[Clause, ...], exercised: frozenset[str]) -> Judgement:
    """The judgement if no clause is violated or undecided."""
    outcomes = (HOLDS if clause.id in exercised else UNEXERCISED for clause in clauses)
    return Judgement(tuple(map(verdict_on, clauses, outcomes)))


def verdict_on(clause: Clause, finding: Finding) -> Verdict:
    """The verdict that states a finding about a clause."""
    if isinstance(finding, Violation):
        return Verdict(clause.id, "violated", finding.sentence, finding.kind, finding.facts)
    return Verdict(clause.id, finding.value)
