"""Asking a subject for one decision of a run, and keeping count of what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from evenkeel.reference.balancing.balancer import Shed
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.kit.catalogue import QUESTIONS, list_breaches
from evenkeel_engine.kit.clause import describe
from evenkeel_engine.kit.trial import BadTrial
from evenkeel_engine.subjects.base import Observed, Request, Subject, offers

MOST_REPORTED: Final = 20
"""At most this many violations are reported; the rest are counted."""


Wrong = Callable[[Any], str | None]
"""Says why the loop can do nothing with an answer; None if it can continue with it."""


class SubjectFailed(Exception):
    """The subject did not answer, or with what the run cannot continue: one sentence."""


@dataclass(frozen=True, slots=True)
class Objection:
    """A clause that objects: in which run, at what time (None: to the whole of it), and why."""

    run: str
    at: Millis | None
    clause: str
    sentence: str
    departure: bool = False

    def __str__(self) -> str:
        return f"{locate(self.run, self.at)}: {self.clause}: {self.sentence}"


def locate(run: str, at: Millis | None) -> str:
    """A run and a time in it."""
    return run if at is None else f"{run}, minute {at / MINUTE:g}"


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
    violations: list[Objection] = field(default_factory=list)


class SubjectCalls:
    """Asks the subject in one run, judges its answers, and keeps the log.

    `run` is what the run is called and `now` its time, None where all of it is looked at;
    `brokers` are all that there ever are. `others`: the rounds in which the subject shed other
    than the reference, as it may; `planned`: for whom.
    """

    def __init__(
        self, subject: Subject, edition: Edition, log: Log, run: str, brokers: Collection[BrokerId]
    ) -> None:
        self._subject, self.edition, self.log, self.run = subject, edition, log, run
        self.now: Millis | None = None
        self.brokers = frozenset(brokers)
        self.others: dict[Millis, list[Shed]] = {}
        self.planned: dict[Millis, dict[BundleName, BrokerId]] = {}

    def offers(self, question: str) -> bool:
        """Whether the subject answers this question; one that does not say is taken to."""
        return offers(self._subject, question)

    def answer(self, name: str, trial: Any) -> Any:
        """The subject's answer, or that it refused or broke. Raises `SubjectFailed`."""
        number = self.log.asked.total()
        [(_, reply)] = self._subject.replies([Request(number, QUESTIONS[name], trial)])
        self.log.asked[name] += 1
        if not isinstance(reply, Observed):
            raise self.make_failure(f"did not answer {name}: {reply.reason}")
        return reply.observation

    def judge(self, name: str, trial: Any, answer: Any) -> bool:
        """Whether the clauses of the question object to anything; the log has what."""
        bad = list_breaches(QUESTIONS[name], self.edition, trial, answer)
        for verdict in bad:
            self.object(verdict.clause, verdict.sentence)
        return bool(bad)

    def object(self, clause: str, sentence: str) -> None:
        """A clause objects to what the subject did just now."""
        departs = Severity(self.edition.name).may(clause)
        self.log.violations.append(Objection(self.run, self.now, clause, sentence, departs))

    def ask_judged(self, name: str, trial: Any, wrong: Wrong) -> Any:
        """The subject's answer, compared with the clauses at once; None if it is of no use.

        Raises `SubjectFailed` for one of no use that no clause objects to.
        """
        answer = self.answer(name, trial)
        reason = self.explain_useless(name, answer, wrong)
        objected = self.judge(name, trial, answer)
        if reason is None:
            return answer
        if not objected:
            raise self.make_failure(reason)
        return None

    def explain_useless(self, name: str, answer: Any, wrong: Wrong) -> str | None:
        """Why the run cannot continue with this answer; None if it can."""
        if not isinstance(answer, QUESTIONS[name].answer_type):
            return f"{describe(answer)} where {name} was asked"
        reason = wrong(answer)
        return None if reason is None else f"gave an answer to {name} that {reason}"

    def make_failure(self, reported: str) -> SubjectFailed:
        """The subject did this, and the run cannot continue."""
        return SubjectFailed(
            f"{locate(self.run, self.now)}: the subject {self._subject.name} {reported}"
        )


def refuse_unaskable(bad: BadTrial) -> SubjectFailed:
    """A decision that cannot be put as a trial."""
    return SubjectFailed(f"The scenario cannot be put to a subject: {bad}")


def list_violations(violations: Sequence[Objection]) -> list[str]:
    """The first violations, and how many more there are."""
    more = len(violations) - MOST_REPORTED
    return [*map(str, violations[:MOST_REPORTED]), *([f"... and {more} more"] if more > 0 else [])]
