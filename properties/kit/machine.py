"""What the Hypothesis state machines share: everything so far is put to a subject, and judged.

A chapter's machine says which question it asks, how its trial begins, and its rules. It runs over
the reference; a subclass that answers otherwise puts any other subject in its place.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Generic, TypeVar

from hypothesis.stateful import RuleBasedStateMachine

from evenkeel.properties.catalogue import clauses_for
from evenkeel.properties.kit.question import Observation, Question, judge
from evenkeel.reference.edition import DOCUMENTED, Edition

T = TypeVar("T")


S = TypeVar("S")


class Machine(RuleBasedStateMachine, Generic[T]):
    """Puts trials `T` of one question to the subject, and judges what it observes.

    `only` are the clauses that judge; None: all of the question.
    """

    question: ClassVar[Question[Any, Any]]
    edition: ClassVar[Edition] = DOCUMENTED
    only: ClassVar[frozenset[str] | None] = None

    def observe(self, trial: T) -> Observation:
        """What the subject observes: here the reference does."""
        return self.question.observe(trial, self.edition)

    def put(self, trial: T) -> Observation:
        """Put a trial to the subject, and judge what it observes.

        Raises `AssertionError` with what the violated clauses say.
        """
        observation = self.observe(trial)
        clauses = clauses_for(self.question.name, self.edition, self.only)
        verdicts = judge(self.question, clauses, trial, observation, self.edition)
        faults = [f"{verdict.clause}: {verdict.sentence}" for verdict in verdicts if verdict.failed]
        assert not faults, "\n".join(faults)
        return observation


class GrowingMachine(Machine[T], Generic[T, S]):
    """One trial that grows by steps `S`, and is put to the subject whenever it has grown.

    `steps` is the field of the trial that holds them.
    """

    steps: ClassVar[str] = "commands"

    def __init__(self) -> None:
        super().__init__()
        self.trial = self.first()

    def first(self) -> T:
        """The trial without steps."""
        raise NotImplementedError

    def perform(self, *steps: S) -> Observation:
        """More steps; everything so far is put to the subject. What it observed."""
        trial: Any = self.trial
        self.trial = replace(trial, **{self.steps: (*getattr(trial, self.steps), *steps)})
        return self.put(self.trial)
