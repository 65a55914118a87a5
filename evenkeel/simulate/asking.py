"""Asking a subject for one decision of a run, and keeping count of what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.question import judge
from evenkeel.properties.trial import BadTrial
from evenkeel.reference.balancing.balancer import Shed
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis
from evenkeel.subjects.base import Ask, Observed, Subject
from evenkeel.subjects.process import ProcessSubject

MOST_TOLD: Final = 20
"""So many violations are told; the others are counted."""


class SubjectFailed(Exception):
    """The subject did not answer: one sentence."""


@dataclass(slots=True)
class Log:
    """What became of a subject's decisions.

    `rounds` of shedding, of which `allowed` are other than the reference's, and no clause objects;
    `placements`, of which `open` had several brokers to choose from; `equal` moments of `moments`
    are the reference's with the same choices; `asked` counts trials by question.
    """

    rounds: int = 0
    allowed: int = 0
    placements: int = 0
    open: int = 0
    equal: int = 0
    moments: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)


class Asking:
    """Asks the subject in one run, judges its answers, and keeps the log.

    `others`: the rounds in which it shed other than the reference, as it may; `planned`: for whom.
    """

    def __init__(self, subject: Subject, edition: Edition, log: Log) -> None:
        self._subject = subject
        self.edition = edition
        self.log = log
        self.others: dict[Millis, list[Shed]] = {}
        self.planned: dict[Millis, dict[BundleName, BrokerId]] = {}

    def offers(self, question: str) -> bool:
        """Whether the subject answers this question; one that does not say is taken to."""
        if isinstance(self._subject, ProcessSubject):
            return question in self._subject.hello.questions
        return True

    def answer(self, name: str, trial: Any) -> Any:
        """The subject's answer. Raises `SubjectFailed`."""
        question = QUESTIONS[name]
        number = self.log.asked.total()
        [(_, reply)] = self._subject.replies([Ask(number, question, trial)])
        self.log.asked[name] += 1
        if not isinstance(reply, Observed) or not isinstance(
            reply.observation, question.answer_type
        ):
            raise SubjectFailed(f"{self._subject.name} did not answer {name}: {reply}")
        return reply.observation

    def judge(self, name: str, trial: Any, answer: Any) -> list[str]:
        """What the clauses of the question object to."""
        question, clauses = QUESTIONS[name], clauses_for(name, self.edition)
        verdicts = judge(question, clauses, trial, answer, self.edition)
        bad = [f"{v.clause}: {v.sentence}" for v in verdicts if v.status in ("violated", "errored")]
        self.log.violations += bad
        return bad

    def judged(self, name: str, trial: Any) -> Any:
        """The subject's answer, held against the clauses at once. Raises `SubjectFailed`."""
        answer = self.answer(name, trial)
        self.judge(name, trial, answer)
        return answer

    def missing(self, questions: Collection[str]) -> list[str]:
        """Those of the questions that the subject does not answer."""
        return [name for name in questions if not self.offers(name)]


def unaskable(bad: BadTrial) -> SubjectFailed:
    """A decision that cannot be put as a trial."""
    return SubjectFailed(f"The scenario cannot be put to a subject: {bad}")


def told(violations: Sequence[str]) -> list[str]:
    """The first violations, and how many more there are."""
    more = len(violations) - MOST_TOLD
    return [*violations[:MOST_TOLD], *([f"... and {more} more"] if more > 0 else [])]
