"""What the Hypothesis state machines share: a trial that grows by steps and is judged after each.

A chapter's machine says which question it asks, how its trial begins, and its rules. It runs over
the reference; a subclass that answers otherwise puts any other subject in its place.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Generic, TypeVar

from hypothesis.stateful import RuleBasedStateMachine

from evenkeel.properties.catalogue import clauses_for
from evenkeel.properties.question import Observation, Question, judge
from evenkeel.reference.edition import DOCUMENTED, Edition

T = TypeVar("T")
S = TypeVar("S")


class Machine(RuleBasedStateMachine, Generic[T, S]):
    """Puts one growing trial `T`, made of steps `S`, to the subject, and judges it every time.

    `steps` is the field of the trial that holds its steps; `judges` are the clauses that judge
    (None: all of the question).
    """

    question: ClassVar[Question[Any, Any]]
    edition: ClassVar[Edition] = DOCUMENTED
    steps: ClassVar[str] = "commands"
    judges: ClassVar[frozenset[str] | None] = None

    def __init__(self) -> None:
        super().__init__()
        self.trial = self.first()

    def first(self) -> T:
        """The trial without steps."""
        raise NotImplementedError

    def observe(self, trial: T) -> Observation:
        """What the subject observes: here the reference does."""
        return self.question.observe(trial, self.edition)

    def perform(self, *steps: S) -> Observation:
        """More steps; everything so far is put to the subject and judged. What it observed.

        Raises `AssertionError` with what the violated clauses say.
        """
        trial: Any = self.trial
        self.trial = replace(trial, **{self.steps: (*getattr(trial, self.steps), *steps)})
        observation = self.observe(self.trial)
        clauses = clauses_for(self.question.name, self.edition, self.judges)
        verdicts = judge(self.question, clauses, self.trial, observation, self.edition)
        faults = [
            f"{verdict.clause}: {verdict.sentence}"
            for verdict in verdicts
            if verdict.status in ("violated", "errored")
        ]
        assert not faults, "\n".join(faults)
        return observation
