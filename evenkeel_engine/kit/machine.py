"""A Hypothesis state machine for any question whose trial is a list of commands or rounds.

Single decisions need no machine: `evenkeel_engine.kit.strategies.strategy` makes their trials,
and `require_obeyed` judges what was observed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from evenkeel_engine.content import PROMISED, Edition
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.question import AnyQuestion, Observation, judge
from evenkeel_engine.kit.strategies import strategy
from evenkeel_engine.kit.trial import INVALID
from evenkeel_engine.spec import Level


def machine_for(
    question: AnyQuestion,
    edition: Edition = PROMISED,
    observe: Callable[[Any], Observation] | None = None,
    only: Collection[str] | None = None,
    commands: str = "",
    strict: bool = False,
) -> type[RuleBasedStateMachine]:
    """A machine under which a trial grows; after each step all of it is observed and judged.

    `observe` returns the subject's observation of a trial, by default the reference's. `only` these
    clauses are checked, by default all of the question. `commands` is the path of the field whose
    items are the commands, such as `scenario.events`; by default the question's. A violation of a
    SHOULD fails only if `strict`. Raises `ValueError` if the question has no commands.
    """
    path = (commands or question.commands).split(".")
    if path == [""]:
        raise ValueError(f"{question.name} asks for single decisions: use `strategy`.")
    observed = observe or partial(question.observe, edition=edition)
    trials = strategy(question.generate)

    class Machine(RuleBasedStateMachine):
        """Starts with a generated trial without its commands, and adds them step by step."""

        def __init__(self) -> None:
            super().__init__()
            self.trial: Any = None
            self.rest: tuple[Any, ...] = ()

        @initialize(trial=trials)
        def begin(self, trial: Any) -> None:
            self.trial, self.rest = _with_commands(trial, path, ()), _list_commands(trial, path)
            self.perform()

        @precondition(lambda self: self.rest)
        @rule(count=st.integers(1, 8))
        def advance(self, count: int) -> None:
            more, self.rest = self.rest[:count], self.rest[count:]
            self.perform(*more)

        @rule(more=_some_commands(trials, path))
        def mix_in(self, more: tuple[Any, ...]) -> None:
            self.perform(*more)

        def perform(self, *more: Any) -> None:
            try:
                trial = _with_commands(self.trial, path, (*_list_commands(self.trial, path), *more))
            except INVALID:  # there can be no such trial
                return
            self.trial = trial
            require_obeyed(question, trial, observed(trial), edition, only, strict)

    Machine.__name__ = Machine.__qualname__ = f"{question.trial_type.__name__}Machine"
    return Machine


def require_obeyed(
    question: AnyQuestion,
    trial: object,
    observation: Observation,
    edition: Edition = PROMISED,
    only: Collection[str] | None = None,
    strict: bool = False,
) -> None:
    """Raise `AssertionError` with the sentences of broken clauses; of SHOULDs only if `strict`."""
    clauses = clauses_for(question.name, edition, None if only is None else frozenset(only))
    binding = {
        clause.id
        for clause in clauses
        if strict or clause.entry.level_in(edition.name) is not Level.SHOULD
    }
    failed = [
        f"{one.clause}: {one.sentence}"
        for one in judge(question, clauses, trial, observation, edition)
        if one.failed and (one.clause in binding or one.status == "errored")
    ]
    assert not failed, "\n".join(failed)


@st.composite
def _some_commands(
    draw: st.DrawFn, trials: st.SearchStrategy[Any], path: Sequence[str]
) -> tuple[Any, ...]:
    """Up to four consecutive commands of a trial."""
    commands = _list_commands(draw(trials), path)
    first = draw(st.integers(0, max(0, len(commands) - 1)))
    return commands[first : first + draw(st.integers(1, 4))]


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
