"""The contract of a subject, and its replies.

Standard library only: subjects live in Spark workers too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from itertools import groupby
from typing import Any, Protocol, TypeAlias, TypeVar

from evenkeel_engine.kit.question import AnyQuestion, Observation


@dataclass(frozen=True, slots=True)
class Request:
    """One trial put to a subject. `key` is the caller's own (a seed, an index, a path)."""

    key: int
    question: AnyQuestion
    trial: Any


@dataclass(frozen=True, slots=True)
class Observed:
    """The subject answered, refused or broke."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class Skipped:
    """The subject cannot answer this trial, with the reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Errored:
    """The subject failed as a process; `definite`: surely without an effect of the trial."""

    reason: str
    definite: bool


Reply: TypeAlias = Observed | Skipped | Errored


class Subject(Protocol):
    """Whatever answers trials."""

    @property
    def name(self) -> str:
        """How reports call it."""

    @property
    def questions(self) -> frozenset[str] | None:
        """The names of the questions that it answers; None: all that there are."""

    def replies(self, requests: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        """Each request with its reply, in order. May read some requests ahead."""

    def close(self) -> None:
        """Release the subject's resources. No replies afterwards."""


def offers(subject: Subject, question: str) -> bool:
    """Whether a subject answers a question."""
    return subject.questions is None or question in subject.questions


def reply_to(subject: Subject, question: AnyQuestion, trial: Any) -> Reply:
    """A subject's reply to one trial."""
    [(_, reply)] = subject.replies([Request(0, question, trial)])
    return reply


Replies: TypeAlias = Iterator[tuple[Request, Reply]]
S = TypeVar("S")


class _Unanswered(Exception):
    """A turn without an answer: the trial has none."""

    def __init__(self, reply: Reply) -> None:
        super().__init__()
        self.reply = reply


def talks(
    replies: Callable[[S, Iterable[Request]], Replies],
) -> Callable[[S, Iterable[Request]], Replies]:
    """Decorate `replies` so that a question that is asked turn by turn takes several messages."""

    @wraps(replies)
    def reply_to_all(self: S, requests: Iterable[Request]) -> Replies:
        for is_talk, group in groupby(requests, lambda one: one.question.talk is not None):
            if is_talk:
                for request in group:
                    yield request, _talk(lambda asked: replies(self, asked), request)
            else:
                yield from replies(self, group)

    return reply_to_all


def _talk(replies: Callable[[Iterable[Request]], Replies], request: Request) -> Reply:
    """Put all turns of a trial."""
    sent, talk = request.question.sent, request.question.talk
    assert talk is not None  # `talks` has looked

    def reply_to(turn: Any) -> Any:
        [(_, reply)] = replies((Request(request.key, sent, turn),))
        if not isinstance(reply, Observed):
            raise _Unanswered(reply)
        return reply.observation

    try:
        return Observed(talk.hold(request.trial, reply_to, keep=True))
    except _Unanswered as unanswered:
        return unanswered.reply
