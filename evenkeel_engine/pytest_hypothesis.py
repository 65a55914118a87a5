"""A Python subject under Hypothesis: functions as `evenkeel_check` takes them, one for a question.

`machine_for` is for questions whose trial is a list of commands or rounds. Single decisions need no
machine: `evenkeel_engine.kit.strategies.strategy` makes their trials, and `require_obeyed` puts
each to the function.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from evenkeel_engine.check.failure import failure_on, find_violations
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.check.shrink import Shrunk
from evenkeel_engine.check.tally import Found
from evenkeel_engine.cli.failure_files import save
from evenkeel_engine.cli.failure_report import failure_lines
from evenkeel_engine.cli.render import Paper
from evenkeel_engine.content import PROGRAM, PROMISED, Edition
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.question import AnyQuestion, Observation, Verdict, judge
from evenkeel_engine.kit.strategies import strategy
from evenkeel_engine.kit.trial import INVALID
from evenkeel_engine.subjects.base import Errored, Observed, Subject, reply_to
from evenkeel_engine.subjects.functions import Function, FunctionSubject
from evenkeel_engine.subjects.local import ReferenceSubject
from evenkeel_engine.text import make_printable

FUNCTIONS: Final = "functions"


class Disobeyed(AssertionError):
    """A clause is broken. The text is the screen of `check`, with a file that `replay` takes.

    It is made when it is read: that takes seconds, and while it shrinks Hypothesis reads none.
    """

    def __init__(
        self,
        question: AnyQuestion,
        trial: Any,
        observation: Observation,
        verdict: Verdict,
        edition: Edition,
    ) -> None:
        super().__init__(verdict.clause)
        self._shrunk = Shrunk(trial, observation, verdict, 0)
        self._question, self._edition = question, edition

    def __str__(self) -> str:
        """The screen."""
        return self._screen

    @cached_property
    def _screen(self) -> str:
        """The same, made once."""
        verdict, edition = self._shrunk.verdict, self._edition
        found = Found(0, 0, self._question.name, 0, verdict.clause, "", verdict.sentence)
        failure = failure_on(self._shrunk, found, 1, edition)
        path = save(failure, edition, FUNCTIONS, None)
        again = f"this test; {PROGRAM} replay {path} shows it" if path else "this test"
        departs = Severity(edition.name).may(verdict.clause)
        lines = failure_lines(failure, edition, again, Paper(), departs)
        return "\n".join(map(make_printable, lines))


def machine_for(
    question: AnyQuestion,
    edition: Edition = PROMISED,
    observe: Function | None = None,
    only: Collection[str] | None = None,
    commands: str = "",
    strict: bool = False,
) -> type[RuleBasedStateMachine]:
    """A machine under which a trial grows; after each step all of it is asked and judged.

    `observe` is the function, by default the reference. `only` these clauses are checked, by
    default all of the question. `commands` is the path of the field whose items are the commands,
    such as `scenario.events`; by default the question's. A violation of a SHOULD fails only if
    `strict`. Raises `ValueError` if the question has no commands.
    """
    path = (commands or question.commands).split(".")
    if path == [""]:
        raise ValueError(f"{question.name} asks for single decisions: use `strategy`.")
    trials = strategy(question.generate)

    class Machine(RuleBasedStateMachine):
        """Starts with a generated trial without its commands, and adds them step by step."""

        def __init__(self) -> None:
            super().__init__()
            self.trial: Any = None
            self.rest: tuple[Any, ...] = ()

        @initialize(held=_hold(trials))
        def begin(self, held: Held) -> None:
            self.trial = _with_commands(held.value, path, ())
            self.rest = _list_commands(held.value, path)
            self.perform()

        @precondition(lambda self: self.rest)
        @rule(count=st.integers(1, 8))
        def advance(self, count: int) -> None:
            more, self.rest = self.rest[:count], self.rest[count:]
            self.perform(*more)

        @rule(more=_some_commands(trials, path))
        def mix_in(self, more: Held) -> None:
            self.perform(*more.value)

        def perform(self, *more: Any) -> None:
            try:
                trial = _with_commands(self.trial, path, (*_list_commands(self.trial, path), *more))
            except INVALID:  # there can be no such trial
                return
            self.trial = trial
            require_obeyed(question, trial, observe, edition, only, strict)

    Machine.__name__ = Machine.__qualname__ = f"{question.trial_type.__name__}Machine"
    return Machine


def require_obeyed(
    question: AnyQuestion,
    trial: object,
    observe: Function | None = None,
    edition: Edition = PROMISED,
    only: Collection[str] | None = None,
    strict: bool = False,
) -> None:
    """Put a trial to a function. Raises `Disobeyed` for a broken clause; a SHOULD if `strict`.

    A function refuses by `Refusal`, and skips by NotImplementedError: Hypothesis then takes another
    trial. Raises `AssertionError` for an answer of the wrong form.
    """
    __tracebackhide__ = True
    subject: Subject = ReferenceSubject(edition)
    if observe is not None:
        subject = FunctionSubject({question.name: observe}, FUNCTIONS)
    reply = reply_to(subject, question, trial)
    assert not isinstance(reply, Errored), reply.reason
    if not isinstance(reply, Observed):
        reject()
    observation, severity = reply.observation, Severity(edition.name, strict)
    clauses = clauses_for(question.name, edition, None if only is None else frozenset(only))
    failed = {
        v.signature for v in judge(question, clauses, trial, observation, edition) if v.failed
    }
    for verdict in find_violations(question, trial, observation, edition) if failed else ():
        if verdict.status == "errored":
            raise AssertionError(f"{verdict.clause}: {verdict.sentence}")
        if verdict.signature in failed and not severity.may(verdict.clause):
            raise Disobeyed(question, trial, observation, verdict, edition)


@dataclass(frozen=True, slots=True)
class Held:
    """A value that Hypothesis does not print: the screen shows what counts of it."""

    value: Any

    def __repr__(self) -> str:
        """What it is."""
        return f"{len(self.value)} commands" if isinstance(self.value, tuple) else "a trial"


@st.composite
def _hold(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> Held:
    """A value that is not printed."""
    return Held(draw(values))


@st.composite
def _some_commands(draw: st.DrawFn, trials: st.SearchStrategy[Any], path: Sequence[str]) -> Held:
    """Up to four consecutive commands of a trial."""
    commands = _list_commands(draw(trials), path)
    first = draw(st.integers(0, max(0, len(commands) - 1)))
    return Held(commands[first : first + draw(st.integers(1, 4))])


def _list_commands(trial: Any, path: Sequence[str]) -> tuple[Any, ...]:
    """The commands of a trial."""
    for name in path:
        trial = getattr(trial, name)
    return tuple(trial)


def _with_commands(trial: Any, path: Sequence[str], commands: tuple[Any, ...]) -> Any:
    """The trial with other commands. Raises `INVALID` if there is no such trial."""
    name, *below = path
    value = _with_commands(getattr(trial, name), below, commands) if below else commands
    return replace(trial, **{name: value})
